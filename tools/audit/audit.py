#!/usr/bin/env python3
"""Runs the long attacks and prints one table of what they did. Usage:

  audit.py SOURCE BUILD JOBS [PART…]
  audit.py SOURCE

Parts: neighbours statistics answers mutants fuzz sanitize coverage spark. `all` are all of them; where
none is named, all but spark, which needs a server. What each found is kept in
docs/results/audit.json, so that the table also tells of parts that ran before, and
docs/results/audit.md is the table. Ends with 1 where a part failed, has not been run, or what it
builds and runs has changed since. With SOURCE alone: whether the page is what was kept.

A program of a part says what it did in lines of its own:  #audit {"kind": …}
"""
import datetime
import hashlib
import json
import pathlib
import subprocess
import sys
import time
import xml.etree.ElementTree

MARK = "#audit "


def said(output):
    """What a program said of itself."""
    lines = (line.strip() for line in output.splitlines())
    return [json.loads(line[len(MARK):]) for line in lines if line.startswith(MARK)]


def run(command, source):
    """Runs it, shows its output as it comes. Returns whether it succeeded, and what it said."""
    output = []
    with subprocess.Popen(command, cwd=source, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, errors="replace") as program:
        for line in program.stdout:
            output.append(line)
            if not line.startswith(MARK):
                print(line, end="", flush=True)
    return program.returncode == 0, said("".join(output))


def run_tests(source, build, jobs, selection):
    """Those of the tests labelled audit. ctest's own report has their output."""
    report = build / "audit.xml"
    ok, _ = run(["ctest", "--test-dir", build, "-L", "audit", *selection, "-j", jobs,
                 "--timeout", "3600", "--output-on-failure", "--output-junit", report,
                 "--test-output-size-passed", "1000000"], source)
    cases = list(xml.etree.ElementTree.parse(report).getroot().iter("testcase"))

    def named(mark):
        return [case.get("name") for case in cases if case.find(mark) is not None]

    rows = [{**row, "seconds": float(case.get("time"))}
            for case in cases for row in said(case.findtext("system-out") or "")]
    skipped = named("skipped")
    rows.append({"kind": "tests", "name": "long tests", "run": len(cases) - len(skipped),
                 "failed": named("failure"), "skipped": skipped})
    return ok and bool(cases), rows


def tests(*selection):
    return lambda source, build, jobs: run_tests(source, build, jobs, selection)


ENGINES = ("sqlite", "postgresql", "spark")


def run_on_all(source, build, jobs):
    """Those on a Spark server. One that is left out, or has no other engine beside it, is no proof."""
    ok, rows = run_tests(source, build, jobs, ["-R", SPARK])
    skipped = [name for row in rows if row["kind"] == "tests" for name in row["skipped"]]
    asked = {row["name"] for row in rows if row["kind"] == "engines"}
    missing = [name for name in ENGINES if f"{name}, random questions" not in asked]
    if missing:
        print(f"not asked: {', '.join(missing)}", flush=True)
    return ok and not skipped and not missing, rows


def made(target, *settings):
    return lambda source, build, jobs: run(
        ["make", "--no-print-directory", target, f"BUILD={build}", f"JOBS={jobs}", *settings],
        source)


NEIGHBOURS = "^audit/(neighbours|layout)"
STATISTICS = "^audit/(statistical|noise_law|coverage|properties)"
SPARK = "_spark$"
PARTS = {
    "neighbours": tests("-R", NEIGHBOURS, "-E", SPARK),
    "statistics": tests("-R", STATISTICS),
    "answers": tests("-E", f"{NEIGHBOURS}|{STATISTICS}|{SPARK}"),
    "mutants": made("mutants"),
    "fuzz": made("fuzz", "FUZZ_SECONDS=600"),
    "sanitize": made("sanitize"),
    "coverage": made("coverage"),
    "spark": run_on_all,
}
EVERYWHERE = [part for part in PARTS if part != "spark"]


# What the parts build and run, so that hours of work stand where only a page, a benchmark or a test
# of something else has changed. Databases that a part does not ask are none of its inputs.
LIBRARY = ("CMakeLists.txt", "cmake", "include", "src")
PRODUCT = (*LIBRARY, "apps")
SUPPORT = (*LIBRARY, ":!src/*_test.cc", "tests/support")
NOT_SPARK = tuple(f":!src/{path}" for path in (
    "backend/adbc*", "backend/arrow*", "backend/line_watch*", "backend/server_line*",
    "backend/spark*", "sql/dialect_spark.cc", "sql/regex_java.cc"))
DUCKDB_ALONE = (*NOT_SPARK, *(f":!src/{path}" for path in (
    "backend/postgresql*", "backend/sqlite*", "sql/dialect_postgresql.cc", "sql/dialect_sqlite.cc",
    "sql/regex_postgresql.cc")))
ALL = (*PRODUCT, "examples", "tests", ":!tests/docs", "tools/bootstrap", "tools/demo")
LISTED = ("tests/CMakeLists.txt", "tests/databases")
INPUTS = {
    "neighbours": (*SUPPORT, *NOT_SPARK, *LISTED, "tests/neighbours", "tests/layout", "tests/fuzz",
                   "tests/random"),
    "statistics": (*SUPPORT, *DUCKDB_ALONE, *LISTED, "tests/audit", "tests/statistical",
                   "tests/coverage", "tests/properties"),
    "answers": (*SUPPORT, "apps", *NOT_SPARK, *LISTED, "tests/audit", "tests/channels", "tests/conformance",
                "tests/ledger", "tests/random"),
    "mutants": ALL,
    "fuzz": (*SUPPORT, *LISTED, "tests/fuzz"),
    "sanitize": (*ALL, ":!tests/mutants"),
    "coverage": (*ALL, ":!tests/mutants"),
    "spark": (*SUPPORT, *LISTED, "tests/conformance", "tests/engines", "tests/neighbours",
              "tests/random"),
}


def git(source, *words):
    return subprocess.run(["git", *words], cwd=source, capture_output=True, text=True,
                          check=False).stdout.strip()


def commit(source):
    return git(source, "rev-parse", "--short", "HEAD")


def state(part, source):
    """Names what a part builds and runs, as it is now, committed or not."""
    paths = INPUTS[part]
    seen = git(source, "ls-files", "--stage", "--", *paths)
    seen += git(source, "diff", "--", *paths)
    seen += git(source, "ls-files", "--others", "--exclude-standard", "--", *paths)
    return hashlib.sha256(seen.encode()).hexdigest()[:12]


def records(source):
    return source / "docs/results/audit.json"


def read_records(source):
    path = records(source)
    return json.loads(path.read_text()) if path.exists() else {}


def run_part(part, source, build, jobs):
    print(f"== {part}", flush=True)
    begun, begun_with = time.monotonic(), state(part, source)
    ok, rows = PARTS[part](source, build, jobs)
    found = {"commit": commit(source), "state": begun_with, "ok": ok, "rows": rows,
             "minutes": round((time.monotonic() - begun) / 60, 1),
             "day": datetime.date.today().isoformat()}
    kept = {**read_records(source), part: found}
    records(source).write_text(json.dumps(kept, indent=1) + "\n")
    (source / "docs/results/audit.md").write_text(page(kept))  # the next part may compare the two


def thousands(number):
    return f"{number:,}"


def listed(names):
    return ": " + ", ".join(names) if names else ""


# Of each kind of line: what was done, and what came of it.
TELL = {
    "neighbours": lambda row: (
        f"neighbours, {row['name']}",
        f"{thousands(row['cases'])} cases, {row['violations']} violations in {row['seconds']:.0f} s"),
    "mutants": lambda row: (
        "mutants", f"{row['killed']} of {row['seeded']} killed in {row['seconds']} s"),
    "fuzz": lambda row: (
        f"fuzzing, {row['name']}",
        f"{thousands(row['executions'])} executions in {row['cpu_seconds']:.0f} CPU s, "
        f"{row['findings']} findings"),
    "statistical": lambda row: (
        row["name"], f"{row['result']}; false alarm {row['false_alarm']:.0e}; {row['power']}"),
    "coverage": lambda row: (
        f"lines covered, {row['room']}",
        f"{100 * row['covered'] / row['lines']:.1f} % of {thousands(row['lines'])}"),
    "sanitizer": lambda row: (
        f"sanitizers, {row['name']}",
        f"{thousands(row['tests'])} tests, {row['findings']} findings"),
    "channels": lambda row: (
        f"channels, {row['name']}",
        f"{thousands(row['questions'])} questions, {row['differences']} differences"),
    "engines": lambda row: (
        f"engines, {row['name']}",
        f"{thousands(row['questions'])} as on DuckDB, {row['differences']} differences, "
        f"{thousands(row['refused'])} refused"),
    "timing": lambda row: (
        f"channels, {row['name']}", f"{thousands(row['questions'])} questions; {row['note']}"),
    "tests": lambda row: (
        row["name"], f"{row['run']} run, {len(row['failed'])} failed"
        + listed(row["failed"]) + f", {len(row['skipped'])} skipped" + listed(row["skipped"])),
}


def table(kept, note):
    """The rows of the table; note(part) is told behind how a part ended."""
    rows = []
    for part in PARTS:
        if part not in kept:
            rows.append((part, "", "not run"))
            continue
        found = kept[part]
        words = "passed" if found["ok"] else "FAILED"
        rows.append((part, "", f"{words} in {found['minutes']} min, {found['day']}{note(part)}"))
        rows += [("", *TELL[row["kind"]](row)) for row in found["rows"]]
    return rows


def show(rows):
    widths = [max(len(row[column]) for row in rows) for column in (0, 1)]
    for row in rows:
        print(f"{row[0]:<{widths[0]}}  {row[1]:<{widths[1]}}  {row[2]}".rstrip())


PAGE = """# What the long attacks did

Written by `make audit` from `docs/results/audit.json`. Each part names the commit that it attacked; `make audit`
says where what it builds and runs has changed since.

| part | attack | what came of it |
|---|---|---|
"""


def page(kept):
    rows = table(kept, lambda part: f", commit {kept[part]['commit']}")
    return PAGE + "".join(f"| {' | '.join(row)} |\n" for row in rows)


def check_page(source):
    if (source / "docs/results/audit.md").read_text() != page(read_records(source)):
        sys.exit("docs/results/audit.md is not what audit.json says; make audit writes it")


def main():
    source = pathlib.Path(sys.argv[1]).resolve()
    if len(sys.argv) == 2:
        return check_page(source)
    build, jobs = pathlib.Path(sys.argv[2]).resolve(), sys.argv[3]
    parts = sys.argv[4:] or EVERYWHERE
    if parts == ["all"]:
        parts = list(PARTS)
    unknown = [part for part in parts if part not in PARTS]
    if unknown:
        sys.exit(f"audit.py: no part {unknown[0]}; parts: {' '.join(PARTS)}")
    for part in parts:
        run_part(part, source, build, jobs)
    kept = read_records(source)
    old = {part for part in kept if kept[part]["state"] != state(part, source)}
    print()
    show(table(kept, lambda part: f", OLD, of {kept[part]['commit']}" if part in old else ""))
    passed = all(part in kept and kept[part]["ok"] and part not in old
                 for part in {*EVERYWHERE, *parts})
    return 0 if passed else 1


if __name__ == "__main__":
    sys.exit(main())
