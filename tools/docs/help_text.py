"""The commands of dpsql, as their --help tells them."""
import dataclasses
import re
import subprocess

COLUMN = 30  # where the help says what an option does


@dataclasses.dataclass
class Option:
    names: list       # ["-h", "--help"]
    value: str        # "FILE", or "" for a flag
    choices: list     # ["box", "json"] where only these are allowed
    meaning: str


@dataclasses.dataclass
class Command:
    words: list       # ["dpsql", "budget", "grant"]
    meaning: str
    options: list
    positionals: list  # their names
    subcommands: list = dataclasses.field(default_factory=list)

    def all_options(self):
        """With those of its subcommands, each once."""
        seen = {}
        for command in [self, *self.subcommands]:
            for option in command.options:
                seen.setdefault(option.names[-1], option)
        return list(seen.values())


def read_program(source, program):
    """The command `dpsql` itself, whose subcommands are all the others."""
    root = _read(program, ["dpsql"])
    text = _help(program, []) + (source / "apps/cli/main.cc").read_text()
    names = {match[1] for match in re.finditer(r'(?:dpsql |")([a-z]+)\b', text)}
    names |= {path.name.removesuffix("_command.cc")
              for path in source.glob("apps/cli/*_command.cc")}
    for name in sorted(names):
        # What is no command is taken for a database, and the help is that of dpsql itself.
        if re.search(rf"^Usage: dpsql {name}\b", _help(program, [name]), re.M):
            root.subcommands.append(_read(program, ["dpsql", name]))
    return root


def _help(program, words):
    done = subprocess.run([program, *words, "--help"], capture_output=True, text=True,
                          check=False, timeout=30)
    return done.stdout


def _read(program, words):
    text = _help(program, words[1:])
    sections = dict(re.findall(r"^(\w+):[ \t]*\n((?:[ \t]+.*\n|\n(?=[ \t]))*)", text, re.M))
    entries = {name: _entries(body) for name, body in sections.items()}
    command = Command(words=words, meaning=text.splitlines()[0],
                      options=[_option(*entry) for entry in entries.get("Options", [])],
                      positionals=[left.split()[0] for left, _ in entries.get("Positionals", [])])
    command.subcommands = [_read(program, [*words, left.split()[0]])
                           for left, _ in entries.get("Subcommands", [])]
    return command


def _entries(body):
    """Pairs of what stands left and what is said of it; long lefts have it on the next line."""
    entries = []
    for line in body.splitlines():
        fits = line[COLUMN - 1:COLUMN] in ("", " ")
        left, right = (line[:COLUMN], line[COLUMN:]) if fits else (line, "")
        if left.strip():
            entries.append([left.strip(), right.strip()])
        elif entries and right.strip():
            entries[-1][1] = (entries[-1][1] + " " + right.strip()).strip()
    return entries


def _option(left, meaning):
    names = re.match(r"-[\w-]+(?:,\s*-[\w-]+)*", left)[0]
    rest = left[len(names):].split()
    value = rest[0] if rest else ""
    choices = re.search(r"\{(.*)\}", value)
    listed = re.search(r": ((?:\w+, )*\w+ or \w+)$", meaning)
    return Option(names=re.split(r",\s*", names), value=re.sub(r"[:=\[].*", "", value),
                  choices=choices[1].split(",") if choices
                  else re.findall(r"\w+", listed[1].replace(" or ", " ")) if listed else [],
                  meaning=meaning)
