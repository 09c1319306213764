#!/usr/bin/env python3
"""Writes what the program knows of itself into docs/reference.

Usage: reference.py SOURCE BUILD [--update]. Without --update it fails where a page is stale.

- Between `<!-- table NAME -->` and `<!-- end -->` stands what `build/tools/reference NAME` prints.
- Between `<!-- skips ENGINE -->` and `<!-- end -->` stands what tests/conformance/ENGINE.skip lists, by
  reason.
- A block marked `console shell` is run in a copy of the demo shop, by bash; its output is compared
  to the letter.
- docs/reference/errors.md has a section for each code of the table, with what it means, a terminal
  that ends with this error and its exit code, and the fix.
"""
import concurrent.futures
import pathlib
import re
import subprocess
import sys

from transcript import Shop

TABLE = re.compile(r"^<!-- table (\w+) -->\n.*?^<!-- end -->$", re.M | re.S)
SKIPS = re.compile(r"^<!-- skips (\w+) -->\n.*?^<!-- end -->$", re.M | re.S)
TERMINAL = re.compile(r"^```console shell\n(.*?)^```$", re.M | re.S)
SECTION = re.compile(r"^### ([A-Z]\d{3})\n\n(.*?\n\n)(.*?)(?=^##|\Z)", re.M | re.S)


class Reference:
    def __init__(self, source, build, update):
        self.source, self.build, self.update = source, build, update
        self.failures, self.checked = [], 0
        self.exit_codes = {}

    def table(self, name):
        done = subprocess.run([self.build / "tools/reference", name], capture_output=True,
                              text=True, check=True)
        return done.stdout

    def skips(self, engine):
        """The reasons of an engine's list, each with its number of cases and how the first begins."""
        reasons = {}
        for line in (self.source / f"tests/conformance/{engine}.skip").read_text().splitlines():
            if line and not line.startswith("#"):
                _, case, reason = line.split(" | ")
                reasons.setdefault(reason, []).append(case.replace("|", "\\|"))
        rows = [f"| {reason} | {len(cases)} | `{cases[0]} …` |\n"
                for reason, cases in sorted(reasons.items(), key=lambda entry: -len(entry[1]))]
        return "| why | questions | such as |\n|---|---|---|\n" + "".join(rows)

    def fail(self, message):
        self.failures.append(message)

    def write(self, path, fresh):
        """The page as it should be; where it is not, that is a failure, or written."""
        self.checked += 1
        stored = path.read_text()
        if self.update:
            path.write_text(fresh)
        elif fresh != stored:
            lines = zip(stored.splitlines() + [""], fresh.splitlines() + [""])
            old, new = next((pair for pair in lines if pair[0] != pair[1]), ("", ""))
            self.fail(f"{path.name} is stale; run  make reference\n- {old}\n+ {new}")

    def page(self, path, shop):
        text = TABLE.sub(lambda match: f"<!-- table {match[1]} -->\n{self.table(match[1])}"
                         "<!-- end -->", path.read_text())
        text = SKIPS.sub(lambda match: f"<!-- skips {match[1]} -->\n{self.skips(match[1])}"
                         "<!-- end -->", text)
        if path.name == "errors.md":
            text = self.meanings(text)
        bodies = [match[1] for match in TERMINAL.finditer(text)]
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            results = dict(zip(bodies, pool.map(shop.run, bodies)))
        if path.name == "errors.md":
            self.examples(text, results)
        self.checked += len(bodies)
        text = TERMINAL.sub(lambda match: f"```console shell\n{results[match[1]][0]}```", text)
        self.write(path, text)

    def meanings(self, text):
        """Each section's first paragraph, from the table."""
        codes = {}
        for line in self.table("errors").splitlines()[2:]:
            code, meaning, sqlstate, exit_code = (cell.strip() for cell in
                                                  line.strip("|").split(" | "))
            code = re.search(r"[A-Z]\d{3}", code)[0]
            codes[code] = (f"{meaning[0].upper()}{meaning[1:]}. SQLSTATE {sqlstate}, exit code "
                           f"{exit_code}.")
            self.exit_codes[code] = int(exit_code)
        sections = re.findall(r"^### ([A-Z]\d{3})$", text, re.M)
        if sections != list(codes):
            self.fail("errors.md: sections and codes differ: "
                      f"missing {sorted(set(codes) - set(sections))}, "
                      f"unknown {sorted(set(sections) - set(codes))}, or out of order")
        return re.sub(r"^### ([A-Z]\d{3})\n\n.*?\n\n",
                      lambda match: f"### {match[1]}\n\n{codes.get(match[1], '')}\n\n", text,
                      flags=re.M | re.S)

    def examples(self, text, results):
        """Each section shows its own error, as it really comes out, and what to do."""
        for match in SECTION.finditer(text):
            code, body = match[1], match[3]
            ends = [results[terminal[1]] for terminal in TERMINAL.finditer(body)]
            if not ends:
                self.fail(f"errors.md: {code} has no example")
                continue
            shown, exit_code = ends[-1]
            if f"ERROR {code}:" not in shown or exit_code != self.exit_codes[code]:
                self.fail(f"errors.md: the example of {code} ends with exit code {exit_code}:\n"
                          f"{shown}")
            if not re.search(r"^\*\*Fix\.\*\* \S", body, re.M):
                self.fail(f"errors.md: {code} has no fix")


def main():
    source, build = (pathlib.Path(word).resolve() for word in sys.argv[1:3])
    reference = Reference(source, build, "--update" in sys.argv)
    shop = Shop(source, build)
    try:
        for page in sorted(source.glob("docs/reference/*.md")):
            reference.page(page, shop)
    finally:
        shop.close()
    for failure in reference.failures:
        print(f"FAILED: {failure}")
    print(f"{reference.checked} checked, {len(reference.failures)} failed")
    return 1 if reference.failures else 0


if __name__ == "__main__":
    sys.exit(main())
