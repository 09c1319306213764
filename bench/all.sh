#!/usr/bin/env bash
# Runs every part of `make bench`. One that fails does not end the others: the pages are written in any case,
# what failed is named at the end, and the script fails then. Usage: bench/all.sh BUILD
set -uo pipefail

build=$(cd "$1" && pwd) && cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1
readonly build
readonly results=docs/results
failed=()
trap 'exit 130' INT

part() { # name command…
  echo "== $1"
  "${@:2}" || failed+=("$1")
}

packages() {
  tools/bootstrap/bootstrap.sh --oracles --engines --spark >/dev/null
}

with_oracles() { # file argument…
  local python
  python=$(tests/oracles/python.sh) && "$python" -B "$@"
}

start() {
  local python
  python=$(tests/oracles/python.sh) && python3 -B bench/start/start.py . "$build" "$python" $results/start.json
}

engines() { # part
  local python
  python=$(tests/engines/spark_python.sh) && "$python" -B bench/engines/record.py "$build" $results/engines.json "$1"
}

part "packages of other people's programs" packages
for program in $(find "$build/bench" -maxdepth 1 -type f -executable | sort); do
  part "$program" "$program"
done
part bench/oracles/pld_speed.py with_oracles bench/oracles/pld_speed.py "$build/tests/pld_epsilons"
part bench/start start
for name in paper basic frequency unknown scale=0.1 scale=10 groups units tpch peers; do
  part "bench/speed $name" python3 -B bench/speed/record.py "$build" $results/speed.json $name
done
for name in paper session unknown=250 round=250 frequency=250 skew=100 peers; do
  part "bench/accuracy $name" python3 -B bench/accuracy/record.py "$build" $results/accuracy.json $name
done
for name in scale=0.1 scale=1 growth=1000000 growth=10000000 growth=100000000 skew=10000000 \
  bytes-postgresql=10000000 bytes-spark=10000000; do
  part "bench/engines $name" engines $name
done
part "figure 2" python3 -B tests/docs/check_figure2.py . "$build/bench/figure2" --update
part pages make --no-print-directory bench-pages

[[ ${#failed[@]} == 0 ]] && exit
printf 'FAILED: %s\n' "${failed[@]}" >&2
exit 1
