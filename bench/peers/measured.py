"""What run.py measured: kept where it, or who called it, is ended in the middle, and put beside what was
measured before."""
import datetime
import json
import os
import pathlib
import signal
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
PATIENCE_SECONDS = 120  # in which run.py ends what it started


def interrupt(*_):
    raise KeyboardInterrupt


def interruptible():
    """From here on what ends a program politely is an interrupt, so that it ends what it started. What was
    ignored, as by nohup, still is."""
    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) == signal.SIG_DFL:
            signal.signal(number, interrupt)


def path_for(part):
    """Of a new run. Nothing removes these files: they are small, and one that was not merged has all there is."""
    cache = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "dpsql/peers"
    cache.mkdir(parents=True, exist_ok=True)
    return cache / f"{part}-{datetime.datetime.now():%Y-%m-%d-%H%M%S}.json"


def measured(build, part, *arguments):
    """What run.py measured, also where an interrupt ended it; `part` names its file. A session of its own keeps
    Ctrl-C from those that run.py has to end in order."""
    path = path_for(part)
    print(f"each row is kept in {path} at once", flush=True)
    interruptible()
    with subprocess.Popen([HERE / "run.py", build, path, *arguments], start_new_session=True) as process:
        try:
            process.wait()
        except KeyboardInterrupt:
            process.terminate()
            try:
                process.wait(PATIENCE_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
    if not path.exists():
        sys.exit("FAILED: bench/peers/run.py measured nothing")
    return read(path)


def read(path):
    """What run.py wrote, with `complete` where nothing failed and nothing is missing."""
    found = json.loads(pathlib.Path(path).read_text(encoding="utf-8"))
    parts = [*found["ours"].values(), *found["peers"].values()]
    return {**found, "complete": not any("failed" in part for part in parts)}


def question_of(row):
    return row["system"], row["query"], row["epsilon"]


def rows_with_earlier(before, day, rows):
    """The rows of `day` stay for what was not asked anew."""
    earlier = {question_of(row): {"day": day, **row} for row in before if row.get("asked", True)}
    anew = {question_of(row): row for row in rows if row.get("asked", True)}
    not_asked = {question_of(row): row for row in rows}
    known = {**not_asked, **earlier, **anew}
    print(f"{len(known.keys() & earlier.keys() - anew.keys())} rows of peers of an earlier day stay", flush=True)
    return list(known.values())


def with_earlier(before, day, found):
    """`found` where a program failed, with what it lacks of `before`, which run.py wrote on `day`."""
    found["rows"] = rows_with_earlier(before.get("rows", []), day, found["rows"])
    for peer, told_before in before.get("peers", {}).items():
        told_anew = found["peers"].setdefault(peer, {})
        if "failed" in told_anew:
            found["peers"][peer] = {**told_before, **told_anew}
    for engine, part in before.get("ours", {}).items():
        anew = found["ours"].get(engine)
        if anew is None or "failed" in anew:
            rows = {row["query"]: {"day": day, **row} for row in part["rows"]}
            rows.update((row["query"], row) for row in (anew or {"rows": []})["rows"])
            found["ours"][engine] = {**part, **(anew or {}), "rows": list(rows.values())}


def recorded_by_system(found, recorded, names):
    """The lines of a part that asks several systems one after the other: each began under a load of its own, and
    may have stayed from an earlier run. `recorded`: of the whole; `names`: peer to what its rows call it."""
    told = {f"peers, ours on {engine}": part for engine, part in found.get("ours", {}).items()}
    told.update((f"peers, {names[peer].removesuffix(', here')}", part) for peer, part in found.get("peers", {}).items())
    return {name: part["recorded"] for name, part in told.items() if "recorded" in part} or {"peers": recorded}
