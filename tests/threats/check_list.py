#!/usr/bin/env python3
"""Every attempt has a test or a reason. Usage: check_list.py SOURCE BUILD

- Each number of tests/threats/threats.tsv and tests/flaws/flaws.tsv is in the name of a test,
  threats/T17 or threats/T17_more, or it is in tests/threats/pending.txt; none is in both, unless
  it is pending in part. No test has a number that is not listed.
- Each name in a filter of unit tests finds one.
- Each number has a line in docs/threats.md.
- What docs/threat-model.md names in backticks exists: a test, a group of tests (`ledger/…`), a
  unit test, a file or a folder; and each row of its first table names at least one test.
"""
import json
import pathlib
import re
import subprocess
import sys

NUMBERED = re.compile(r"^(threats|flaws)/([TF]\d\d[a-z]?)(_\w+)?$")
PENDING = re.compile(r"^([TF]\d\d[a-z]?)( in part)?: \S.*")
NAMED = re.compile(r"`([^`\n]+)`")


def numbers(path):
    rows = path.read_text().splitlines()[1:]
    return {row.split("\t")[0]: row.split("\t")[1] for row in rows}


def run(*arguments):
    return subprocess.run(arguments, capture_output=True, text=True, check=True).stdout


def unit_tests(program, pattern="*"):
    """The names that a filter finds."""
    suite, found = "", []
    for line in run(program, "--gtest_list_tests", f"--gtest_filter={pattern}").splitlines():
        name = line.split("#")[0].rstrip()
        if line.startswith("  "):
            found.append(suite + name.strip())
        elif name.endswith("."):
            suite = name
    return found


class Checker:
    def __init__(self, source, build):
        self.source, self.failures = source, []
        shown = json.loads(run("ctest", "--test-dir", build, "--show-only=json-v1"))
        self.commands = {test["name"]: test.get("command", []) for test in shown["tests"]}
        self.units = set(unit_tests(build / "tests/dpsql_unit_tests"))

    def fail(self, words):
        self.failures.append(words)

    def pending(self):
        """Number to whether all of it is pending."""
        found = {}
        for line in (self.source / "tests/threats/pending.txt").read_text().splitlines():
            if line.startswith("#"):
                continue
            match = PENDING.match(line)
            if not match:
                self.fail(f"pending.txt: not a number and a reason: {line}")
                continue
            found[match[1]] = not match[2]
            print(f"pending {line}")
        return found

    def check_numbers(self):
        listed = numbers(self.source / "tests/threats/threats.tsv")
        listed |= numbers(self.source / "tests/flaws/flaws.tsv")
        tested = {match[2] for match in map(NUMBERED.match, self.commands) if match}
        pending = self.pending()
        for number in sorted(set(listed) | tested | set(pending)):
            if number not in listed:
                self.fail(f"{number} is not in a list")
            elif number in tested and pending.get(number):
                self.fail(f"{number} has a test and is pending")
            elif number not in tested and not pending.get(number):
                self.fail(f"{number} has no test: {listed[number]}")
        page = (self.source / "docs/threats.md").read_text()
        for number in listed:
            row = number[0] + number[1:].lstrip("0").rstrip("abcdefghi")
            if not re.search(rf"\b{row}[a-i]?\b", page):
                self.fail(f"docs/threats.md says nothing of {number}")
        return len(listed)

    def check_filters(self):
        for name, command in self.commands.items():
            if not NUMBERED.match(name):
                continue
            for word in command:
                for pattern in word.removeprefix("--gtest_filter=").split(":"):
                    if word.startswith("--gtest_filter=") and not unit_tests(command[0], pattern):
                        self.fail(f"{name}: no unit test is called {pattern}")

    def is_test(self, name):
        if name.endswith("/…"):
            return any(test.startswith(name[:-1]) for test in self.commands)
        return name in self.commands or name in self.units

    def check_model(self):
        text = (self.source / "docs/threat-model.md").read_text()
        for name in NAMED.findall(text):
            looks_named = re.fullmatch(r"[\w.-]+([/.][\w.…-]+)+", name)
            if looks_named and not self.is_test(name) and not (self.source / name).exists():
                self.fail(f"docs/threat-model.md: there is no {name}")
        promises = re.search(r"^\| promise .*?\n\n", text, re.M | re.S)
        rows = promises.group().splitlines()[2:] if promises else []
        for row in filter(None, rows):
            last = row.strip(" |").split("|")[-1]
            if not any(self.is_test(name) for name in NAMED.findall(last)):
                self.fail(f"docs/threat-model.md: no test would break: {row}")
        if not rows:
            self.fail("docs/threat-model.md: promises nothing")


def main():
    checker = Checker(*(pathlib.Path(word).resolve() for word in sys.argv[1:3]))
    listed = checker.check_numbers()
    checker.check_filters()
    checker.check_model()
    for failure in checker.failures:
        print(f"FAILED: {failure}")
    print(f"{listed} numbers, {len(checker.failures)} failed")
    return 1 if checker.failures or not listed else 0


if __name__ == "__main__":
    sys.exit(main())
