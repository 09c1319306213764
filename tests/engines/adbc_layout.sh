#!/usr/bin/env bash
# Compiles adbc_layout.cc with the published header, which bootstrap.sh --spark has fetched:
#   adbc_layout.sh COMPILER
set -euo pipefail

readonly root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
for header in "${XDG_CACHE_HOME:-${HOME:?HOME is not set}/.cache}"/dpsql/adbc-spark-*/include; do
  [[ -f $header/adbc.h ]] || break
  exec "$1" -std=c++20 -fsyntax-only -I "$root/src" -isystem "$header" \
    "$root/tests/engines/adbc_layout.cc"
done
echo "skipped: there is no adbc.h; run tools/bootstrap/bootstrap.sh --spark"
exit 77
