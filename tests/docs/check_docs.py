#!/usr/bin/env python3
"""Keeps the documentation true. Usage: check_docs.py SOURCE BUILD [--update]

- In docs/00-tour.md, a block marked `text room=NAME` is what that room prints when
  tests/docs/walk.cc walks the tour's query (the block marked `sql walk`).
- A block marked `cpp corridor=NAME` is that function of src/engine/corridor.cc, word for word.
- In every page, a block marked `console` is a terminal: each `$ dpsql …` or `$ build/dpsql …` line,
  with the lines behind `>` that go on with it, is run in a folder that holds the demo shop and
  people.csv, and its output is compared with what stands below, numbers aside (they are noisy).
  A page has a folder, and thus a budget, of its own.
- A block marked `sql` is accepted by the demo shop's policy.
- A block marked `cpp compile` compiles against the rooms, one marked `cpp compile tests` against the tests too.
"""
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

FENCE = re.compile(r"^```(\w+)([^\n]*)\n(.*?)^```$", re.M | re.S)
NUMBER = re.compile(r"-?\d[\d,]*(\.\d+)?(e[+-]?\d+)?")


def run(arguments, folder):
    done = subprocess.run(arguments, cwd=folder, capture_output=True, text=True, timeout=60)
    return done.stdout + done.stderr, done.returncode


def people():
    """The CSV file of the README: a thousand invented people, six of them in a city of their own."""
    cities = ["Kyoto", "Nara", "Osaka", "Kyoto", "Osaka", "Nara", "Osaka", "Kyoto", "Nara", "Osaka"]
    lines = ["person_id,city,age,income"]
    for i in range(1, 1001):
        city = "Otsu" if i <= 6 else cities[i * 7919 % 10]
        lines.append(f"{i},{city},{18 + i * 6271 % 62},{1800 + i * 48271 % 4200}")
    return "\n".join(lines) + "\n"


def masked(text):
    """The text without its numbers and without the padding that depends on their length."""
    text = NUMBER.sub("#", text)
    text = re.sub(r"[ ─]+", " ", text)
    return "\n".join(line.strip() for line in text.strip().splitlines())


class Checker:
    def __init__(self, source, build, update):
        self.source, self.build, self.update = source, build, update
        self.failures, self.checked = [], 0
        self.folders = pathlib.Path(tempfile.mkdtemp())
        self.folder = self.folders / "fresh"
        self.folder.mkdir()
        run([build / "tools/duckdb-load", "shop.duckdb", source / "tools/demo/shop.sql"],
            self.folder)
        shutil.copy(source / "tools/demo/shop.toml", self.folder)
        (self.folder / "people.csv").write_text(people())

    def compare(self, where, expected, actual):
        self.checked += 1
        if expected != actual:
            self.failures.append(f"{where}\n--- documented\n{expected}\n--- actual\n{actual}")

    def corridor(self, name):
        text = (self.source / "src/engine/corridor.cc").read_text()
        return re.search(rf"^Result<Answer> {name}\(.*?^\}}\n", text, re.M | re.S).group()

    def rooms(self, sql):
        program = self.build / "tests/walk"
        output, code = run([program, "shop.duckdb", "shop.toml", sql.strip()], self.folder)
        if code != 0:
            self.failures.append(f"walk failed: {output}")
        output = output.replace("ORACLE: NOT PRIVATE\n", "")
        parts = re.split(r"^== (\w+)\n", output, flags=re.M)[1:]
        return dict(zip(parts[::2], parts[1::2]))

    def console(self, where, body):
        """Each command with the output below it."""
        for match in re.finditer(r"^\$ (.*(?:\n> .*)*)\n((?:(?!\$ ).*\n)*)", body, re.M):
            command, expected = match[1].replace("\n> ", "\n"), match[2]
            words = shlex.split(command)
            if words[0] not in ("dpsql", "build/dpsql"):
                continue
            actual, _ = run([self.build / "dpsql", *words[1:]], self.folder)
            self.compare(f"{where}: {command}", masked(expected), masked(actual))

    def accepted(self, where, sql):
        output, code = run([self.build / "dpsql", "shop.duckdb", "--policy", "shop.toml",
                            "--dry-run", "-c", sql], self.folder)
        self.checked += 1
        if code != 0:
            self.failures.append(f"{where}: refused\n{sql}\n{output}")

    def compiles(self, where, code, *folders):
        source = self.folder / "example.cc"
        source.write_text(code)
        output, exit_code = run(["c++", "-std=c++20", "-fsyntax-only", "-Wall", "-Wextra",
                                 *(f"-I{self.source}/{name}" for name in ("src", "include", *folders)),
                                 source], self.folder)
        self.checked += 1
        if exit_code != 0:
            self.failures.append(f"{where}: does not compile\n{output}")

    def page(self, path):
        text = path.read_text()
        self.folder = self.folders / re.sub(r"\W", "_", str(path.relative_to(self.source)))
        shutil.copytree(self.folders / "fresh", self.folder)
        walk = re.search(r"^```sql walk\n(.*?)^```$", text, re.M | re.S)
        rooms = self.rooms(walk.group(1)) if walk else {}

        def block(match):
            language, info, body = match.group(1), match.group(2).strip(), match.group(3)
            fresh = body
            if language == "cpp" and info.startswith("corridor="):
                fresh = self.corridor(info.removeprefix("corridor="))
            elif language == "text" and info.startswith("room="):
                fresh = rooms.get(info.removeprefix("room="), "no such room\n")
            elif language == "cpp" and info.startswith("compile"):
                self.compiles(path.name, body, *info.split()[1:])
            elif language == "console" and info != "shell":  # those are tools/docs/reference.py's
                self.console(path.name, body)
            elif language == "sql":
                self.accepted(path.name, body)
            if fresh is not body:
                if not self.update:
                    self.compare(f"{path.name}: {language} {info}", body, fresh)
                return f"```{language} {info}\n{fresh}```"
            return match.group()

        fresh_text = FENCE.sub(block, text)
        if self.update:
            path.write_text(fresh_text)


def main():
    source, build = (pathlib.Path(word).resolve() for word in sys.argv[1:3])
    checker = Checker(source, build, "--update" in sys.argv)
    pages = [source / "README.md", source / "CONTRIBUTING.md", *sorted(source.glob("docs/**/*.md"))]
    for page in pages:
        checker.page(page)
    shutil.rmtree(checker.folders)
    for failure in checker.failures:
        print(f"FAILED: {failure}")
    print(f"{checker.checked - len(checker.failures)} passed, {len(checker.failures)} failed")
    return 1 if checker.failures or not checker.checked else 0


if __name__ == "__main__":
    sys.exit(main())
