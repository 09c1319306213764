#!/usr/bin/env bash
# Installs what the build needs and says where DuckDB is. Safe to run at any time and twice at once;
# when everything is in place it uses no network and takes a fraction of a second.
#
#   bootstrap.sh [--test] [--check] [--fuzz] [--engines] [--oracles] [--spark] [--print-duckdb-root]
#
#   --test               also the databases of `make test`
#   --check              also the tools of `make check`
#   --fuzz               also the compiler of `make fuzz`
#   --engines            also the other databases of `make engines`
#   --oracles            also what `make oracles` and `make bench` need for other people's programs
#   --spark              also the driver for Spark, into the cache, where dpsql looks for it
#   --print-duckdb-root  print the directory with include/duckdb.h and lib/libduckdb.so, nothing else
#
# DUCKDB_ROOT=DIR in the environment replaces the pinned DuckDB; nothing is fetched for it then.
set -euo pipefail

readonly here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
readonly duckdb_version=1.5.6
readonly header_in_archive=duckdb-$duckdb_version/external/duckdb/src/include/duckdb.h
readonly library_in_package=node_modules/@duckdb/node-bindings-linux-x64/libduckdb.so
readonly cache=${XDG_CACHE_HOME:-${HOME:?HOME is not set}/.cache}/dpsql
readonly pinned_root=$cache/duckdb-$duckdb_version
readonly spark_driver_version=0.3.0
readonly spark_driver_root=$cache/adbc-spark-$spark_driver_version

scratch=
trap '[[ -z $scratch ]] || rm -rf "$scratch"' EXIT

say() { printf 'bootstrap: %s\n' "$*" >&2; }
die() { say "$@"; exit 1; }

installed() { # package…: succeeds when every one of them is installed
  local states
  states=$(dpkg-query -W -f '${db:Status-Status}\n' "$@" 2>/dev/null) || return 1
  ! grep -qvx installed <<<"$states"
}

install_packages() { # package…
  command -v dpkg-query >/dev/null || {
    say "not a Debian system; install the equivalents of: $*"
    return
  }
  installed "$@" && return
  local missing=() package
  for package in "$@"; do installed "$package" || missing+=("$package"); done
  [[ $(id -u) == 0 ]] ||
    die "these Debian packages are missing, run as root: apt-get install ${missing[*]}"
  say "installing ${missing[*]}"
  local log options=(-qq -o DPkg::Lock::Timeout=600)
  log=$(mktemp)
  if ! { apt-get "${options[@]}" update &&
    DEBIAN_FRONTEND=noninteractive apt-get "${options[@]}" install -y --no-install-recommends \
      "${missing[@]}"; } >"$log" 2>&1; then
    cat "$log" >&2
    rm -f "$log"
    die "apt-get failed"
  fi
  rm -f "$log"
}

logged() { # log command…: shows the log only when the command fails
  local log=$1
  shift
  "$@" >"$log" 2>&1 || { cat "$log" >&2; die "failed: $1"; }
}

fetch_library() { # scratch root
  command -v npm >/dev/null || install_packages npm
  mkdir "$1/npm"
  cp "$here/package.json" "$here/package-lock.json" "$1/npm/"
  (cd "$1/npm" && logged "$1/npm.log" npm ci --ignore-scripts --no-audit --no-fund)
  mv "$1/npm/$library_in_package" "$2/lib/libduckdb.so"
}

# pip wants an archive's metadata before it keeps the file. A stand-in for the build backend gives
# it, so that nothing is built and nothing else is fetched.
fetch_header() { # scratch root
  local python
  python=$(python_with_pip)
  (
    export PYTHONPATH=$here/scikit_build_core_stub PYTHONDONTWRITEBYTECODE=1
    export PIP_DISABLE_PIP_VERSION_CHECK=1
    logged "$1/pip.log" "$python" -m pip download --no-deps --require-hashes --no-build-isolation \
      --no-cache-dir --dest "$1/pip" --requirement "$here/requirements.txt"
  )
  tar -xzf "$1/pip/duckdb-$duckdb_version.tar.gz" -C "$1" "$header_in_archive"
  mv "$1/$header_in_archive" "$2/include/duckdb.h"
}

checksums_hold() { # root
  (cd "$1" 2>/dev/null && sha256sum --status --check "$here/duckdb.sha256" 2>/dev/null)
}

# What the files looked like when their checksums were last verified, and which checksums.
fingerprint() { # root
  (cd "$1" && stat -c '%n %s %Y %i' include/duckdb.h lib/libduckdb.so && cat "$here/duckdb.sha256")
}

verified() { # root: reads the big file only when something changed since the last time
  [[ -f $1/verified ]] || return 1
  [[ $(fingerprint "$1" 2>/dev/null) == "$(<"$1/verified")" ]]
}

fill_cache() {
  [[ $(uname -sm) == 'Linux x86_64' ]] ||
    die "the pinned DuckDB is for x86-64 Linux; give another one with DUCKDB_ROOT=DIR"
  say "fetching DuckDB $duckdb_version into $pinned_root"
  scratch=$(mktemp -d "$cache/fetch.XXXXXX")
  mkdir -p "$scratch/root/include" "$scratch/root/lib"
  fetch_library "$scratch" "$scratch/root"
  fetch_header "$scratch" "$scratch/root"
  checksums_hold "$scratch/root" || die "DuckDB $duckdb_version does not have the pinned checksums"
  fingerprint "$scratch/root" >"$scratch/root/verified"
  chmod 755 "$scratch/root"
  rm -rf "$pinned_root"
  mv -T "$scratch/root" "$pinned_root"
}

ensure_pinned_duckdb() {
  verified "$pinned_root" && return
  mkdir -p "$cache"
  exec 9>"$cache/lock"
  flock 9
  verified "$pinned_root" && return
  if checksums_hold "$pinned_root"; then
    fingerprint "$pinned_root" >"$pinned_root/verified.$$"
    mv "$pinned_root/verified.$$" "$pinned_root/verified"
  else
    fill_cache
  fi
}

python_with_pip() { # prints one; installs Debian's where there is none
  if python3 -m pip --version >/dev/null 2>&1; then
    echo python3
  else
    install_packages python3-pip
    echo /usr/bin/python3
  fi
}

spark_driver_holds() { # root
  (cd "$1" 2>/dev/null && sha256sum --status --check "$here/spark.sha256" 2>/dev/null)
}

# The wheels are those of Python 3.11, whichever Python fetches them: nothing of them is run.
ensure_spark_driver() {
  spark_driver_holds "$spark_driver_root" && return
  [[ $(uname -sm) == 'Linux x86_64' ]] ||
    die "the pinned driver for Spark is for x86-64 Linux; name another one in DPSQL_ADBC_SPARK"
  mkdir -p "$cache"
  exec 8>"$cache/spark.lock"
  flock 8
  spark_driver_holds "$spark_driver_root" && return
  say "fetching the driver for Spark $spark_driver_version into $spark_driver_root"
  local python
  python=$(python_with_pip)
  scratch=$(mktemp -d "$cache/fetch.XXXXXX")
  PIP_DISABLE_PIP_VERSION_CHECK=1 logged "$scratch/pip.log" "$python" -m pip download --no-deps \
    --require-hashes --no-cache-dir --only-binary :all: --implementation cp --python-version 3.11 \
    --platform manylinux_2_34_x86_64 --platform manylinux_2_28_x86_64 \
    --dest "$scratch/pip" --requirement "$here/requirements-spark.txt"
  mkdir -p "$scratch/root/lib" "$scratch/root/include"
  "$python" - "$scratch" <<'PYTHON'
import sys, zipfile
from pathlib import Path
scratch = Path(sys.argv[1])
kept = {"adbc_driver_spark/libadbc_driver_spark.so": "lib/libadbc_driver_spark.so",
        "adbc_driver_manager/arrow-adbc/adbc.h": "include/adbc.h"}
for wheel in (scratch / "pip").glob("*.whl"):
    with zipfile.ZipFile(wheel) as files:
        for name in kept.keys() & set(files.namelist()):
            (scratch / "root" / kept[name]).write_bytes(files.read(name))
PYTHON
  spark_driver_holds "$scratch/root" || die "the driver for Spark does not have the pinned checksum"
  chmod 755 "$scratch/root"
  rm -rf "$spark_driver_root"
  mv -T "$scratch/root" "$spark_driver_root"
  rm -rf "$scratch"
}

main() {
  local spark=false
  local lists=(debian-packages.txt) print_root=false argument
  for argument in "$@"; do
    case $argument in
      --test) lists+=(debian-packages-test.txt) ;;
      --check) lists+=(debian-packages-check.txt) ;;
      --fuzz) lists+=(debian-packages-fuzz.txt) ;;
      --engines) lists+=(debian-packages-engines.txt) ;;
      --oracles) lists+=(debian-packages-oracles.txt) ;;
      --spark) spark=true ;;
      --print-duckdb-root) print_root=true ;;
      *) die "unknown argument: $argument" ;;
    esac
  done
  local packages root
  mapfile -t packages < <(cd "$here" && cat "${lists[@]}")
  install_packages "${packages[@]}"
  ! $spark || ensure_spark_driver
  if [[ -n ${DUCKDB_ROOT:-} ]]; then
    root=$(cd "$DUCKDB_ROOT" 2>/dev/null && pwd) || die "DUCKDB_ROOT is no directory: $DUCKDB_ROOT"
    for argument in include/duckdb.h lib/libduckdb.so; do
      [[ -f $root/$argument ]] || die "DUCKDB_ROOT lacks $argument: $root"
    done
  else
    ensure_pinned_duckdb
    root=$pinned_root
  fi
  if $print_root; then
    printf '%s\n' "$root"
  else
    printf 'bootstrap: ready, DuckDB in %s\n' "$root"
  fi
}

main "$@"
