#!/usr/bin/env python3
"""Whether anything but noisy numbers tells that a person is there. Usage: errors.py SOURCE BUILD

Asks the questions beside this file with the product itself, on all people, without the one whose
rows tempt everything to fail, and without one like all others. Exit codes, what stderr says, every
error, plan, column, price, what is left and the number of rows of known keys must be the same.
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

SOURCE, BUILD = (pathlib.Path(word).resolve() for word in sys.argv[1:3])
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
    """The JSON objects of a text, one after the other."""
    decoder, found, at = json.JSONDecoder(), [], 0
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

    def run(self, sql, *options):
        # A question that is refused costs nothing and may have a ledger of its own.
        ledger = self.folder / f"{self.name}.ledger"
        return subprocess.run(
            [BUILD / "dpsql", self.database, "--policy", HERE / "people.toml", "--ledger", ledger,
             "--analyst", "ann", "--format", "json", *options, "-c", sql],
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


def answered(world):
    """What the program says of all questions that it answers, without the noise."""
    script = "\n".join(statements("answered.sql"))
    plans = world.run(script, "--dry-run")
    asked = world.run(script)
    seen = {"plan exit": plans.returncode, "plan stderr": plans.stderr, "exit": asked.returncode,
            "stderr": asked.stderr}
    explanations, answers = objects(plans.stdout), objects(asked.stdout)
    if len(explanations) != len(answers) or plans.returncode != 0 or asked.returncode != 0:
        sys.exit(f"{world.name}: {plans.stderr}{asked.stderr}{len(explanations)} plans, "
                 f"{len(answers)} answers\n{asked.stdout[-500:]}")
    for number, (explanation, answer) in enumerate(zip(explanations, answers)):
        seen[f"plan {number}"] = explanation
        seen[f"answer {number}"] = public_part(answer, explanation)
    return seen


def refused(world):
    """What it says of each question that it refuses."""
    seen = {}
    for sql in statements("refused.sql"):
        run = world.run(sql)
        if run.returncode == 0:
            sys.exit(f"{world.name}: not refused: {sql}")
        seen[sql] = (run.returncode, run.stdout, run.stderr)
    return seen


def budget(world):
    """What the ledger says at the end, without the times."""
    run = subprocess.run(
        [BUILD / "dpsql", "budget", "--policy", HERE / "people.toml", "--ledger",
         world.folder / f"{world.name}.ledger", "--format", "json"],
        capture_output=True, text=True, timeout=60, check=False)
    text = re.sub(r'"time":\s*"[^"]*"', '"time": ""', run.stdout)
    return {"budget": (run.returncode, text, run.stderr)}


def everything(world):
    # A refusal comes before anything is read: one person, the odd one, is enough there.
    return {**answered(world), **(refused(world) if world.name != "usual" else {}), **budget(world)}


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        worlds = [World(folder, *world) for world in WORLDS.items()]
        with ThreadPoolExecutor(2) as pool:
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
    line = {"kind": "channels", "name": "errors, plans, prices", "questions": questions,
            "differences": differences}
    print("#audit " + json.dumps(line))
    return 0 if differences == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
