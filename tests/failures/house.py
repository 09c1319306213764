"""dpsql itself over a table of visits, with a policy and a ledger of its own."""

import csv
import json
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

# Of 5,000 people one has a tenth of all rows. Joined with itself the table has 4 * 10^8 rows and more:
# nobody waits for the end of that.
ROWS, HEAVY_ROWS, PEOPLE, PLACES = 200_000, 20_000, 5_000, 1_000
ENDLESS = "SELECT count(*) FROM visit a JOIN visit b ON a.id = b.id AND a.amount <> b.amount + 1000"
GROUPED = "SELECT place, sum(amount) FROM visit GROUP BY place"
COUNTED = "SELECT count(*) FROM visit"

POLICY = """[dataset]
name = "visits"
unit = "person"
[budget]
epsilon = 100
delta = 0.1
[query]
epsilon = 0.5
delta = 1e-7
min_frequency = 5
max_groups_per_unit = 3
aborts_allowed = 50
{query}
{rest}
[tables.visit]
unit = "id"
max_rows_per_unit = 20
{source}
[tables.visit.columns]
amount = {{ lower = 0, upper = 100 }}
"""

END_SECONDS = 5  # after a failure the program is gone
FAILED = "the database could not run the query (incident ID)"
TOO_LONG = "the query took longer than the policy allows"
STAYS = "the budget stays spent"


def patience():
    """A slow build says how much slower it is."""
    return int(os.environ.get("DPSQL_PATIENCE", "1"))


def visits(heavy_rows=HEAVY_ROWS):
    return [(0 if i < heavy_rows else i % PEOPLE, i // 7 % PLACES, i % 100) for i in range(ROWS)]


def write_csv(path):
    with Path(path).open("w", encoding="ascii", newline="") as file:
        csv.writer(file).writerows(visits())


def load_duckdb(build, database, script):
    file = database.with_suffix(".sql")
    file.write_text(script, encoding="utf-8")
    subprocess.run([build / "tools/duckdb-load", database, file], check=True)


def make_files(build, folder):
    """visit.csv, visit.parquet and visit.duckdb."""
    write_csv(folder / "visit.csv")
    load_duckdb(build, folder / "visit.duckdb", f"""
CREATE TABLE visit (id BIGINT NOT NULL, place INTEGER NOT NULL, amount INTEGER NOT NULL);
COPY visit FROM '{folder}/visit.csv' (HEADER false);
COPY visit TO '{folder}/visit.parquet';
""")


def in_a_network_of_its_own(program, *arguments):
    """Only where this machine gives one; whether it does."""
    alone = ["unshare", "--net"]
    if not shutil.which("ip") or subprocess.run([*alone, "true"], check=False).returncode != 0:
        return False
    subprocess.run([*alone, sys.executable, "-B", program, *arguments], check=True)
    return True


def set_loopback(state):
    """The whole line between programs of one network: "up" or "down"."""
    subprocess.run(["ip", "link", "set", "lo", state], check=True)


class Running:
    """A question that is under way."""

    def __init__(self, command, file_limit):
        def limit():
            if file_limit:
                resource.setrlimit(resource.RLIMIT_FSIZE, (file_limit, file_limit))

        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                        text=True, preexec_fn=limit)
        self.started = time.monotonic()

    def has_ended(self):
        return self.process.poll() is not None

    def end(self):
        """Exit code, the error without incident's number, stderr, and when it ended.

        Whether that was soon enough is for the caller to say; this one only ends what hangs.
        """
        try:
            out, err = self.process.communicate(timeout=180 * patience())
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise AssertionError("the program hangs") from None
        ended, self.out = time.monotonic(), out
        error = json.loads(out)["error"] if out.startswith('{"error"') else {}
        if error:
            error["message"] = re.sub(r"i-[0-9a-f-]+", "ID", error["message"])
        return self.process.returncode, error, err, ended


class House:
    """One policy and one ledger; every failure is one of its questions."""

    def __init__(self, build, folder, url, *, query="", rest="", source=""):
        self.dpsql, self.folder, self.url = build / "dpsql", folder, url
        folder.mkdir(exist_ok=True)
        self.policy, self.ledger = folder / "visits.toml", folder / "visits.ledger"
        self.policy.write_text(POLICY.format(query=query, rest=rest, source=source),
                               encoding="utf-8")

    def start(self, sql, *, file_limit=0):
        url = [self.url] if self.url else []
        return Running([self.dpsql, *url, "--policy", self.policy, "--ledger", self.ledger,
                        "--analyst", "ann", "--format", "json", "-c", sql], file_limit)

    def budget(self):
        done = subprocess.run([self.dpsql, "budget", "--policy", self.policy, "--ledger", self.ledger,
                               "--format", "json"], stdout=subprocess.PIPE, text=True, check=True)
        return json.loads(done.stdout)

    def is_paid(self, before):
        return self.budget()["reservations"] > before["reservations"]

    def incidents(self):
        path = Path(f"{self.ledger}.incidents")
        return path.read_text(encoding="utf-8", errors="replace") if path.exists() else ""

    def answers(self, sql=COUNTED):
        """The rows of an answer."""
        running = self.start(sql)
        code, _, err, _ = running.end()
        assert code == 0, f"it answers no more: {err}"
        return json.loads(running.out)["rows"]


def wait_for(condition, what, seconds=30):
    end = time.monotonic() + seconds * patience()
    while not condition():
        assert time.monotonic() < end, f"never: {what}"
        time.sleep(0.05)


def unanswered(budget):
    return sum(analyst["unanswered"] for analyst in budget["analysts"])


def check_spent(before, after):
    """The budget is smaller by one question."""
    assert after["reservations"] == before["reservations"] + 1, after
    left = [budget["budget"]["remaining"]["epsilon"] for budget in (before, after)]
    assert left[1] < left[0], after


def check_paid(before, after):
    """The budget is smaller, one question more has no answer, and the ledger says so."""
    check_spent(before, after)
    assert unanswered(after) == unanswered(before) + 1, after


def check_failed(house, running, before, since, message):
    """What must hold of a paid question that failed at the time `since`."""
    code, error, err, ended = running.end()
    assert code == 4, f"exit {code}: {err}"
    assert (error.get("code"), error.get("message")) == ("E503", message), error
    told = re.sub(r"i-[0-9a-f-]+", "ID", err)
    hint = f"HINT:  {error['hint']}\n" if error.get("hint") else ""
    assert told == f"ERROR E503: {message}\n{hint}", told
    assert ended - since < END_SECONDS * patience(), f"{ended - since:.1f} s after the failure"
    after = house.budget()
    check_paid(before, after)
    assert [entry["what"] for entry in after["history"][:2]] == ["abort", "reserve"], after
    return ended - since


def check_interrupted(house, running, before, seconds=END_SECONDS):
    """Ctrl-C ends a paid question within so many seconds, and what was paid stays paid."""
    since = time.monotonic()
    running.process.send_signal(signal.SIGINT)
    code, error, err, ended = running.end()
    assert (code, error.get("code")) == (130, "E505"), (code, error, err)
    assert ended - since < seconds * patience(), f"{ended - since:.1f} s after Ctrl-C"
    after = house.budget()
    check_spent(before, after)
    assert [entry["what"] for entry in after["history"][:2]] == ["cancel", "reserve"], after
    return ended - since


def check_killed(house):
    """Who kills the program in the middle of a question gets nothing back."""
    before = house.budget()
    running = house.start(ENDLESS)
    wait_for(lambda: house.is_paid(before), "the question is paid")
    running.process.send_signal(signal.SIGKILL)
    running.process.communicate()
    after = house.budget()
    check_paid(before, after)
    assert after["history"][0]["what"] == "reserve", after
