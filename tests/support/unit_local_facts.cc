#include "support/unit_local_facts.h"

#include <algorithm>
#include <utility>

namespace dpsql::unit_local {
namespace {

// The same parent row, by the same key of it.
bool NameOneRow(const Identity& a, std::size_t scan_a, const Identity& b, std::size_t scan_b,
                const Classes& classes) {
  if (a.table != b.table || a.columns.size() != b.columns.size()) return false;
  for (const auto& [key, column] : a.columns) {
    const auto other = b.columns.find(key);
    if (other == b.columns.end()) return false;
    if (classes.Column({scan_a, column}) != classes.Column({scan_b, other->second})) return false;
  }
  return true;
}

// Where each bare column of the relation stands among the outputs.
std::optional<std::size_t> PositionOf(BoundColumn at, const std::vector<BoundExprPtr>& columns) {
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (IsColumn(*columns[i]) && columns[i]->column == at) return i;
  }
  return std::nullopt;
}

}  // namespace

bool IsExact(const Type& type) {
  switch (type.family) {
    case TypeFamily::kBoolean:
    case TypeFamily::kInteger:
    case TypeFamily::kDecimal:
    case TypeFamily::kText:
    case TypeFamily::kUuid:
    case TypeFamily::kDate:
    case TypeFamily::kTimestamp:
      return true;
    case TypeFamily::kFloat:
    case TypeFamily::kInterval:
    case TypeFamily::kOther:
      break;
  }
  return false;
}

bool IsColumn(const BoundExpr& expr) { return expr.kind == BoundKind::kColumn; }

RowFacts FactsOfTable(const Catalog& catalog, std::size_t table) {
  const CatalogTable& declared = catalog.table(table);
  RowFacts facts{.is_private = !declared.is_public};
  for (const CatalogColumn& column : declared.columns) facts.types.push_back(column.type);
  for (const auto& key : declared.unique_keys) facts.keys.emplace_back(key.begin(), key.end());
  if (declared.is_public) return facts;
  facts.kind = declared.kind;
  Promise(declared.unit_column.has_value() != declared.link.has_value(),
          "a private table has its unit, or a link to it");
  if (declared.unit_column) {
    facts.owners = {*declared.unit_column};
    facts.tainted = {*declared.unit_column};
  }
  for (const auto& key : declared.unique_keys) {
    Identity own{.table = table, .columns = {}};
    for (const std::size_t column : key) own.columns[column] = column;
    facts.identities.push_back(std::move(own));
  }
  if (declared.link) {
    Identity parent{.table = declared.link->parent_table, .columns = {}};
    for (std::size_t i = 0; i < declared.link->columns.size(); ++i) {
      parent.columns[declared.link->parent_columns[i]] = declared.link->columns[i];
    }
    facts.identities.push_back(std::move(parent));
  }
  return facts;
}

Classes::Classes(const std::vector<RowFacts>& scans) {
  for (const RowFacts& scan : scans) {
    first_.push_back(parents_.size());
    for (std::size_t i = 0; i < scan.types.size(); ++i) parents_.push_back(parents_.size());
  }
  owners_ = parents_.size();
  for (std::size_t i = 0; i < scans.size(); ++i) parents_.push_back(parents_.size());
}

std::size_t Classes::Find(std::size_t element) const {
  while (parents_[element] != element) element = parents_[element];
  return element;
}

bool Classes::Join(std::size_t a, std::size_t b) {
  if (Find(a) == Find(b)) return false;
  parents_[Find(a)] = Find(b);
  return true;
}

RelationFacts::RelationFacts(const Relation& relation, const std::vector<RowFacts>& scans)
    : relation_(relation), scans_(scans), classes_(scans) {
  for (const Scan& scan : relation.scans) is_full_ = is_full_ || scan.role == ScanRole::kFull;
  if (is_full_) {
    Promise(relation.scans.size() == 2 && inner(0) && relation.conditions.empty() &&
                relation.scans[1].role == ScanRole::kFull,
            "a FULL JOIN has two sides and nothing beside them");
    Promise(scans[0].is_private == scans[1].is_private,
            "a FULL JOIN does not mix private and public rows");
  }
  AddEqualities(relation.conditions, classes_);
  FindOwner();
  for (std::size_t s = 0; s < scans.size(); ++s) {
    if (scans[s].is_private && !inner(s)) CheckAttached(s);
  }
  FindTaint();
  single_ = is_full_ ? std::vector<bool>(scans.size(), false) : Close({});
}

bool RelationFacts::inner(std::size_t scan) const {
  return relation_.scans[scan].role == ScanRole::kInner;
}

bool RelationFacts::joined(std::size_t scan) const {
  return relation_.scans[scan].role != ScanRole::kTested;
}

// Only bare columns of one exact type: values of two types can meet as DOUBLE, where two units may
// be equal.
void RelationFacts::AddEqualities(const std::vector<BoundExprPtr>& conditions,
                                  Classes& classes) const {
  for (const BoundExprPtr& condition : conditions) {
    if (condition->kind != BoundKind::kCall) continue;
    if (condition->function == "and") AddEqualities(condition->arguments, classes);
    if (condition->function != "=" || condition->arguments.size() != 2) continue;
    const BoundExpr& x = *condition->arguments[0];
    const BoundExpr& y = *condition->arguments[1];
    if (!IsColumn(x) || !IsColumn(y)) continue;
    const Type& type = scans_[x.column.scan].types[x.column.column];
    if (type != scans_[y.column.scan].types[y.column.column]) continue;
    classes.Join(classes.Column(x.column), classes.Column(y.column));
  }
}

// Rows that name one parent row have its owner; that may make more columns equal, and so on.
void RelationFacts::TieParents(const std::set<std::size_t>& members, Classes& classes) const {
  for (const std::size_t s : members) {
    for (const std::size_t owner : scans_[s].owners) {
      classes.Join(classes.OwnerOf(s), classes.Column({s, owner}));
    }
  }
  const auto tie = [&](std::size_t s, std::size_t t) {
    for (const Identity& a : scans_[s].identities) {
      for (const Identity& b : scans_[t].identities) {
        if (!NameOneRow(a, s, b, t, classes)) continue;
        return classes.Join(classes.OwnerOf(s), classes.OwnerOf(t));
      }
    }
    return false;
  };
  for (bool grown = true; grown;) {
    grown = false;
    for (const std::size_t s : members) {
      for (const std::size_t t : members) grown = (s < t && tie(s, t)) || grown;
    }
  }
}

void RelationFacts::FindOwner() {
  std::set<std::size_t> members;
  for (std::size_t s = 0; s < scans_.size(); ++s) {
    if (scans_[s].is_private && inner(s)) members.insert(s);
  }
  TieParents(members, classes_);
  if (members.empty()) return;
  owner_ = *members.begin();
  is_private_ = true;
  kind_ = scans_[*owner_].kind;
  bool named = false;
  for (const std::size_t s : members) {
    Promise(scans_[s].kind == kind_, "rows of two kinds of units are never joined");
    Promise(classes_.OwnerOf(s) == classes_.OwnerOf(*owner_),
            "all private rows of a join have one owner");
    named = named || !scans_[s].owners.empty();
  }
  Promise(named, "the owner of a private row is among its columns");
}

// The equalities that hold where the scan's row is found: the relation's, and its own.
Classes RelationFacts::WithOwn(std::size_t scan) const {
  Classes classes = classes_;
  AddEqualities(relation_.scans[scan].on, classes);
  if (!scans_[scan].is_private || !owner_) return classes;
  std::set<std::size_t> members = {scan};
  for (std::size_t s = 0; s < scans_.size(); ++s) {
    if (scans_[s].is_private && inner(s)) members.insert(s);
  }
  TieParents(members, classes);
  return classes;
}

// By its own conditions: what WHERE says later cannot undo that a row of somebody else was looked
// for, and not found.
void RelationFacts::CheckAttached(std::size_t scan) {
  Promise(is_private_, "public rows never ask about private ones");
  Promise(scans_[scan].kind == kind_, "rows of two kinds of units are never joined");
  const Classes classes = WithOwn(scan);
  Promise(classes.OwnerOf(scan) == classes.OwnerOf(*owner_),
          "an optional or tested private scan is tied to the owner by its own conditions");
}

void RelationFacts::FindTaint() {
  for (std::size_t s = 0; s < scans_.size(); ++s) {
    const Classes classes = inner(s) ? classes_ : WithOwn(s);
    for (std::size_t c = 0; c < scans_[s].types.size(); ++c) {
      const bool equal = is_private_ && classes.Column({s, c}) == classes.OwnerOf(*owner_);
      if (equal || scans_[s].tainted.contains(c)) tainted_.emplace(s, c);
    }
  }
}

bool RelationFacts::HoldsOwnerAt(BoundColumn at) const {
  if (!is_private_ || is_full_) return false;
  const bool there = at.scan < scans_.size() && at.column < scans_[at.scan].types.size();
  return there && classes_.Column(at) == classes_.OwnerOf(*owner_);
}

bool RelationFacts::HoldsOwner(const BoundExpr& expr) const {
  if (!is_private_) return false;
  if (!is_full_) return IsColumn(expr) && HoldsOwnerAt(expr.column);
  // Neither side is in every row; one of them is.
  if (expr.kind != BoundKind::kCall || expr.function != "coalesce") return false;
  if (expr.arguments.size() != 2) return false;
  std::set<std::size_t> sides;
  for (const BoundExprPtr& part : expr.arguments) {
    if (!IsColumn(*part) || !scans_[part->column.scan].owners.contains(part->column.column)) {
      return false;
    }
    sides.insert(part->column.scan);
  }
  return sides.size() == 2 && expr.arguments[0]->type == expr.arguments[1]->type;
}

bool RelationFacts::Tainted(const BoundExpr& expr) const {
  return AnyLeaf(expr, [&](const BoundExpr& leaf) {
    return IsColumn(leaf) && tainted_.contains({leaf.column.scan, leaf.column.column});
  });
}

bool RelationFacts::Fixed(const BoundExpr& expr) const {
  std::set<std::size_t> fixed;
  if (is_private_ && !is_full_) fixed.insert(classes_.OwnerOf(*owner_));
  for (std::size_t s = 0; s < scans_.size(); ++s) {
    for (std::size_t c = 0; single_[s] && c < scans_[s].types.size(); ++c) {
      fixed.insert(classes_.Column({s, c}));
    }
  }
  return !AnyLeaf(expr, [&](const BoundExpr& leaf) {
    return !IsColumn(leaf) || !fixed.contains(classes_.Column(leaf.column));
  });
}

bool RelationFacts::Reached(std::size_t scan, const Classes& classes,
                            const std::set<std::size_t>& fixed) const {
  return std::any_of(scans_[scan].keys.begin(), scans_[scan].keys.end(), [&](const auto& key) {
    return std::all_of(key.begin(), key.end(), [&](std::size_t column) {
      return fixed.contains(classes.Column({scan, column}));
    });
  });
}

// Whether an optional row is found is the same for all rows of a unit: with two rows it could be
// found for the one and not for the other.
bool RelationFacts::ReadsFixed(std::size_t scan, const std::set<std::size_t>& fixed) const {
  const std::vector<BoundExprPtr>& on = relation_.scans[scan].on;
  return std::none_of(on.begin(), on.end(), [&](const BoundExprPtr& condition) {
    return AnyLeaf(*condition, [&](const BoundExpr& leaf) {
      if (!IsColumn(leaf)) return true;
      return leaf.column.scan != scan && !fixed.contains(classes_.Column(leaf.column));
    });
  });
}

// The scans of which there is one row, for one unit and one value of each of the given columns.
std::vector<bool> RelationFacts::Close(const std::vector<BoundColumn>& given) const {
  std::vector<bool> single(scans_.size(), false);
  const auto fixed = [&](const Classes& classes) {
    std::set<std::size_t> found;
    if (owner_) found.insert(classes.OwnerOf(*owner_));
    for (const BoundColumn at : given) found.insert(classes.Column(at));
    for (std::size_t s = 0; s < scans_.size(); ++s) {
      for (std::size_t c = 0; single[s] && c < scans_[s].types.size(); ++c) {
        found.insert(classes.Column({s, c}));
      }
    }
    return found;
  };
  const auto settles = [&](std::size_t s) {
    if (inner(s)) return Reached(s, classes_, fixed(classes_));
    const Classes own = WithOwn(s);
    return ReadsFixed(s, fixed(classes_)) && Reached(s, own, fixed(own));
  };
  for (bool grown = true; grown;) {
    grown = false;
    for (std::size_t s = 0; s < scans_.size(); ++s) {
      if (single[s] || !joined(s) || !settles(s)) continue;
      single[s] = true;
      grown = true;
    }
  }
  return single;
}

bool RelationFacts::AllJoined(const std::vector<bool>& single) const {
  if (is_full_) return false;
  for (std::size_t s = 0; s < scans_.size(); ++s) {
    if (joined(s) && !single[s]) return false;
  }
  return true;
}

void RelationFacts::AddKeys(const std::vector<BoundExprPtr>& columns, RowFacts& facts) const {
  if (is_full_) return;
  if (AllSingle()) facts.keys.emplace_back();
  for (std::size_t s = 0; s < scans_.size(); ++s) {
    if (!joined(s)) continue;
    for (const std::set<std::size_t>& key : scans_[s].keys) {
      std::set<std::size_t> positions;
      std::vector<BoundColumn> given;
      for (const std::size_t column : key) {
        const auto at = PositionOf({s, column}, columns);
        if (!at) continue;
        positions.insert(*at);
        given.push_back({s, column});
      }
      if (AllJoined(Close(given))) facts.keys.push_back(positions);
    }
  }
}

RowFacts RelationFacts::Project(const std::vector<BoundExprPtr>& columns) const {
  RowFacts facts{.is_private = is_private_, .kind = kind_};
  for (std::size_t i = 0; i < columns.size(); ++i) {
    facts.types.push_back(columns[i]->type);
    if (HoldsOwner(*columns[i])) facts.owners.insert(i);
    if (Tainted(*columns[i])) facts.tainted.insert(i);
  }
  AddKeys(columns, facts);
  for (std::size_t s = 0; s < scans_.size(); ++s) {
    if (!inner(s) || is_full_) continue;
    for (const Identity& identity : scans_[s].identities) {
      Identity kept{.table = identity.table, .columns = {}};
      for (const auto& [key, column] : identity.columns) {
        if (const auto at = PositionOf({s, column}, columns)) kept.columns[key] = *at;
      }
      if (kept.columns.size() == identity.columns.size()) facts.identities.push_back(kept);
    }
  }
  return facts;
}

}  // namespace dpsql::unit_local
