#pragma once

#include <string>
#include <vector>

#include "dpsql/result.h"
#include "sql/dialect.h"
#include "validate/bound_query.h"

namespace dpsql {

// A table of hostile values: extremes, zeros, infinities, NaN, texts that are empty, long or look
// like numbers and dates, every pair of them in some row. `grid` has NULLs, `solid` none.
void MakeGridDatabase(const std::string& path);

// The catalog of both tables.
const Catalog& GridCatalog();

// The texts of arguments for a form: columns of the grid, and literals where it asks for them.
// `any` is the column that stands for values of any type, such as "i"; `day` is "d" or "z".
std::vector<std::string> GridArguments(const ScalarFunction& function, const std::string& any,
                                       const std::string& number, const std::string& day);

// What stands for a letter that asks for a literal; nothing for one that takes a column.
std::string LiteralFor(char letter, bool second);

// All calls worth trying of a form.
std::vector<std::string> GridCalls(const ScalarFunction& function);

// The expression as DuckDB runs it over the table, bound as the argument of COUNT.
struct PrintedExpr {
  std::string sql;
  Type type;
  bool nullable = true;
  std::optional<Interval> interval;
};
PrintedExpr PrintOver(const std::string& table, const std::string& expr, const Catalog& catalog);

// The expression over `grid` in another database's SQL, or why it cannot be asked there.
Result<std::string> PrintFor(const std::string& expr, const Dialect& dialect);

}  // namespace dpsql
