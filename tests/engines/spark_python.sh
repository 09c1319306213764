#!/usr/bin/env bash
# Prints a Python that has the pinned Spark; the first run fetches it.
set -euo pipefail

readonly here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
readonly version=$(sed -n 's/^pyspark==\([0-9.]*\).*/\1/p' "$here/requirements.txt")
readonly cache=${XDG_CACHE_HOME:-${HOME:?HOME is not set}/.cache}/dpsql
readonly root=$cache/spark-$version

install() {
  mkdir -p "$cache"
  exec 9>"$cache/spark-python.lock"
  flock 9
  [[ -f $root/ready ]] && return
  rm -rf "$root"
  python3 -m venv "$root" >&2
  "$root/bin/python" -m pip install --quiet --disable-pip-version-check --require-hashes \
    -r "$here/requirements.txt" >&2
  touch "$root/ready"
}

[[ -f $root/ready ]] || install
printf '%s\n' "$root/bin/python"
