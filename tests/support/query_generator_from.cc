#include <algorithm>
#include <array>
#include <utility>

#include "support/query_generator.h"

namespace dpsql {
namespace {

constexpr std::string_view kPublic = "public";

bool Fits(const CatalogTable& table, std::string_view kind) {
  if (kind.empty()) return true;
  if (kind == kPublic) return table.is_public;
  return table.name == kind || (!table.is_public && table.kind == kind);
}

}  // namespace

std::string QueryGenerator::NewAlias() {
  const std::string number = std::to_string(++names_);
  if (Bold(1)) return Name(choices_.Pick(tables_).name);  // hides a table of this name
  constexpr std::array kForms = {"t", "t", "t", "Tab", "\"T ", "\"order", "_"};
  const std::string form = choices_.Pick(kForms);
  return form + number + (form[0] == '"' ? "\"" : "");
}

void QueryGenerator::RenameColumns(Source& source, std::string& text) {
  std::string list;
  const std::size_t count = 1 + choices_.Below(source.columns.size());
  for (std::size_t i = 0; i < count; ++i) {
    source.columns[i].name = "r" + std::to_string(++names_);
    list += (i == 0 ? " (" : ", ") + source.columns[i].name;
  }
  text += list + ")";
  source.table = nullptr;  // its keys are known by their old names
}

std::string QueryGenerator::From(Scope& scope, int depth, std::string_view kind) {
  Source first;
  std::string text = TakeSource(first, depth, kind);
  scope.sources.push_back(std::move(first));
  constexpr std::array<std::size_t, 8> kJoins = {0, 0, 0, 0, 1, 1, 1, 2};
  for (std::size_t i = choices_.Pick(kJoins); i > 0 && sources_left_ > 0; --i) {
    text = JoinNext(scope, depth, std::move(text));
  }
  return text;
}

std::string QueryGenerator::TakeSource(Source& source, int depth, std::string_view kind) {
  if (sources_left_ > 0) --sources_left_;
  if (!ctes_.empty() && choices_.In16(8)) {
    source = choices_.Pick(ctes_);
    std::string name = source.alias;
    if (choices_.In16(4)) return name;
    source.alias = NewAlias();
    return name + " AS " + source.alias;
  }
  if (Bold(1) && kind == kPublic) {
    source.alias = NewAlias();
    source.columns = {{.name = "n"}, {.name = "w", .type = TypeFamily::kText}};
    return "(VALUES (1, 'Paris'), (2, 'Lyon')) AS " + source.alias + " (n, w)";
  }
  const bool derived = depth > 0 && sources_left_ > 0 && choices_.In16(5);
  return derived ? TakeDerived(source, depth - 1, kind) : TakeTable(source, kind);
}

std::string QueryGenerator::TakeTable(Source& source, std::string_view kind) {
  std::vector<const CatalogTable*> fitting;
  const bool shared = kind.empty() && !choices_.In16(2);
  for (const CatalogTable& table : tables_) {
    if (Fits(table, kind) && !(shared && table.is_public)) fitting.push_back(&table);
  }
  const CatalogTable& table = fitting.empty() ? tables_[0] : *choices_.Pick(fitting);
  source.table = &table;
  source.kind = table.is_public ? "" : table.kind;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    const CatalogColumn& column = table.columns[i];
    source.columns.push_back({.name = column.name,
                              .type = column.type.family,
                              .unit = table.unit_column == i,
                              .hidden = column.hidden,
                              .bounded = column.bounds.has_value()});
  }
  std::string text = Name(table.name);
  source.alias = text;
  if (choices_.In16(4)) return text;
  source.alias = NewAlias();
  text += (choices_.In16(8) ? " AS " : " ") + source.alias;
  if (Bold(1)) RenameColumns(source, text);
  return text;
}

std::string QueryGenerator::TakeDerived(Source& source, int depth, std::string_view kind) {
  Shape shape = choices_.In16(6) ? Shape::kPerUnit : Shape::kRows;
  if (Bold(2)) shape = Shape::kReleased;
  if (kind == kPublic && !choices_.In16(4)) shape = Shape::kPublic;
  Query query = Inner(shape, depth, kind == kPublic ? "" : kind, nullptr);
  source.alias = NewAlias();
  source.columns = std::move(query.columns);
  source.kind = std::move(query.kind);
  std::string text = "(" + query.sql + ") AS " + source.alias;
  if (Bold(1)) RenameColumns(source, text);
  return text;
}

// Which table to join to what is there.
std::string_view QueryGenerator::NextKind(const Scope& scope) {
  const std::string_view kind = KindOf(scope);
  if (Miss(NearMiss::kMixedKinds)) {
    for (const CatalogTable& table : tables_) {
      if (!table.is_public && table.kind != kind) return table.name;
    }
  }
  if (choices_.In16(4)) return kPublic;
  for (const Source& source : scope.sources) {
    const bool linked = source.table != nullptr && source.table->link.has_value();
    if (linked && !choices_.In16(4)) return tables_[source.table->link->parent_table].name;
  }
  return kind;
}

std::string QueryGenerator::JoinNext(Scope& scope, int depth, std::string text) {
  if (depth > 0 && Bold(1)) return text + Lateral(scope, depth);
  Source right;
  std::string right_text = TakeSource(right, depth - 1, NextKind(scope));
  if (Bold(1)) {
    // The right side is itself a join, in brackets.
    Scope inner;
    inner.sources.push_back(right);
    Source more;
    const std::string more_text = TakeSource(more, 0, NextKind(inner));
    right_text = "(" + right_text + " JOIN " + more_text + " ON " + Condition(inner, more, 0) + ")";
    text += JoinText(scope, right, right_text, depth);
    scope.sources.push_back(std::move(right));
    scope.sources.push_back(std::move(more));
    return text;
  }
  text += JoinText(scope, right, right_text, depth);
  scope.sources.push_back(std::move(right));
  return text;
}

std::string QueryGenerator::JoinText(Scope& scope, Source& right, const std::string& right_text,
                                     int depth) {
  const std::size_t form = choices_.Below(8);
  if (form == 7) {
    scope.conditions.push_back(Condition(scope, right, depth));
    return ", " + right_text;
  }
  if (Bold(1)) return " CROSS JOIN " + right_text;
  const std::string shared = SharedColumn(scope, right);
  if (!shared.empty() && Bold(1)) return " JOIN " + right_text + " USING (" + shared + ")";
  if (!shared.empty() && Bold(1)) return " NATURAL JOIN " + right_text;
  const std::string condition = Condition(scope, right, depth);
  std::string word = " JOIN ";
  if (form == 5 || form == 6) {
    word = " LEFT JOIN ";
    right.optional = true;
  } else if (form == 4 && choices_.In16(8)) {
    const bool full = Bold(3);
    word = full ? " FULL OUTER JOIN " : " RIGHT JOIN ";
    right.optional = full;
    for (Source& source : scope.sources) source.optional = true;
  }
  return word + right_text + " ON " + condition;
}

std::string QueryGenerator::Lateral(Scope& scope, int depth) {
  const Shape shape = choices_.In16(8) ? Shape::kPerUnit : Shape::kRows;
  const std::string kind(KindOf(scope));
  Query query = Inner(shape, depth - 1, kind, &scope);
  Source source{.alias = NewAlias(), .columns = query.columns, .kind = query.kind};
  const std::string body = "LATERAL (" + query.sql + ") AS " + source.alias;
  const std::size_t form = choices_.Below(3);
  source.optional = form == 1;
  scope.sources.push_back(std::move(source));
  if (form == 0) return " CROSS JOIN " + body;
  return form == 1 ? " LEFT JOIN " + body + " ON TRUE" : ", " + body;
}

std::string QueryGenerator::Condition(const Scope& scope, const Source& right, int depth) {
  const bool owned = !right.kind.empty() && !KindOf(scope).empty();
  if (owned && Miss(NearMiss::kDroppedJoin)) return "TRUE";
  if (owned && Miss(NearMiss::kOtherJoinColumn)) return AnyCondition(scope, right);
  std::string condition = LinkCondition(scope, right);
  const auto unit = std::find_if(right.columns.begin(), right.columns.end(),
                                 [](const Column& column) { return column.unit; });
  if (condition.empty() && owned && unit != right.columns.end()) {
    const auto owner = Owner(scope);
    const std::string other = Ref(right, *unit);
    if (owner) condition = choices_.In16(8) ? other + " = " + *owner : *owner + " = " + other;
  }
  if (condition.empty()) condition = AnyCondition(scope, right);
  if (depth > 0 && choices_.In16(3)) {
    Scope alone;
    alone.sources.push_back(right);
    condition += " AND " + SimplePredicate(alone, 0);
  }
  return condition;
}

std::string QueryGenerator::KeysEqual(const Source& child, const Source& parent) {
  const CatalogLink& link = *child.table->link;
  std::string text;
  for (std::size_t i = 0; i < link.columns.size(); ++i) {
    text += (i == 0 ? "" : " AND ") + Ref(child, child.columns[link.columns[i]]) + " = " +
            Ref(parent, parent.columns[link.parent_columns[i]]);
  }
  return text;
}

std::string QueryGenerator::LinkCondition(const Scope& scope, const Source& right) {
  if (right.table == nullptr) return "";
  const auto is_child = [&](const Source& child, const Source& parent) {
    return child.table->link && &tables_[child.table->link->parent_table] == parent.table;
  };
  for (const Source& left : scope.sources) {
    if (left.table == nullptr) continue;
    if (is_child(right, left)) return KeysEqual(right, left);
    if (is_child(left, right)) return KeysEqual(left, right);
  }
  return "";
}

std::string QueryGenerator::AnyCondition(const Scope& scope, const Source& right) {
  std::vector<std::string> pairs;
  for (const Source& left : scope.sources) {
    for (const Column& a : left.columns) {
      for (const Column& b : right.columns) {
        const bool usable = a.type == b.type && !a.unit && !b.unit && !a.hidden && !b.hidden;
        if (usable) pairs.push_back(left.alias + "." + a.name + " = " + right.alias + "." + b.name);
      }
    }
  }
  return pairs.empty() ? "TRUE" : choices_.Pick(pairs);
}

std::string QueryGenerator::SharedColumn(const Scope& scope, const Source& right) {
  for (const Column& a : scope.sources.back().columns) {
    for (const Column& b : right.columns) {
      if (a.name == b.name) return a.name;
    }
  }
  return "";
}

std::string_view QueryGenerator::KindOf(const Scope& scope) const {
  for (const Source& source : scope.sources) {
    if (!source.kind.empty() && !source.optional) return source.kind;
  }
  return "";
}

std::optional<std::string> QueryGenerator::Owner(const Scope& scope) {
  const auto find = [&](bool optional) -> std::optional<std::string> {
    for (const Source& source : scope.sources) {
      if (source.optional != optional) continue;
      for (const Column& column : source.columns) {
        if (column.unit) return Ref(source, column);
      }
    }
    return std::nullopt;
  };
  if (near_miss_ == NearMiss::kNullableOwner) {
    auto copy = find(true);
    if (copy && Miss(NearMiss::kNullableOwner)) return copy;
  }
  return find(false);
}

}  // namespace dpsql
