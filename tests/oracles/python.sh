#!/usr/bin/env bash
# Prints a Python that has the packages of *requirements.txt beside this file; the first run fetches
# them, and so does the first after a change of them. Safe to run twice at once.
set -euo pipefail

readonly here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
readonly cache=${XDG_CACHE_HOME:-${HOME:?HOME is not set}/.cache}/dpsql
readonly pins=$(cat "$here"/*requirements.txt | sha256sum | cut -c1-16)
readonly root=$cache/oracles-$pins

if [[ ! -f $root/ready ]]; then
  mkdir -p "$cache"
  exec 9>"$cache/oracles.lock"
  flock 9
fi
if [[ ! -f $root/ready ]]; then
  lists=()
  for list in "$here"/*requirements.txt; do lists+=(-r "$list"); done
  rm -rf "$root"
  python3 -m venv "$root" >&2
  "$root/bin/python" -m pip install --quiet --disable-pip-version-check --require-hashes \
    "${lists[@]}" >&2
  touch "$root/ready"
fi
printf '%s\n' "$root/bin/python"
