#!/usr/bin/env python3
"""Keeps man page and completions with what the program's --help says.

Usage: commands.py SOURCE BUILD [--update]. With --update the completions are written anew.

- completions/ holds what tools/docs/completions.py writes, and bash really completes with it.
- docs/man/dpsql.1 has a heading for each command and an item for each of its options.
"""
import pathlib
import re
import shutil
import subprocess
import sys

import completions
from help_text import read_program

FILES = {"dpsql.bash": completions.bash, "_dpsql": completions.zsh, "dpsql.fish": completions.fish}


def check_files(source, root, update):
    for name, write in FILES.items():
        path, fresh = source / "completions" / name, write(root)
        if update:
            path.parent.mkdir(exist_ok=True)
            path.write_text(fresh)
        elif not path.exists() or path.read_text() != fresh:
            yield f"completions/{name} is stale; run  make reference"


def complete(script, words):
    """What bash offers for the last of the words."""
    program = (f"source {script}; COMP_WORDS=({' '.join(map(repr, words))}); "
               f"COMP_CWORD={len(words) - 1}; _dpsql; printf '%s\\n' \"${{COMPREPLY[@]}}\"")
    done = subprocess.run(["bash", "-c", program], capture_output=True, text=True, check=False,
                          cwd="/", timeout=30)
    return set(done.stdout.split()), done.stderr


def check_bash(source, root):
    script = source / "completions/dpsql.bash"
    cases = [(["dpsql", ""], {command.words[-1] for command in root.subcommands})]
    for command in [root, *root.subcommands]:
        options = root.options if command is root else command.all_options()
        cases.append(([*command.words, "-"], {name for option in options for name in option.names}))
        if command is not root and command.subcommands:
            cases.append(([*command.words, ""], {sub.words[-1] for sub in command.subcommands}))
        for option in options:
            if option.choices:
                cases.append(([*command.words, option.names[-1], ""], set(option.choices)))
            elif completions.takes_path(option):
                cases.append(([*command.words, option.names[-1], "et"], {"etc"}))
    for words, expected in cases:
        offered, errors = complete(script, words)
        if errors or not expected <= offered:
            yield f"bash completes {words} with {sorted(offered)}, not {sorted(expected)} {errors}"


def check_syntax(source):
    for shell, name in (("zsh", "_dpsql"), ("fish", "dpsql.fish"), ("bash", "dpsql.bash")):
        if shutil.which(shell) is None:
            print(f"{shell} is not here; its completion was not read by it")
            continue
        done = subprocess.run([shell, "-n", source / "completions" / name], capture_output=True,
                              text=True, check=False)
        if done.returncode != 0 or done.stderr:
            yield f"completions/{name}: {done.stderr}"


def check_man(source, root):
    page = (source / "docs/man/dpsql.1").read_text()
    parts = re.split(r'^\.Ss (.*)$', page, flags=re.M)
    sections = {title.strip('"'): body for title, body in zip(parts[1::2], parts[2::2])}
    for command in [root, *root.subcommands]:
        title = " ".join(command.words)
        for option in root.options if command is root else command.all_options():
            name = option.names[-1]
            if name == "--help" and f".Fl -help" in page:
                continue
            if not re.search(rf"^\.It .*Fl {re.escape(name[1:])}\b", sections.get(title, ""), re.M):
                yield f"docs/man/dpsql.1 says nothing of  {title} {name}"
        for sub in command.subcommands if command is not root else []:
            if not re.search(rf"^\.It Cm {sub.words[-1]}\b", sections.get(title, ""), re.M):
                yield f"docs/man/dpsql.1 says nothing of  {' '.join(sub.words)}"
    if shutil.which("groff") is not None:
        done = subprocess.run(["groff", "-mdoc", "-ww", "-Tutf8", source / "docs/man/dpsql.1"],
                              capture_output=True, text=True, check=False)
        if done.stderr:
            yield f"groff says of docs/man/dpsql.1: {done.stderr}"


def main():
    source, build = (pathlib.Path(word).resolve() for word in sys.argv[1:3])
    root = read_program(source, build / "dpsql")
    failures = list(check_files(source, root, "--update" in sys.argv))
    if not root.subcommands or not root.options:
        failures.append("no commands were found in the program's help")
    failures += [*check_bash(source, root), *check_syntax(source), *check_man(source, root)]
    for failure in failures:
        print(f"FAILED: {failure}")
    print(f"{len(root.subcommands)} commands, {len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
