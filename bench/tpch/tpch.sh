#!/usr/bin/env bash
# Prints the DuckDB file of TPC-H at a scale factor; the first run makes it in the user's cache.
# Safe to run twice at once. At scale 1 it takes a minute or two and 0.6 GB, at 10 ten times that.
# Usage: bench/tpch/tpch.sh BUILD-FOLDER SCALE
set -euo pipefail

readonly here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
readonly loader=$(cd "$1" && pwd)/tools/duckdb-load
readonly scale=$2
readonly cache=${XDG_CACHE_HOME:-${HOME:?HOME is not set}/.cache}/dpsql/tpch
readonly pins=$(cat "$here/requirements.txt" "$here/load.sql" | sha256sum | cut -c1-16)
readonly database=$cache/$pins/sf$scale.duckdb
readonly generator=$cache/$pins/generator

scratch=
trap '[[ -z $scratch ]] || rm -rf "$scratch"' EXIT

if [[ ! -f $database ]]; then
  mkdir -p "$cache/$pins"
  exec 9>"$cache/$pins/lock"
  flock 9
fi
if [[ ! -f $generator/ready ]]; then
  rm -rf "$generator"
  python3 -m venv "$generator" >&2
  "$generator/bin/python" -m pip install --quiet --disable-pip-version-check --require-hashes \
    --requirement "$here/requirements.txt" >&2
  touch "$generator/ready"
fi
if [[ ! -f $database ]]; then
  printf 'making TPC-H at scale %s\n' "$scale" >&2
  scratch=$(mktemp -d "$cache/$pins/making.XXXXXX")
  "$generator/bin/tpchgen-cli" parquet --quiet --scale-factor "$scale" --output-dir "$scratch" >&2
  (cd "$scratch" && "$loader" made.duckdb "$here/load.sql")
  mv "$scratch/made.duckdb" "$database"
fi
printf '%s\n' "$database"
