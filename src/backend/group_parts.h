#pragma once

#include <string>
#include <vector>

#include "backend/lower_groups.h"
#include "sql/ast.h"

// What the statements of lower_groups.h share. All columns are of a table r.
namespace dpsql {

ast::ExprPtr AllOf(std::vector<ast::ExprPtr> conditions);
ast::ExprPtr AnyOf(std::vector<ast::ExprPtr> conditions);

// k0, k1 …
std::vector<std::string> KeyNames(const Door& door);

// The group of a row as KeyText has it.
ast::ExprPtr GroupText(const Door& door);

// A hash of columns, with the key of the question.
ast::ExprPtr PriorityBy(const PriorityKey& key, const std::vector<std::string>& columns);

// That of the group g for the unit u.
ast::ExprPtr GroupPriorityBy(const PriorityKey& key);

// 1, 2, … among the unit's groups by priority h, those first that count where it is said which.
ast::ExprPtr RankOf(ast::ExprPtr counts);

// C0, and whether a unit may have more groups than that of `most_groups`.
std::int64_t MostCounted(const Door& door);
bool NeedsRank(const Door& door, std::size_t most_groups);

// The most groups that a door's rows can have.
std::size_t MostGroups(const Door& door);

// Every column of a list, unchanged.
void Keep(const std::vector<std::string>& columns, ast::Select& select);

// Cells of units with the groups they are in, `columns` unchanged and others behind them: g, the
// text of the group, unless there is one group only; of a joined door also e, the number of the
// key, and f0 … for statistics that some keys do not show.
ast::Select Placed(const Door& door, const KeySet& keys, ast::Select cells,
                   std::vector<std::string> columns);
std::vector<std::string> PlacedColumns(const Door& door, const KeySet& keys,
                                       std::vector<std::string> columns);

// Whether f<statistic> is there.
bool HasFlag(const Door& door, const KeySet& keys, std::size_t statistic);

// What a statement groups its result by, as its first columns.
void AddResultKeys(const Door& door, const KeySet& keys, ast::Select& select);

}  // namespace dpsql
