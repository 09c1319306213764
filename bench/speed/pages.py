"""Pages and plots that are made from rows, and stand beside them in docs/results."""
import sys


def table(head, rows):
    """In Markdown, names on the left and figures on the right."""
    rule = ["---"] + ["---:"] * (len(head) - 1)
    return "\n" + "".join("| " + " | ".join(line) + " |\n" for line in [head, rule, *rows])


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
