#!/usr/bin/env bash
# Runs both fuzz targets under libFuzzer, one after the other.
#
#   run.sh BUILD SECONDS
#
# What libFuzzer learns stays in BUILD/corpus, so that the next run goes on from there; an input
# with a finding is written to BUILD.
set -euo pipefail

readonly here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
readonly build=$1 seconds=$2
mkdir -p "$build/seeds" "$build/corpus/text" "$build/corpus/queries"

# libFuzzer takes a file as one input; ours hold many, separated by empty lines.
awk -v RS= -v folder="$build/seeds" \
  '{ file = sprintf("%s/%05d", folder, NR); print > file; close(file) }' "$here"/corpus/*.sql

fuzz() { # target argument…
  echo "== $1, $seconds s"
  local program=$build/tests/$1 log=$build/$1.log
  shift
  # The parser starts a thread for each text; a limit of 10 s is far above any that was seen.
  "$program" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=3000 -print_final_stats=1 \
    -verbosity=1 -artifact_prefix="$build/" "$@" >"$log" 2>&1 || { tail -n 60 "$log"; return 1; }
  grep -E '^stat::number_of_executed_units|statements:' "$log"
}

# Bytes that are no UTF-8 end at the first check; `make test` has some, here they would be most.
fuzz fuzz_text -dict="$here/sql.dict" -only_ascii=1 -max_len=4000 "$build/corpus/text" "$build/seeds"
fuzz fuzz_queries -max_len=1500 "$build/corpus/queries"
