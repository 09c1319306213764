#!/usr/bin/env python3
"""Runs clang-tidy over src/ and apps/ and remembers which files were clean.

A file is looked at again when it, a header of ours it includes, its compile command, .clang-tidy or
clang-tidy itself has changed.

usage: clang_tidy.py --build DIR [--jobs N]
"""

import argparse
import hashlib
import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from rooms import includes

ROOT = Path(__file__).resolve().parents[2]


def our_headers(source, seen):
    """Adds to `seen` every file of this repository that `source` includes, directly or not."""
    for _, _, target in includes(source.read_text(encoding="utf-8")):
        for folder in (ROOT / "src", ROOT / "include", source.parent):
            header = (folder / target).resolve()
            if header.is_file() and header not in seen:
                seen.add(header)
                our_headers(header, seen)
    return seen


def key_of(entry, tool):
    digest = hashlib.sha256(tool)
    digest.update(entry.get("command", "").encode())
    source = Path(entry["file"])
    for path in [ROOT / ".clang-tidy", source, *sorted(our_headers(source, set()))]:
        digest.update(b"\0" + str(path).encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


def selected(entries):
    """One entry for each source of src/ and apps/ that is no test."""
    chosen = {}
    for entry in entries:
        path = Path(entry["file"]).resolve()
        inside = any(path.is_relative_to(ROOT / top) for top in ("src", "apps"))
        if inside and path.is_file() and not path.name.endswith("_test.cc"):
            chosen.setdefault(path, entry)
    return [chosen[path] for path in sorted(chosen)]


def examine(entry, build, tool):
    """What clang-tidy says about one file, or an empty text."""
    stamp = build / "clang-tidy" / key_of(entry, tool)
    if stamp.exists():
        return ""
    command = ["clang-tidy", "--quiet", "-p", str(build), entry["file"]]
    run = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
    if run.returncode == 0:
        stamp.touch()
        return ""
    return run.stdout or run.stderr


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("--jobs", type=int, default=2)
    arguments = parser.parse_args()
    build = arguments.build.resolve()
    (build / "clang-tidy").mkdir(exist_ok=True)
    entries = selected(json.loads((build / "compile_commands.json").read_text(encoding="utf-8")))
    version = subprocess.run(["clang-tidy", "--version"], stdout=subprocess.PIPE, check=True)
    failed = False
    with ThreadPoolExecutor(arguments.jobs) as pool:
        for report in pool.map(lambda e: examine(e, build, version.stdout), entries):
            if report:
                failed = True
                print(report, flush=True)
    print(f"clang-tidy: {len(entries)} files, {'failed' if failed else 'clean'}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
