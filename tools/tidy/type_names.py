"""No two types of one program share a name.

Two classes of the same name in one namespace are undefined behaviour that no compiler reports: the
linker keeps one destructor for both. So a name stands in one header of the product, and in no header
of the tests and benchmarks beside it. Types of .cc files stand in namespaces without a name.
"""

import re

_LINE = re.compile(r"^(?:namespace ([\w:]+) \{|\}  // namespace ([\w:]+)"
                   r"|(?:class|struct|enum class|union) (\w+)[^;()]*\{)")


def _types(text):
    """Yields (line, namespace::name) of the types that a header defines at the top."""
    inside = []
    for number, line in enumerate(text.splitlines(), 1):
        found = _LINE.match(line)
        if not found:
            continue
        opened, closed, name = found.groups()
        if opened:
            inside.append(opened)
        elif closed and inside:
            inside.pop()
        elif name:
            yield number, "::".join([*inside, name])


def check_type_names(texts):
    """Yields (path, line, message) for each type whose name another header of the product has."""
    product = {}

    def is_beside(path):
        return path.startswith(("tests/", "bench/"))

    headers = [path for path in texts if path.endswith(".h")]
    for path in sorted(headers, key=lambda path: (is_beside(path), path)):
        for line, name in _types(texts[path]):
            if name in product:
                yield path, line, f"{product[name]} has a type of this name: {name}"
            elif not is_beside(path):
                product[name] = path
