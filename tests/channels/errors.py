#!/usr/bin/env python3
"""Whether anything but noisy numbers tells that a person is there. Usage:

  errors.py SOURCE BUILD [ENGINE]

Asks the questions beside this file with the product itself, on all people, without the one whose
rows tempt everything to fail, and without one like all others. Exit codes, what stderr says, every
error, plan, column, price, what is left and the number of rows of known keys must be the same. ENGINE is
another database than DuckDB, which has copies of the same people; it may refuse some questions that DuckDB
answers, but neither fail nor say different things of them. Ends with 77 where it is not installed.
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile
from contextlib import contextmanager
from concurrent.futures import ThreadPoolExecutor

SOURCE, BUILD = (pathlib.Path(word).resolve() for word in sys.argv[1:3])
ENGINE = sys.argv[3] if len(sys.argv) > 3 else None
REFUSED = 1  # the exit code of a question that is not SQL, or not safe, or not of this database
MOST_REFUSED = 0.5  # of what DuckDB answers
HERE = SOURCE / "tests" / "channels"
WORLDS = {"all": None, "odd": 13, "usual": 77}  # who is missing

REMOVE = """DELETE FROM line WHERE visit_id IN (SELECT visit_id FROM visit WHERE id = {0});
DELETE FROM visit WHERE id = {0};
DELETE FROM person WHERE id = {0};"""


def statements(name):
    """The questions of a file, in lines that end with a semicolon."""
    lines = (HERE / name).read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("--")]


def objects(text):
    """The JSON objects of a text, one after the other. Copies have names of their own."""
    decoder, found, at = json.JSONDecoder(), [], 0
    text = re.sub(r"copy\d+", "copy", text)
    while at < len(text):
        value, at = decoder.raw_decode(text, at)
        found.append(value)
        while at < len(text) and text[at].isspace():
            at += 1
    return found


class World:
    """One database with its ledger."""

    def __init__(self, folder, name, missing):
        self.folder, self.name = folder, name
        self.database = folder / f"{name}.duckdb"
        script = (HERE / "people.sql").read_text(encoding="utf-8")
        if missing is not None:
            script += REMOVE.format(missing)
        file = folder / f"{name}.sql"
        file.write_text(script, encoding="utf-8")
        subprocess.run([BUILD / "tools" / "duckdb-load", self.database, file], check=True)
        self.url, self.policy = self.database, HERE / "people.toml"

    def run(self, questions, *options):
        ledger = self.folder / f"{self.name}.ledger"
        asked = [word for sql in questions for word in ("-c", sql)]
        return subprocess.run(
            [BUILD / "dpsql", self.url, "--policy", self.policy, "--ledger", ledger,
             "--analyst", "ann", "--format", "json", "--keep-going", *options, *asked],
            capture_output=True, text=True, timeout=300, check=False)


def public_part(answer, explanation):
    """All of an answer that does not come from noise."""
    keys = [key for door in explanation.get("doors", []) for key in door["keys"]]
    rows = answer.pop("rows", None)
    answer.pop("intervals", None)
    plain = len(explanation.get("doors", [])) == 1 and not explanation.get("above")
    if rows is not None and plain and all(key["known"] for key in keys):
        # Every known key has its row, and which they are is no secret.
        answer["keys"] = [row[:len(keys)] for row in rows]
    return answer


def questions_of(lines):
    """Each question, behind the settings that stand before it."""
    found, settings = [], ""
    for line in lines:
        if line.startswith("SET "):
            settings += line + "\n"
        else:
            found.append(settings + line)
    return found


def said(world, questions, *options):
    """What is printed for each question, and how the program ends. What an engine refuses is an error
    in its place."""
    run = world.run(questions, *options)
    printed = objects(run.stdout)
    if run.returncode not in (0, REFUSED if ENGINE else 0) or len(printed) != len(questions):
        sys.exit(f"{world.name}: {len(printed)} replies to {len(questions)} questions, the last "
                 f"{printed[-1:]}\n{run.stderr}")
    return printed, (run.returncode, run.stderr)


def answered(world):
    """What the program says of all questions that it answers, without the noise."""
    questions = questions_of(statements("answered.sql"))
    explanations, plan_end = said(world, questions, "--dry-run")
    can = [number for number, plan in enumerate(explanations) if "error" not in plan]
    if len(can) < MOST_REFUSED * len(questions):
        sys.exit(f"{world.name}: only {len(can)} questions can be asked")
    answers, end = said(world, [questions[number] for number in can])
    seen = {"end of the plans": plan_end, "end": end}
    for number, explanation in enumerate(explanations):
        seen[f"plan {number}"] = explanation
    for number, answer in zip(can, answers):
        if "error" in answer:
            sys.exit(f"{world.name}: planned, and then refused: {questions[number]}")
        seen[f"answer {number}"] = public_part(answer, explanations[number])
    return seen


def refused(world):
    """What it says of each question that it refuses."""
    seen = {}
    for sql in statements("refused.sql"):
        run = world.run([sql])
        if run.returncode == 0:
            sys.exit(f"{world.name}: not refused: {sql}")
        seen[sql] = (run.returncode, run.stdout, run.stderr)
    return seen


def budget(world):
    """What the ledger says at the end, without the times."""
    run = subprocess.run(
        [BUILD / "dpsql", "budget", "--policy", world.policy, "--ledger",
         world.folder / f"{world.name}.ledger", "--format", "json"],
        capture_output=True, text=True, timeout=60, check=False)
    text = re.sub(r'"time":\s*"[^"]*"', '"time": ""', run.stdout)
    return {"budget": (run.returncode, text, run.stderr)}


def everything(world):
    # A refusal comes before anything is read: one person, the odd one, is enough there.
    return {**answered(world), **(refused(world) if world.name != "usual" else {}), **budget(world)}


@contextmanager
def copied(worlds):
    """The worlds in the engine that is asked, for as long as its copies are needed."""
    if ENGINE is None:
        yield
        return
    files = [world.database for world in worlds]
    with subprocess.Popen([BUILD / "tests" / "engine_copies", ENGINE, HERE / "people.toml", *files],
                          stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as copies:
        lines = [copies.stdout.readline().rstrip("\n") for _ in range(len(worlds) + 1)]
        if not lines[-1]:
            sys.exit(copies.wait())
        for world, url in zip(worlds, lines):
            world.url, world.policy = url, lines[-1]
        try:
            yield
        finally:
            copies.stdin.close()


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        worlds = [World(folder, *world) for world in WORLDS.items()]
        with copied(worlds), ThreadPoolExecutor(2) as pool:
            seen = list(pool.map(everything, worlds))
    differences = 0
    for world, less in zip(worlds[1:], seen[1:]):
        for what, said in less.items():
            if seen[0].get(what) == said:
                continue
            differences += 1
            print(f"FAILED, {what}: without the {world.name} one\n  {said}\nand with everybody\n"
                  f"  {seen[0].get(what)}")
    questions = len(statements("answered.sql")) + len(statements("refused.sql"))
    print(f"{questions} questions, {len(worlds) - 1} people removed, {differences} differences")
    name = "errors, plans, prices" + (f", {ENGINE}" if ENGINE else "")
    line = {"kind": "channels", "name": name, "questions": questions,
            "differences": differences}
    print("#audit " + json.dumps(line))
    return 0 if differences == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
