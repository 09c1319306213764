"""Completions of the three shells, from the commands as --help tells them."""

PATHS = ("FILE", "URL", "DIR", "FOLDER", "PATH")
NOTE = "# Written by `make reference` from what `dpsql --help` says.\n"


def takes_path(option):
    return option.value in PATHS


def bash(root):
    """A word list for each command, and what may follow an option."""
    words, values = "", ""
    for command in [root, *root.subcommands]:
        name = command.words[-1]
        names = [word for option in command.all_options() for word in option.names] \
            if command is not root else [word for option in root.options for word in option.names]
        words += f"    {name}) echo '{' '.join(names)}' ;;\n"
        for option in root.options if command is root else command.all_options():
            pattern = "|".join(f"{name}:{word}" for word in option.names)
            if option.choices:
                values += f"    {pattern}) echo 'words {' '.join(option.choices)}' ;;\n"
            elif takes_path(option):
                values += f"    {pattern}) echo 'files' ;;\n"
            elif option.value:
                values += f"    {pattern}) echo 'none' ;;\n"
    below = "".join(f"    {command.words[-1]}) echo '{names_below(command)}' ;;\n"
                    for command in [root, *root.subcommands] if command.subcommands)
    return f"""# bash completion for dpsql
{NOTE}
_dpsql_options() {{
  case $1 in
{words}  esac
}}

# What may follow an option: files, words of a list, or nothing that could be told.
_dpsql_values() {{
  case $1:$2 in
{values}  esac
}}

_dpsql_commands() {{
  case $1 in
{below}  esac
}}

_dpsql() {{
  local current=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD - 1]}}
  local command=dpsql values
  [[ $current == '=' ]] && current=
  [[ $previous == '=' ]] && previous=${{COMP_WORDS[COMP_CWORD - 2]}}
  if ((COMP_CWORD > 1)) && [[ " $(_dpsql_commands dpsql) " == *" ${{COMP_WORDS[1]}} "* ]]; then
    command=${{COMP_WORDS[1]}}
  fi
  values=$(_dpsql_values "$command" "$previous")
  COMPREPLY=()
  if [[ $values == words* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "${{values#words}}" -- "$current")
  elif [[ $values == none ]]; then
    return
  elif [[ $values != files && $current == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$(_dpsql_options "$command")" -- "$current")
  else
    compopt -o filenames 2>/dev/null
    mapfile -t COMPREPLY < <(compgen -f -- "$current")
    [[ $values == files ]] && return
    if [[ $command != dpsql ]] || ((COMP_CWORD == 1)); then
      mapfile -t -O "${{#COMPREPLY[@]}}" COMPREPLY \\
        < <(compgen -W "$(_dpsql_commands "$command")" -- "$current")
    fi
  fi
}}

complete -F _dpsql dpsql
"""


def names_below(command):
    return " ".join(sub.words[-1] for sub in command.subcommands)


def _zsh_text(text):
    for special in ("\\", "[", "]"):
        text = text.replace(special, "\\" + special)
    return text.replace("'", "'\\''")


def _zsh_option(option):
    action = ""
    if option.choices:
        action = f":{option.value.lower()}:({' '.join(option.choices)})"
    elif takes_path(option):
        action = f":{option.value.lower()}:_files"
    elif option.value:
        action = f":{option.value.lower()}: "
    repeat = "*" if "repeated" in option.meaning else ""
    return "".join(f"    '{repeat}{name}[{_zsh_text(option.meaning)}]{action}' \\\n"
                   for name in option.names)


def _zsh_list(commands):
    return "".join(f"    '{sub.words[-1]}:{_zsh_text(sub.meaning)}'\n" for sub in commands)


def zsh(root):
    functions = ""
    for command in root.subcommands:
        name = command.words[-1]
        below = ""
        if command.subcommands:
            below = f"  local -a below=(\n{_zsh_list(command.subcommands)}  )\n"
            last = "    '1:command:{_describe command below}' '*: :'\n"
        else:
            last = "    '*: :_files'\n"
        options = "".join(_zsh_option(option) for option in command.all_options())
        functions += f"_dpsql_{name}() {{\n{below}  _arguments \\\n{options}{last}}}\n\n"
    options = "".join(_zsh_option(option) for option in root.options)
    names = "|".join(command.words[-1] for command in root.subcommands)
    return f"""#compdef dpsql
{NOTE}
_dpsql_first() {{
  local -a commands=(
{_zsh_list(root.subcommands)}  )
  _describe command commands
  _files
}}

{functions}_dpsql() {{
  case $words[2] in
    ({names})
      if (( CURRENT > 2 )); then
        local command=$words[2]
        shift words
        (( CURRENT-- ))
        _dpsql_$command
        return
      fi ;;
  esac
  _arguments \\
{options}    '1: :_dpsql_first'
}}

_dpsql "$@"
"""


def _fish_text(text):
    return text.replace("\\", "\\\\").replace("'", "\\'")


def _fish_option(option, condition):
    words = "".join(f" -l {name[2:]}" if name.startswith("--") else f" -s {name[1:]}"
                    for name in option.names)
    if option.choices:
        words += f" -x -a '{' '.join(option.choices)}'"
    elif takes_path(option):
        words += " -r -F"
    elif option.value:
        words += " -x"
    return f"complete -c dpsql -n '{condition}'{words} -d '{_fish_text(option.meaning)}'\n"


def fish(root):
    names = names_below(root)
    first = f"not __fish_seen_subcommand_from {names}"
    text = f"# fish completion for dpsql\n{NOTE}\n"
    for option in root.options:
        text += _fish_option(option, first)
    for command in root.subcommands:
        name = command.words[-1]
        text += (f"\ncomplete -c dpsql -n '__fish_is_first_arg' -a {name} "
                 f"-d '{_fish_text(command.meaning)}'\n")
        for option in command.all_options():
            text += _fish_option(option, f"__fish_seen_subcommand_from {name}")
        for sub in command.subcommands:
            text += (f"complete -c dpsql -n '__fish_seen_subcommand_from {name}' "
                     f"-a {sub.words[-1]} -d '{_fish_text(sub.meaning)}'\n")
    return text
