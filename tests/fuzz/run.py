#!/usr/bin/env python3
"""Runs fuzz targets under libFuzzer, each until it has used its CPU time.

usage: run.py BUILD SECONDS [--jobs N] [TARGET…]

What libFuzzer learns stays in BUILD/corpus, so that the next run goes on from there; an input with
a finding is written to BUILD/findings. Prints a line for each target and one for `make audit`; exits
with 1 where anything was found.
"""

import argparse
import json
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
CORPUS = HERE / "corpus"

# A limit of some seconds is far above what any input takes. Bytes that are no UTF-8 end at the
# first check of a text; `make test` has some, with libFuzzer they would be most.
TARGETS = {
    "text": ("parser adapter", ["-max_len=4000", "-only_ascii=1", f"-dict={HERE / 'sql.dict'}"]),
    "queries": ("binder and planner", ["-max_len=1500"]),
    "policy": ("policy file", ["-max_len=3000", "-only_ascii=1", f"-dict={HERE / 'policy.dict'}"]),
    "ledger": ("ledger file", ["-max_len=300"]),
    "accountant": ("accountant state", ["-max_len=400"]),
    "released": ("released-table SQL", ["-max_len=1500", f"-dict={HERE / 'sql.dict'}"]),
}
SEEDS = {
    "text": sorted(CORPUS.glob("*.sql")),
    "queries": [],
    "policy": [CORPUS / "policy.toml"],
    "ledger": [CORPUS / "ledger.hex"],
    "accountant": [CORPUS / "accountant.hex"],
    "released": sorted((CORPUS / "released").glob("*.sql")),
}
COMMON = ["-timeout=20", "-rss_limit_mb=3000", "-print_final_stats=1", "-verbosity=1"]


def entries(path):
    """The inputs in a file of the corpus: its lines as bytes, or what stands between empty lines."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".hex":
        return [bytes.fromhex(line) for line in text.split()]
    return [entry.strip("\n").encode() + b"\n" for entry in re.split(r"\n\n+", text) if entry]


def write_seeds(target, folder):
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.iterdir():
        old.unlink()
    inputs = [entry for path in SEEDS[target] for entry in entries(path)]
    for number, entry in enumerate(inputs):
        (folder / f"{number:05}").write_bytes(entry)


def run_once(command, log):
    """Exit code and CPU seconds of a program."""
    with log.open("w") as output:
        process = subprocess.Popen(command, stdout=output, stderr=subprocess.STDOUT)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    return process.returncode, usage.ru_utime + usage.ru_stime


def run_target(target, build, seconds):
    """Runs until `seconds` of CPU time are used: on a busy machine that takes longer."""
    seeds, corpus = build / "seeds" / target, build / "corpus" / target
    findings = build / "findings"
    write_seeds(target, seeds)
    for folder in (corpus, findings):
        folder.mkdir(parents=True, exist_ok=True)
    used, executions, log = 0.0, 0, build / f"fuzz_{target}.log"
    while used < seconds:
        wall = max(int(seconds - used), 1)
        program = [str(build / "tests" / f"fuzz_{target}"), f"-max_total_time={wall}"]
        places = [f"-artifact_prefix={findings}/{target}-", str(corpus), str(seeds)]
        code, cpu = run_once(program + COMMON + TARGETS[target][1] + places, log)
        used += cpu
        text = log.read_text(errors="replace")
        done = re.search(r"stat::number_of_executed_units:\s*(\d+)", text)
        executions += int(done[1]) if done else 0
        if code != 0 or not done:
            return {"executions": executions, "cpu": used, "log": text}
    return {"executions": executions, "cpu": used, "log": None, "summary": text.splitlines()[-1]}


def report(target, result):
    found = result["log"] is not None
    name = TARGETS[target][0]
    if found:
        print(f"== {name}: a finding\n" + "\n".join(result["log"].splitlines()[-60:]))
    line = {
        "kind": "fuzz",
        "name": name,
        "executions": result["executions"],
        "cpu_seconds": round(result["cpu"]),
        "findings": int(found),
    }
    print("#audit " + json.dumps(line), flush=True)
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=Path)
    parser.add_argument("seconds", type=int)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("targets", nargs="*", metavar="TARGET")
    arguments = parser.parse_args()
    build = arguments.build.resolve()
    targets = arguments.targets or list(TARGETS)
    for target in set(targets) - set(TARGETS):
        parser.error(f"no such target: {target}")
    found = False
    with ThreadPoolExecutor(arguments.jobs) as pool:
        running = {
            target: pool.submit(run_target, target, build, arguments.seconds) for target in targets
        }
        for target, result in running.items():
            found |= report(target, result.result())
    return int(found)


if __name__ == "__main__":
    sys.exit(main())
