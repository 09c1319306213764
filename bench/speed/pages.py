"""Pages and plots that are made from rows, and stand beside them in docs/results."""
import datetime
import json
import pathlib
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent


def table(head, rows):
    """In Markdown, names on the left and figures on the right."""
    rule = ["---"] + ["---:"] * (len(head) - 1)
    return "\n" + "".join("| " + " | ".join(line) + " |\n" for line in [head, rule, *rows])


def where_and_how(machines, parts, commands):
    """The end of a page: the machine, when each part was measured, and how to repeat it. `machines`: part to its
    surroundings; the first is told whole, of others what differs."""
    first, *others = machines.items()
    rows = "".join(f"| {name} | {value} |\n" for name, value in first[1].items() if name != "load before")
    return (f"\n## Where and how\n\n| | |\n|---|---|\n{rows}{elsewhere(first[1], others)}{recorded_table(parts)}"
            f"\nRepeat it with:\n\n```sh\n{commands}```\n")


def elsewhere(first, others):
    """What differs where other parts were measured, or nothing."""
    differing = [(part, [f"{name} {value}" for name, value in around.items()
                         if name != "load before" and first.get(name) != value]) for part, around in others]
    lines = "".join(f"- {part}: {', '.join(found)}\n" for part, found in differing if found)
    return f"\nNot so where these were measured:\n\n{lines}" if lines else ""


def recorded_table(parts):
    """`parts`: name to what `provenance` said of it, in which anything may be missing."""
    names = ("commit", "day", "load before")
    return table(["part", *names], [[part] + [told.get(name, "not recorded") for name in names]
                                    for part, told in parts.items()])


def git(*words):
    done = subprocess.run(["git", "-C", HERE, *words], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                          check=False)
    return done.stdout.strip() if done.returncode == 0 else ""


def load_average():
    return pathlib.Path("/proc/loadavg").read_text(encoding="ascii").split()[0]


def settle():
    """Waits until what ran before has left the load average, or for two minutes."""
    for _ in range(24):
        if float(load_average()) < 0.4:
            return
        time.sleep(5)


def provenance():
    """Of a part that is about to be measured. Pages and rows change with each part, and say nothing of what
    is measured."""
    told = {"day": datetime.date.today().isoformat(), "load before": load_average()}
    commit = git("rev-parse", "--short=12", "HEAD")
    if commit:
        changed = git("status", "--porcelain", "--", ":/", ":(top,exclude)docs", ":(top,exclude)README.md")
        told["commit"] = commit + (" with changes" if changed else "")
    return told


def record_parts(record):
    """For each PART behind BUILD and RESULTS.json, record(build, results, part), kept at once. It returns
    nothing, or what failed although something was measured, which ends the program. It may say better what is
    recorded of a part."""
    build, path = (pathlib.Path(word).resolve() for word in sys.argv[1:3])
    for part in sys.argv[3:]:
        results = json.loads(path.read_text()) if path.exists() else {}
        print(f"== {part}", flush=True)
        settle()
        results.setdefault("recorded", {})[part.partition(":")[0]] = provenance()
        failed = record(build, results, part)
        path.write_text(json.dumps(results, indent=1, sort_keys=True) + "\n")
        if failed:
            sys.exit(f"FAILED: {part}: {failed}")


def keep(folder, source, files):
    """Writes them with --update; else says which differ. Returns what the program ends with."""
    wrong = []
    for name, text in files.items():
        if "--update" in sys.argv:
            (folder / name).write_text(text)
        elif not (folder / name).exists() or (folder / name).read_text() != text:
            wrong.append(name)
    for name in wrong:
        print(f"FAILED: docs/results/{name} is not what {source} says; page.py . --update")
    return 1 if wrong else 0
