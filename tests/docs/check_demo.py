#!/usr/bin/env python3
"""Keeps docs/demo.txt true. Usage: check_demo.py SOURCE BUILD [--update]

Runs `dpsql demo --yes` and compares what it prints with the page, numbers and the padding that
depends on them aside: they are noisy. --update writes the page.
"""
import difflib
import pathlib
import subprocess
import sys

from check_docs import masked

TITLE = """\
What `dpsql demo --yes` prints. Written by `make demo-page` and compared by a test, numbers aside:
they have new noise in every run.
"""


def main():
    source, build = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
    done = subprocess.run([build / "dpsql", "demo", "--yes"], capture_output=True, text=True,
                          timeout=100, check=False)
    if done.returncode != 0 or done.stderr:
        sys.exit(f"dpsql demo ended with {done.returncode}: {done.stderr}")
    page = source / "docs/demo.txt"
    text = TITLE + done.stdout
    if "--update" in sys.argv:
        page.write_text(text)
        return
    old, new = masked(page.read_text()).splitlines(), masked(text).splitlines()
    difference = "\n".join(difflib.unified_diff(old, new, "docs/demo.txt", "dpsql demo", lineterm=""))
    if difference:
        sys.exit(difference)
    print(f"{len(new)} lines of the demo as the page has them")


main()
