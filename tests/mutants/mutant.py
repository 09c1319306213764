"""Seeded bugs: how their files are read, applied to a copy of the sources, and listed.

A file of tests/mutants/seeded has a head and one or more edits:

    bug: what is wrong
    why: how it breaks the promise
    room: of src, which all edits are in
    killed-by: names of ctest, or `compile` where the types already refuse it
    compiler-says: of `compile`, what an error of the compiler must name: any slip fails to compile
    file: src/room/file.cc
    --- old
    text
    --- new
    text
    --- end

The old text stands once in the file, whatever the white space between its words, so that a new
line break does not matter and a changed line does.
"""
import pathlib
import re
import subprocess

FOLDER = "tests/mutants/seeded"
PAGE = "docs/results/mutants.md"
COMPILE = "compile"
UNIT_TESTS = "dpsql_unit_tests"  # where a name that is no test of CMake's is found
ASKED_BY_SCRIPTS = ("dpsql_cli", "duckdb-load")  # targets: what scripts run of a build tree
HEAD_KEYS = ("bug", "why", "room", "killed-by")
COMPILER_SAYS = "compiler-says"  # a last key, of bugs that must not compile

PAGE_HEAD = """# Seeded bugs

Written by `tests/mutants/run.py` (`make mutants`), which puts each bug of `tests/mutants/seeded`
into a copy of the sources, builds it and runs the tests named here: every one of them fails, and
passes on the sources as they are. All are tests of `make test`. What a bug would break is said in
its file.

| # | room | bug | file | killed by |
|---|---|---|---|---|
"""


class Wrong(Exception):
    """A seeded bug that is not written as it should be, or no longer fits the sources."""


class Mutant:
    def __init__(self, path):
        self.name = path.stem
        self.head = {}
        self.edits = []  # (file, old, new)
        self._read(path.read_text())

    bug = property(lambda self: self.head["bug"])
    room = property(lambda self: self.head["room"])
    killers = property(lambda self: self.head["killed-by"].replace(",", " ").split())
    compiler_says = property(lambda self: self.head[COMPILER_SAYS])
    files = property(lambda self: sorted({file for file, _, _ in self.edits}))

    def _read(self, text):
        parts = re.split(r"^file: *(\S+)\n--- old\n(.*?)^--- new\n(.*?)^--- end\n", text,
                         flags=re.MULTILINE | re.DOTALL)
        for piece in re.findall(r"^([a-z-]+): *(.*(?:\n .*)*)", parts[0], re.MULTILINE):
            self.head[piece[0]] = " ".join(piece[1].split())
        killers = self.head.get("killed-by", "").replace(",", " ").split()
        keys = HEAD_KEYS + ((COMPILER_SAYS,) if COMPILE in killers else ())
        if tuple(self.head) != keys or not all(self.head.values()):
            raise Wrong(f"{self.name}: the head is {', '.join(keys)}, in this order")
        for i in range(1, len(parts), 4):
            self.edits.append(tuple(parts[i:i + 3]))
            if parts[i + 3].strip():
                raise Wrong(f"{self.name}: text behind an edit: {parts[i + 3].strip()}")
        if not self.edits or not self.killers:
            raise Wrong(f"{self.name}: there is an edit and a test that fails")
        for file in self.files:
            if not file.startswith(f"src/{self.room}/"):
                raise Wrong(f"{self.name}: {file} is not in the room {self.room}")

    def changed(self, root):
        """The files with the bug in them, by name."""
        texts = {file: (root / file).read_text() for file in self.files}
        for file, old, new in self.edits:
            pattern = r"\s+".join(re.escape(word) for word in old.split())
            found = list(re.finditer(pattern, texts[file]))
            if len(found) != 1:
                raise Wrong(f"{self.name}: the old text stands {len(found)} times in {file}")
            start, end = found[0].span()
            texts[file] = texts[file][:start] + new.strip() + texts[file][end:]
        return texts


def read_all(root):
    mutants = [Mutant(path) for path in sorted((root / FOLDER).glob("*.mutant"))]
    return sorted(mutants, key=lambda mutant: (mutant.room, mutant.name))


class Test:
    """A test of ctest: what it runs, and what must be built for it."""

    def __init__(self, name, command, properties, build):
        self.name = name
        self.command = command
        self.folder = properties.get("WORKING_DIRECTORY", str(build))
        self.labels = properties.get("LABELS", "").split(";")
        program = pathlib.Path(command[0])
        self.targets = {program.name} if build in program.parents else set()
        if not self.targets and str(build) in command:
            self.targets = set(ASKED_BY_SCRIPTS)

    def fails(self, timeout):
        try:
            done = subprocess.run(self.command, cwd=self.folder, timeout=timeout,
                                  stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        except subprocess.TimeoutExpired:
            return True
        return done.returncode != 0


def read_tests(build):
    """The tests of a build tree by name, as CMake wrote them down: programs need not be there yet.
    Those of gtest are asked of their program, where it is built."""
    text = (build / "tests/CTestTestfile.cmake").read_text()
    properties = {}
    for name, listed in re.findall(r"^set_tests_properties\(\[=\[(.*?)\]=\] PROPERTIES (.*)\)$", text,
                                   re.MULTILINE):
        properties[name] = dict(re.findall(r'(\w+) "([^"]*)"', listed))
    tests = {}
    for name, command in re.findall(r"^add_test\(\[=\[(.*?)\]=\] (.*)\)$", text, re.MULTILINE):
        words = re.findall(r'"([^"]*)"', command)
        tests[name] = Test(name, words, properties.get(name, {}), build)
    program = build / "tests" / UNIT_TESTS
    for name in list_unit_tests(program):
        tests[name] = Test(name, [str(program), f"--gtest_filter={name}"], {}, build)
    return tests


def list_unit_tests(program):
    if not program.exists():
        return
    listed = subprocess.run([program, "--gtest_list_tests"], check=True, capture_output=True,
                            text=True).stdout
    suite = ""
    for line in listed.splitlines():
        word = line.split("#")[0].rstrip()
        if word.startswith("  "):
            yield suite + word.strip()
        elif word.endswith("."):
            suite = word


def page(mutants):
    text = PAGE_HEAD
    for number, mutant in enumerate(mutants, 1):
        files = ", ".join(f"`{file}`" for file in mutant.files)
        killers = ", ".join(f"`{killer}`" for killer in mutant.killers)
        text += f"| {number} | {mutant.room} | {mutant.bug} | {files} | {killers} |\n"
    return text
