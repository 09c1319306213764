"""A small scanner of C++: blanks comments and literals, and finds functions with their size.

It follows braces rather than grammar. That is exact for code formatted by clang-format, which is
the only code it is run on.
"""

import re
from dataclasses import dataclass

_LITERAL = re.compile(
    r"""//(?:\\\n|[^\n])*"""  # line comment
    r"""|/\*.*?\*/"""  # block comment
    r"""|(?:u8|[uUL])?R"(?P<tag>[^()\s\\]{0,16})\(.*?\)(?P=tag)\""""  # raw string
    r"""|"(?:\\.|[^"\\\n])*\""""  # string
    r"""|(?<![0-9a-zA-Z_])'(?:\\.|[^'\\\n])+'""",  # character; 1'000 is none
    re.DOTALL,
)
_PREPROCESSOR = re.compile(r"^[ \t]*#(?:\\\n|[^\n])*", re.MULTILINE)
_CONTROL = re.compile(r"^(?:\}?\s*else\b|if|for|while|switch|do|try|catch)\b")
_LAMBDA = re.compile(
    r"\]\s*(?:<[^{}]*>\s*)?(?:\((?:[^()]|\([^()]*\))*\))?\s*"
    r"(?:(?:mutable|noexcept|constexpr)\s*)*(?:->\s*[\w:<>,&*\s]+)?$"
)
_TYPE = re.compile(r"^(?:typedef\s+)?(?:class|struct|union|enum)\b(?!.*\)\s*$)")
_MACRO = re.compile(r"[A-Z][A-Z0-9_]{2,}")
_NOT_A_NAME = {
    "requires", "noexcept", "alignas", "decltype", "explicit", "__attribute__", "static_assert",
    "if", "for", "while", "switch", "catch", "return", "sizeof", "typeid", "defined", "operator",
}


def blank_comments(text):
    """The text without comments, every other character in its place."""
    return _LITERAL.sub(lambda m: _spaces(m[0]) if m[0][:2] in ("//", "/*") else m[0], text)


def blank_literals(text):
    """The text without comments and the insides of literals, lines and columns unchanged."""
    return _LITERAL.sub(lambda m: _blanked(m[0]), text)


def _spaces(text):
    return re.sub(r"[^\n]", " ", text)


def _blanked(text):
    if text[:2] in ("//", "/*"):
        return _spaces(text)
    return text[0] + _spaces(text[1:-1]) + text[-1] if text[0] in "\"'" else _raw(text)


def _raw(text):
    return '"' + _spaces(text[1:-1]) + '"'


@dataclass
class Function:
    """A function as written: its place, size, deepest block and number of parameters."""

    name: str
    first_line: int
    last_line: int
    parameters: int
    nesting: int = 0

    @property
    def lines(self):
        return self.last_line - self.first_line + 1


@dataclass
class _Frame:
    kind: str  # namespace, type, function, block, lambda, initializer
    header: str = ""  # the statement so far
    header_line: int = 0
    parens: int = 0
    function: Function = None
    depth: int = 0  # control blocks around this one, inside the function


class FunctionScanner:
    """Walks over the braces of one file. `functions` are definitions and declarations."""

    def __init__(self, text):
        self.functions = []
        self._frames = [_Frame("namespace")]
        code = _PREPROCESSOR.sub(lambda m: _spaces(m[0]), blank_literals(text))
        line = 1
        for char in code:
            self._step(char, line)
            line += char == "\n"

    def _step(self, char, line):
        frame = self._frames[-1]
        if char == "{":
            self._open(frame, line)
        elif char == "}":
            self._close(line)
        elif char == ";" and frame.parens == 0:
            self._end_statement(frame)
        else:
            frame.parens += (char == "(") - (char == ")")
            if not frame.header.strip() and not char.isspace():
                frame.header_line = line
            frame.header += char

    def _open(self, frame, line):
        kind = _classify(frame)
        opened = _Frame(kind, function=frame.function, depth=frame.depth)
        if kind == "function":
            name, parameters = _signature(frame.header)
            opened.function = Function(name, frame.header_line or line, line, parameters)
            opened.depth = 0
        elif kind == "block":
            opened.depth += 1
            frame.function.nesting = max(frame.function.nesting, opened.depth)
        self._frames.append(opened)

    def _close(self, line):
        if len(self._frames) == 1:
            return
        closed = self._frames.pop()
        frame = self._frames[-1]
        if closed.kind in ("initializer", "lambda"):
            frame.header += "{}"
            return
        if closed.kind == "function":
            closed.function.last_line = line
            self.functions.append(closed.function)
        frame.header, frame.parens = "", 0

    def _end_statement(self, frame):
        if frame.kind in ("namespace", "type") and _declares_function(frame.header):
            name, parameters = _signature(frame.header)
            if not _MACRO.fullmatch(name):
                line = frame.header_line
                self.functions.append(Function(name, line, line, parameters))
        frame.header, frame.parens = "", 0


def _classify(frame):
    header = _without_templates(_without_labels(frame.header))
    header = re.sub(r"\[\[[^\]]*\]\]", "", header).strip()
    if frame.kind in ("function", "block", "lambda"):
        return _classify_inside(frame, header)
    if frame.kind == "initializer":
        return "lambda" if _LAMBDA.search(header) and frame.function else "initializer"
    if re.match(r"^(?:inline\s+)?namespace\b", header) or re.match(r'^extern\s+"\s*"$', header):
        return "namespace"
    if frame.parens > 0 or header.endswith("="):
        return "initializer"
    if _TYPE.match(header):
        return "type"
    return "function" if _opens_body(header) else "initializer"


def _classify_inside(frame, header):
    if _LAMBDA.search(header):
        return "lambda"
    if frame.parens == 0 and (not header or _opens_block(header)):
        return "block"
    if frame.parens == 0 and _TYPE.match(header):
        return "type"
    return "initializer"


def _opens_block(header):
    """Whether the header is a control statement, rather than `if (x) return T` before `{…}`."""
    return _CONTROL.match(header) and re.search(r"(?:\)|\b(?:else|do|try))$", header)


def _without_labels(header):
    header = re.sub(r"^\s*(?:(?:public|private|protected)\s*:(?!:)\s*)+", "", header)
    return re.sub(r"^\s*(?:(?:case\b(?:[^:]|::)*|default\s*):(?!:)\s*)+", "", header)


def _without_templates(header):
    while (match := re.match(r"\s*template\s*<", header)) is not None:
        header = header[_matching(header, match.end() - 1, "<", ">") + 1 :]
    return header


def _matching(text, start, opening, closing):
    """The index of the bracket that closes the one at `start`, or the last index."""
    depth = 0
    for index in range(start, len(text)):
        depth += (text[index] == opening) - (text[index] == closing)
        if depth == 0:
            return index
    return len(text) - 1


def _opens_body(header):
    """Whether the brace after `header`, outside functions, opens a function's body."""
    start, end = _parameter_list(header)
    if start is None:
        return False
    tail = header[end + 1 :].strip()
    if re.match(r"^[^:]*(?<!:):(?!:)", tail):  # a constructor's initialisers
        return bool(re.search(r"[)}]$", tail))
    return "=" not in tail


def _declares_function(header):
    header = _without_templates(_without_labels(header)).strip()
    if re.match(r"^(?:using|typedef|static_assert|friend\s+class|extern\s+template)\b", header):
        return False
    start, _ = _parameter_list(header)
    return start is not None and "=" not in re.sub(r"operator[^\w(]*", "", header[:start])


def _parameter_list(header):
    """The positions of the parentheses around the parameters, or (None, None)."""
    index, angles = 0, 0
    while index < len(header):
        char = header[index]
        before = header[:index].rstrip()
        angles += (char == "<") - (char == ">" and not before.endswith("-"))
        if re.search(r"\boperator\s*[<>=!-]*$", header[: index + 1]):
            angles = 0
        if char == "(":
            end = _matching(header, index, "(", ")")
            if angles <= 0 and _names_function(before, header[index : end + 1]):
                return index, end
            index = end
        index += 1
    return None, None


def _names_function(before, parentheses):
    if re.search(r"\boperator\s*(?:[^\w\s]{1,3}|\(\)|[\w:]+[&*\s]*)$", before):
        return True
    if re.search(r"\boperator$", before):
        return re.sub(r"\s", "", parentheses) != "()"
    word = re.search(r"(~?\w+)$", before)
    return word is not None and word[1] not in _NOT_A_NAME


def _signature(header):
    header = _without_templates(_without_labels(header))
    start, end = _parameter_list(header)
    if start is None:
        return "", 0
    name = re.search(r"(operator\s*\S*|~?\w+)$", header[:start].rstrip())
    return (name[1] if name else "?"), _count_parameters(header[start + 1 : end])


def _count_parameters(text):
    if text.strip() in ("", "void"):
        return 0
    depth, commas = 0, 0
    for index, char in enumerate(text):
        depth += char in "([{<"
        depth -= char in ")]}" or (char == ">" and text[index - 1] != "-")
        commas += char == "," and depth == 0
    return commas + 1
