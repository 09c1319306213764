#include "layout/row_orders.h"

#include <algorithm>

#include "support/reference_duckdb.h"

namespace dpsql {
namespace {

// n is the number of the unit, whose share falls with n^(2/3): the first has 3 % of all rows. A
// unit has up to three cities, two kinds and three tickets, but the first hundred go everywhere.
// Four units of a kind share three tickets: who gets none depends on who came before.
std::string BaseRows(std::int64_t rows) {
  const std::string count = std::to_string(rows);
  const std::string units = std::to_string(NumberOfUnits(rows));
  return "CREATE TABLE base AS SELECT i, n, n AS dense, "
         "(hash(n)::HUGEINT - 9223372036854775808)::BIGINT AS sparse, "
         "CASE WHEN n % 3 = 0 THEN 'u' || n ELSE 'a unit with a long name ' || n END AS name, "
         "md5('unit ' || n)::UUID AS id, "
         "CASE WHEN h % 3001 = 0 THEN 'rare ' || h // 3001 % 500 WHEN h % 53 = 0 THEN NULL "
         "ELSE 'city ' || hash(CASE WHEN n < 100 THEN h ELSE n + h % 3 END) % 300 END AS city, "
         "((CASE WHEN n < 100 THEN h ELSE n + h % 2 END) % 7)::INTEGER AS kind, "
         "CASE WHEN h % 19 = 0 THEN NULL WHEN h % 4001 = 0 THEN 'nan'::DOUBLE "
         "ELSE 130 * s - 12 + sin(i) END AS x, "
         "(h % 100000)::DECIMAL(9,2) / 100 AS y, "
         "DATE '2024-01-01' + (h % 3 + n % 400)::INTEGER AS day, "
         "((n // 28 * 7 + n % 7) * 3 + h % 3)::INTEGER AS ticket FROM (SELECT i, floor(" +
         units +
         " * pow(hash(i) % 1000003 / 1000003, 3))::BIGINT AS n, "
         "(hash(i + 5) % 1000000007)::BIGINT AS h, "
         "hash(i + 9) % 1000003 / 1000003 AS s FROM range(" +
         count +
         ") t(i));"
         "CREATE TABLE person AS SELECT DISTINCT n AS dense, 'town ' || hash(n) % 90 AS town, "
         "CASE WHEN n % 11 > 0 THEN (hash(n + 1) % 120)::INTEGER END AS age FROM base;";
}

std::string Laid(const LaidRows& laid) {
  const RowOrder& order = RowOrders()[laid.order];
  const std::string packing = order.is_packed ? "auto" : "uncompressed";
  std::string sql = "SET force_compression = '" + packing + "';ATTACH '" + laid.path +
                    "' AS laid (ROW_GROUP_SIZE " + std::to_string(order.row_group) +
                    ");"
                    "CREATE TABLE laid.visit (dense BIGINT NOT NULL, sparse BIGINT NOT NULL, name "
                    "VARCHAR NOT NULL, id UUID NOT NULL, city VARCHAR, kind INTEGER NOT NULL, x "
                    "DOUBLE, y DECIMAL(9,2) NOT NULL, day DATE NOT NULL, ticket INTEGER NOT NULL);";
  // A copy of every third row stands beside it until it is deleted.
  const std::string columns = "dense, sparse, name, id, city, kind, x, y, day, ticket";
  const std::string rows = order.has_gaps ? "(SELECT * FROM base UNION ALL SELECT * REPLACE "
                                            "(-1 AS dense) FROM base WHERE i % 3 = 0)"
                                          : "base";
  sql += "INSERT INTO laid.visit SELECT " + columns + " FROM " + rows + " WHERE " + laid.which +
         " ORDER BY " + order.order_by + ";";
  if (order.has_gaps) sql += "DELETE FROM laid.visit WHERE dense = -1;";
  return sql +
         "CREATE TABLE laid.person (dense BIGINT PRIMARY KEY, town VARCHAR, age INTEGER);"
         "INSERT INTO laid.person SELECT dense, town, age FROM (SELECT *, dense AS n, dense AS i, "
         "town AS city, age AS x FROM person) WHERE " +
         laid.which + " ORDER BY " + order.order_by + ";DETACH laid;";
}

}  // namespace

const std::vector<RowOrder>& RowOrders() {
  static const std::vector<RowOrder> kOrders = {
      {.name = "by unit", .order_by = "n, i", .is_packed = true},
      {.name = "by key", .order_by = "city, i", .row_group = 2'048, .has_gaps = true},
      {.name = "by value", .order_by = "x, i", .row_group = 30'720},
      {.name = "random",
       .order_by = "hash(i + 123), i",
       .row_group = 10'240,
       .is_packed = true,
       .has_gaps = true},
      {.name = "interleaved", .order_by = "i % 97, i // 97 % 31, i", .row_group = 61'440},
  };
  return kOrders;
}

const std::vector<std::string>& UnitColumns() {
  static const std::vector<std::string> kColumns = {"dense", "sparse", "name", "id"};
  return kColumns;
}

std::int64_t NumberOfUnits(std::int64_t rows) { return rows / 25; }

std::int64_t NumberOfHeavyUnits(std::int64_t rows) {
  return std::min<std::int64_t>(100, NumberOfUnits(rows) / 40);
}

void MakeDatabases(std::int64_t rows, const std::vector<LaidRows>& databases) {
  std::string sql = BaseRows(rows);
  for (const LaidRows& laid : databases) sql += Laid(laid);
  MakeDatabaseFromText(":memory:", sql);
}

}  // namespace dpsql
