"""Who may include whom: the order of the rooms, and the headers that have one home."""

import re

from cpp_scanner import blank_comments

ALLOWED = {
    "base": (),
    "sql": ("base",),
    "catalog": ("base",),
    "privacy": ("base",),
    "aggregates": ("base", "catalog", "privacy"),
    "validate": ("base", "sql", "catalog", "aggregates"),
    "plan": ("base", "sql", "catalog", "aggregates", "privacy", "validate"),
    "account": ("base", "privacy"),
    "backend": ("base", "sql", "catalog", "privacy", "plan", "account"),
    "noise": ("base", "privacy", "aggregates", "plan", "backend"),
    "publish": ("base", "sql", "aggregates", "validate", "plan", "backend", "noise"),
}
ALLOWED["engine"] = tuple(ALLOWED)

# A header, and the only places of src/ that may see it: libraries, and the key to exact numbers.
HOMES = {
    "noise/exact_reader.h": r"src/(?:noise/|\w+/\w+_test\.cc)",
    "duckdb.h": r"src/backend/duckdb",
    "sqlite3.h": r"src/(?:account/|backend/sqlite)",
    "pg_query.h": r"src/sql/",
    "libpq-fe.h": r"src/(?:account/|backend/postgres)",
}

_INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*([<"])([^>"\n]+)[>"]', re.MULTILINE)


def includes(text):
    """Yields (line, quote, path) for each include."""
    for match in _INCLUDE.finditer(blank_comments(text)):
        yield text.count("\n", 0, match.start(1)) + 1, match[1], match[2]


def reachable(room):
    """The rooms that `room` may see through others; its tests may include these."""
    found, todo = set(), [room]
    while todo:
        for below in ALLOWED[todo.pop()]:
            if below not in found:
                found.add(below)
                todo.append(below)
    return found


def check_includes(path, text, known):
    """Yields (line, message) for each include of `path` that its place forbids.

    `known` are the paths of all files of the repository.
    """
    for line, quote, target in includes(text):
        for message in _include_faults(path, quote, target, known):
            yield line, message


def _include_faults(path, quote, target, known):
    place = path.split("/")[0]
    room = target.split("/")[0] if "/" in target else ""
    if place in ("apps", "bindings", "include") and f"src/{target}" in known:
        yield f"{place}/ may include dpsql/ only, not {target}"
    if place == "include" and quote == '"' and room != "dpsql":
        yield f"a public header may include dpsql/ and the standard library only, not {target}"
    if place in ("apps", "bindings", "include", "src"):
        home = HOMES.get(target)
        if home is not None and not re.match(home, path):
            yield f"{target} may be included in {home} only"
    if place == "src":
        yield from _room_faults(path, quote, target, known)


def _room_faults(path, quote, target, known):
    own = path.split("/")[1]
    room = target.split("/")[0]
    if own not in ALLOWED:
        yield f"src/{own} is no room of the house"
        return
    if quote == '"' and f"{path.rsplit('/', 1)[0]}/{target}" in known and "/" not in target:
        yield f"write the path from src/: {own}/{target}"
    if room == own or room not in ALLOWED or "/" not in target:
        return
    allowed = reachable(own) if path.endswith("_test.cc") else ALLOWED[own]
    if room not in allowed:
        yield f"room {own} may not include room {room}"


def check_cycles(files):
    """Yields (path, line, message) for a cycle between files. `files` maps paths to texts."""
    graph = {}
    for path, text in files.items():
        candidates = [(line, f"{top}/{target}") for line, _, target in includes(text)
                      for top in ("src", "include")]
        graph[path] = [(line, target) for line, target in candidates if target in files]
    state = {}
    for path in graph:
        yield from _visit(path, graph, state)


def _visit(path, graph, state):
    if path in state:
        return
    state[path] = "open"
    for line, target in graph[path]:
        if state.get(target) == "open":
            yield path, line, f"include cycle through {target}"
        else:
            yield from _visit(target, graph, state)
    state[path] = "done"
