#include "random/known_keys.h"

#include <algorithm>
#include <regex>

namespace dpsql {
namespace {

// Whether an expression reads no table but this one. Tables are named r1, r2, …
bool ReadsOnly(const std::string& text, const std::string& table) {
  static const std::regex kTable("\\br[0-9]+\\b");
  const std::sregex_iterator begin(text.begin(), text.end(), kTable);
  return std::all_of(begin, std::sregex_iterator(),
                     [&](const std::smatch& name) { return name.str() == table; });
}

bool IsColumnOf(const std::string& text, const std::string& table) {
  static const std::regex kColumn("(r[0-9]+)\\.[a-z0-9]+");
  std::smatch parts;
  return std::regex_match(text, parts, kColumn) && parts[1].str() == table;
}

std::vector<std::string> Filters(const RandomRelation& relation,
                                 const std::optional<Expression>& where) {
  std::vector<std::string> filters = relation.filters;
  for (const auto& condition : {relation.condition, where}) {
    if (!condition) continue;
    for (const std::string& filter : ConjunctsOf(*condition)) filters.push_back(filter);
  }
  return filters;
}

}  // namespace

std::optional<std::string> KnownKeys(const RandomRelation& relation,
                                     const std::optional<Expression>& where,
                                     const std::vector<Expression>& keys) {
  if (!relation.place || keys.empty()) return std::nullopt;
  std::string list;
  for (const Expression& key : keys) {
    if (!IsColumnOf(key.plain, *relation.place)) return std::nullopt;
    list += list.empty() ? "SELECT DISTINCT " : ", ";
    list += key.plain + " AS k" + std::to_string(&key - keys.data());
  }
  std::string sql = list + " FROM plain_place " + *relation.place + " WHERE TRUE";
  for (const std::string& filter : Filters(relation, where)) {
    if (ReadsOnly(filter, *relation.place)) sql += " AND " + filter;
  }
  return sql;
}

std::string RowsUnderKeys(const std::string& rows, const std::string& known, std::size_t keys) {
  std::string names;
  std::string same;
  for (std::size_t i = 0; i < keys; ++i) {
    const std::string key = "k" + std::to_string(i);
    names += (i == 0 ? "" : ", ") + key;
    same += (i == 0 ? "" : " AND ") + ("known." + key) + " IS NOT DISTINCT FROM own." + key;
  }
  return "SELECT known.*, own.* EXCLUDE (" + names + ") FROM (" + known + ") known LEFT JOIN (" +
         rows + ") own ON " + same;
}

}  // namespace dpsql
