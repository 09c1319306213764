#!/usr/bin/env python3
"""Keeps docs/reference/tpch.md true. Usage: run.py SOURCE BUILD [--at-least N] [--update]

Checks each query of tests/tpch against the policy tests/databases/tpch.toml, without a database,
and writes down whether it is accepted. Fails where the page differs, or where fewer than N of the
22 are accepted.
"""
import argparse
import difflib
import json
import pathlib
import re
import subprocess
import sys
import tomllib

PAGE = "docs/reference/tpch.md"

HEAD = """# TPC-H with private customers

Written by `tests/tpch/run.py`, which checks every query of `tests/tpch` against the policy
`tests/databases/tpch.toml`; a test keeps the page so. No database is read.

One customer with all orders and lines is protected; parts, suppliers, nations and regions are
public. A group is released from 10 customers on, and a customer counts in at most 10 groups. A door
is a place where private rows become a noisy result; a query without one reads public tables only.
"""

REWRITTEN = """
## What to ask instead

The refused queries, asked so that no row is one customer's and each private question is asked once
(`tests/tpch/rewritten`).
"""


class Checked:
    """What `dpsql check` says of one query."""

    def __init__(self, program, policy, path):
        command = [program, "check", "--policy", policy, "--format", "json", "-c", path.read_text()]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60)
        if not done.stdout.strip():
            sys.exit(f"{path.name}: dpsql says nothing\n{done.stderr}")
        reply = json.loads(done.stdout.splitlines()[0])
        self.name = path.stem
        self.accepted = done.returncode == 0 and "error" not in reply
        self.error = reply.get("error", {})
        self.plan = reply.get("plan", "")

    def doors(self):
        return len(re.findall(r"^\s*door \d+", self.plan, re.M))

    def line(self, label):
        """The last line of the plan with this label."""
        found = re.findall(rf"^{label}\s+(.*)$", self.plan, re.M)
        return found[-1].strip() if found else ""

    def why(self):
        if not self.accepted:
            return f"{self.error['code']}: {self.error['message']}"
        columns = ", ".join(f"`{name}`" for name in re.split(r"\s{2,}", self.line("columns")))
        price = re.sub(r", mu .*", "", self.line("price")) if self.doors() else "nothing"
        return f"{columns}; price: {price}"

    def row(self, remark):
        cells = [
            f"Q{int(self.name[1:])}",
            "accepted" if self.accepted else "refused",
            str(self.doors()) if self.accepted else "",
            self.why(),
            remark,
        ]
        return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def table(rows):
    head = "| query | answer | doors | what it releases, or why not | remark |\n|---|---|---|---|---|\n"
    return "\n" + head + "\n".join(rows) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("source", type=pathlib.Path)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--at-least", type=int, default=14)
    parser.add_argument("--update", action="store_true")
    arguments = parser.parse_args()

    folder = arguments.source / "tests/tpch"
    notes = tomllib.loads((folder / "remarks.toml").read_text())
    program, policy = arguments.build / "dpsql", arguments.source / "tests/databases/tpch.toml"
    queries, instead = ([Checked(program, policy, path) for path in sorted(folder.glob(pattern))]
                        for pattern in ("q??.sql", "rewritten/q??.sql"))
    accepted = sum(query.accepted for query in queries)

    text = HEAD + f"\nOf {len(queries)} queries {accepted} are accepted.\n"
    text += table(query.row(notes["remarks"][query.name]) for query in queries)
    text += REWRITTEN + table(query.row(notes["rewritten"][query.name]) for query in instead)

    page = arguments.source / PAGE
    if arguments.update:
        page.write_text(text)
    committed = page.read_text() if page.exists() else ""
    difference = "".join(difflib.unified_diff(
        committed.splitlines(True), text.splitlines(True), PAGE, "now"))
    print(difference, end="")
    print(f"{len(queries)} queries, {accepted} accepted")
    enough = len(queries) == 22 and accepted >= arguments.at_least
    if not enough:
        print(f"FAILED: at least {arguments.at_least} of 22 must be accepted")
    return 0 if enough and not difference else 1


if __name__ == "__main__":
    sys.exit(main())
