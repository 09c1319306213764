#!/usr/bin/env python3
"""The rules of this repository as a test. Prints `file:line: message`; exits 1 if it found any.

usage: tidy.py [--root DIR]
"""

import argparse
import os
import re
import subprocess
import sys
from pathlib import Path

from cpp_scanner import FunctionScanner, blank_literals
from rooms import check_cycles, check_includes
from type_names import check_type_names

MAX_COLUMNS = 100
MAX_FUNCTION_LINES = 70
MAX_NESTING = 3
MAX_PARAMETERS = 5
MAX_FILE_LINES = 500
MAX_FILE_BYTES = 1 << 20

_LOGGING = re.compile(
    r"std::(?:cout|cerr|clog|wcout|wcerr|print(?:ln)?)\b"
    r"|(?<![\w.>])(?:v?f?printf|f?puts|putchar|syslog|perror)\s*\("
)
# Spelt in pieces, so that this file obeys its own rule.
_UNFINISHED = re.compile(r"\b(?:TO" r"DO|FIX" r"ME|XX" r"X)\b")
_MACHINE_PATH = re.compile(r"(?<![\w.}>/*-])/(?:work|root|home/\w+)/")
_REGISTRY = re.compile(r"\w+://[\w.-]*(?:npm|pypi|python|debian|yarn|nodejs)")
_DOC_PATH = re.compile(
    r"`((?:src|include|apps|tests|docs|tools|bench|cmake)/[\w./*+-]*?)(?::\d+)?`"
)
_FENCE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)


def tracked_files(root):
    """The files that are tracked or about to be, relative to `root`."""
    if (root / ".git").exists():
        command = ["git", "-C", str(root), "ls-files", "-z", "--cached", "--others"]
        command.append("--exclude-standard")
        listed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        paths = {path for path in listed.split("\0") if path}
    else:
        paths = _walk(root)
    return sorted(path for path in paths if (root / path).is_file())


def _walk(root):
    for folder, folders, names in os.walk(root):
        folders[:] = [name for name in folders if name not in ("build", "__pycache__")]
        for name in names:
            yield str((Path(folder) / name).relative_to(root))


def check_text(path, text):
    """Rules for every text file."""
    for number, line in enumerate(text.splitlines(), 1):
        if _UNFINISHED.search(line):
            yield number, "unfinished work belongs into an issue, not into a comment"
        if _MACHINE_PATH.search(line):
            yield number, "a path of one machine"
        if _REGISTRY.search(line) or (path.startswith("tools/bootstrap/") and "://" in line):
            yield number, "an address of a package registry"


def check_length(path, text):
    lines = text.count("\n")
    if path.endswith((".h", ".cc", ".py", ".sh")) and lines > MAX_FILE_LINES:
        yield lines, f"a file has at most {MAX_FILE_LINES} lines, not {lines}"


def check_cpp(path, text):
    """Rules for .h and .cc files, without those about includes."""
    for number, line in enumerate(text.splitlines(), 1):
        if len(line) > MAX_COLUMNS:
            yield number, f"a line has at most {MAX_COLUMNS} columns, not {len(line)}"
    if path.endswith(".h") and not re.search(r"^#pragma once$", text, re.MULTILINE):
        yield 1, "a header has #pragma once"
    silent = path.startswith("src/") and not path.startswith("src/engine/")
    for number, line in enumerate(blank_literals(text).splitlines(), 1):
        if re.search(r"\busing\s+namespace\b", line):
            yield number, "no using namespace"
        if silent and _LOGGING.search(line):
            yield number, "logging lives in src/engine and apps/ only"
    yield from _check_functions(text)


def _check_functions(text):
    for function in FunctionScanner(text).functions:
        limits = (
            (function.lines, MAX_FUNCTION_LINES, "lines"),
            (function.nesting, MAX_NESTING, "nested blocks"),
            (function.parameters, MAX_PARAMETERS, "parameters"),
        )
        for value, limit, what in limits:
            if value > limit:
                message = f"{function.name} has {value} {what}, at most {limit}"
                yield function.first_line, message


def check_doc_paths(root, text):
    """Paths named in prose exist; fenced blocks may speak of files that are yet to come."""
    prose = _FENCE.sub(lambda m: re.sub(r"[^\n]", " ", m[0]), text)
    for match in _DOC_PATH.finditer(prose):
        path = match[1]
        exists = any(root.glob(path)) if "*" in path else (root / path).exists()
        if not exists:
            yield prose.count("\n", 0, match.start()) + 1, f"no such path: {path}"


def findings(root):
    """Yields (path, line, message) for every broken rule under `root`."""
    paths = tracked_files(root)
    known, cpp = set(paths), {}
    for path in paths:
        size = (root / path).stat().st_size
        if size > MAX_FILE_BYTES:
            yield path, 1, f"a file has at most {MAX_FILE_BYTES} bytes, not {size}"
            continue
        if size == 0 and not path.startswith("tests/databases/"):
            yield path, 1, "an empty file"
        try:
            text = (root / path).read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue
        rules = [check_text(path, text), check_length(path, text)]
        if path.endswith((".h", ".cc")):
            cpp[path] = text
            rules += [check_cpp(path, text), check_includes(path, text, known)]
        if path.endswith(".md"):
            rules.append(check_doc_paths(root, text))
        for rule in rules:
            yield from ((path, line, message) for line, message in rule)
    yield from check_cycles(cpp)
    yield from check_type_names(cpp)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--root", type=Path, default=Path(__file__).resolve().parents[2])
    found = sorted(set(findings(parser.parse_args().root)))
    for path, line, message in found:
        print(f"{path}:{line}: {message}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
