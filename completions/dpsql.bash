# bash completion for dpsql
# Written by `make reference` from what `dpsql --help` says.

_dpsql_options() {
  case $1 in
    dpsql) echo '-h --help --policy --ledger --analyst -c -f --param --format --dry-run --confirm --keep-going --no-files --version' ;;
    audit) echo '-h --help --policy --ledger' ;;
    budget) echo '-h --help --policy --ledger --history --format --csv --analyst --limit --before' ;;
    check) echo '-h --help --policy -c --param --dialect --verify --format' ;;
    demo) echo '-h --help --yes --folder' ;;
    doctor) echo '-h --help --policy --ledger --format' ;;
    init) echo '-h --help -o --output --dataset --unit' ;;
    ledger) echo '-h --help --policy --ledger --format --head' ;;
    policy) echo '-h --help --format' ;;
  esac
}

# What may follow an option: files, words of a list, or nothing that could be told.
_dpsql_values() {
  case $1:$2 in
    dpsql:--policy) echo 'files' ;;
    dpsql:--ledger) echo 'files' ;;
    dpsql:--analyst) echo 'none' ;;
    dpsql:-c) echo 'none' ;;
    dpsql:-f) echo 'files' ;;
    dpsql:--param) echo 'none' ;;
    dpsql:--format) echo 'words box csv json jsonl markdown' ;;
    audit:--policy) echo 'files' ;;
    audit:--ledger) echo 'files' ;;
    budget:--policy) echo 'files' ;;
    budget:--ledger) echo 'files' ;;
    budget:--history) echo 'none' ;;
    budget:--format) echo 'words text json csv' ;;
    budget:--csv) echo 'none' ;;
    budget:--analyst) echo 'none' ;;
    budget:--limit) echo 'none' ;;
    budget:--before) echo 'none' ;;
    check:--policy) echo 'files' ;;
    check:-c) echo 'none' ;;
    check:--param) echo 'none' ;;
    check:--dialect) echo 'words duckdb postgresql sqlite spark' ;;
    check:--format) echo 'words text json' ;;
    demo:--folder) echo 'files' ;;
    doctor:--policy) echo 'files' ;;
    doctor:--ledger) echo 'files' ;;
    doctor:--format) echo 'words text json' ;;
    init:-o|init:--output) echo 'files' ;;
    init:--dataset) echo 'none' ;;
    init:--unit) echo 'none' ;;
    ledger:--policy) echo 'files' ;;
    ledger:--ledger) echo 'files' ;;
    ledger:--format) echo 'words text json' ;;
    ledger:--head) echo 'files' ;;
    policy:--format) echo 'words text json' ;;
  esac
}

_dpsql_commands() {
  case $1 in
    dpsql) echo 'audit budget check demo doctor init ledger policy' ;;
    audit) echo 'export' ;;
    budget) echo 'history grant revoke pardon' ;;
    ledger) echo 'backup verify upgrade' ;;
    policy) echo 'diff' ;;
  esac
}

_dpsql() {
  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
  local command=dpsql values
  [[ $current == '=' ]] && current=
  [[ $previous == '=' ]] && previous=${COMP_WORDS[COMP_CWORD - 2]}
  if ((COMP_CWORD > 1)) && [[ " $(_dpsql_commands dpsql) " == *" ${COMP_WORDS[1]} "* ]]; then
    command=${COMP_WORDS[1]}
  fi
  values=$(_dpsql_values "$command" "$previous")
  COMPREPLY=()
  if [[ $values == words* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "${values#words}" -- "$current")
  elif [[ $values == none ]]; then
    return
  elif [[ $values != files && $current == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$(_dpsql_options "$command")" -- "$current")
  else
    compopt -o filenames 2>/dev/null
    mapfile -t COMPREPLY < <(compgen -f -- "$current")
    [[ $values == files ]] && return
    if [[ $command != dpsql ]] || ((COMP_CWORD == 1)); then
      mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY \
        < <(compgen -W "$(_dpsql_commands "$command")" -- "$current")
    fi
  fi
}

complete -F _dpsql dpsql
