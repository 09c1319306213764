#!/usr/bin/env bash
# Prints a Python that has one of the peers; the first run fetches it, and so does the first after a
# change of its list. Nothing of it is needed by the product. Safe to run twice at once.
# Usage: python.sh smartnoise|qrlew
set -euo pipefail

readonly here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
readonly peer=$1
readonly cache=${XDG_CACHE_HOME:-${HOME:?HOME is not set}/.cache}/dpsql
readonly lists=("$here/build_requirements.txt" "$here/${peer}_requirements.txt")
readonly pins=$(cat "${lists[@]}" | sha256sum | cut -c1-16)
readonly root=$cache/$peer-$pins

if [[ ! -f $root/ready ]]; then
  mkdir -p "$cache"
  exec 9>"$cache/$peer.lock"
  flock 9
fi
if [[ ! -f $root/ready ]]; then
  rm -rf "$root"
  python3 -m venv "$root" >&2
  # Lists are complete: without dependencies, Qrlew takes the binary psycopg2 for the one in source.
  for list in "${lists[@]}"; do
    "$root/bin/python" -m pip install --quiet --disable-pip-version-check --require-hashes --no-deps \
      --no-build-isolation --requirement "$list" >&2
  done
  touch "$root/ready"
fi
printf '%s\n' "$root/bin/python"
