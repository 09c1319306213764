"""Pages and plots that are made from rows, and stand beside them in docs/results."""
import json
import pathlib
import sys


def table(head, rows):
    """In Markdown, names on the left and figures on the right."""
    rule = ["---"] + ["---:"] * (len(head) - 1)
    return "\n" + "".join("| " + " | ".join(line) + " |\n" for line in [head, rule, *rows])


def where_and_how(surroundings, day, commands):
    """The end of a page: the machine, and how to repeat it."""
    rows = "".join(f"| {name} | {value} |\n" for name, value in {**surroundings, "day": day}.items())
    return (f"\n## Where and how\n\n| | |\n|---|---|\n{rows}\nRepeat it with:\n\n"
            f"```sh\n{commands}```\n")


def record_parts(record):
    """For each PART behind BUILD and RESULTS.json, record(build, results, part), kept at once."""
    build, path = (pathlib.Path(word).resolve() for word in sys.argv[1:3])
    for part in sys.argv[3:]:
        results = json.loads(path.read_text()) if path.exists() else {}
        print(f"== {part}", flush=True)
        record(build, results, part)
        path.write_text(json.dumps(results, indent=1, sort_keys=True) + "\n")


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
