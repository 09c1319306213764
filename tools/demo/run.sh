#!/usr/bin/env bash
# Shows the product at work: a small shop, made on the spot, and five questions to it.
# Usage: tools/demo/run.sh BUILD-FOLDER
set -euo pipefail
build=$(cd "${1:-build}" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

say() { printf '\n\033[1m%s\033[0m\n' "$*"; }
# Runs one command as a user would type it.
ask() {
  printf '\n$ dpsql shop.duckdb --policy shop.toml -c "%s"\n' "$1"
  "$build/dpsql" shop.duckdb --policy shop.toml -c "$1" || printf '(exit %s)\n' "$?"
}

say "A shop with 3,000 customers, made on the spot. Its owner wrote this policy:"
"$build/tools/duckdb-load" shop.duckdb "$here/shop.sql"
cp "$here/shop.toml" .
sed -n '/^\[budget\]/,/^\[tables.orders\]/p' shop.toml | sed '$d'

say "1. Ordinary SQL, ordinary table: each number with its 95 % noise interval."
ask "SELECT segment, count(*) AS customers, avg(age) AS age FROM customer GROUP BY segment"

say "2. Cities. Hiroo has four customers only: with k = 10 it is never shown."
ask "SELECT city, count(*) AS customers FROM customer GROUP BY city"

say "3. A join that would mix two people's rows is refused, and says what to write."
ask "SELECT count(*) FROM customer c JOIN orders o ON c.age = o.customer_id"

say "4. As it said."
ask "SELECT c.city, avg(o.amount) AS amount FROM customer c JOIN orders o ON c.customer_id = o.customer_id GROUP BY c.city"

say "5. What would it cost? EXPLAIN (DP) is free and reads no data."
ask "EXPLAIN (DP) SELECT product, sum(quantity) FROM item GROUP BY product" | grep -v '^SELECT'

say "6. The same question again: the stored answer, nothing spent."
ask "SELECT city, count(*) AS customers FROM customer GROUP BY city"
