#include "account/budget_terms.h"
#include "base/names.h"
#include "engine/policy_diff.h"

namespace dpsql {
namespace {

template <typename T>
const T* Find(const std::vector<T>& items, const std::string& name) {
  for (const T& item : items) {
    if (SameName(item.name, name)) return &item;
  }
  return nullptr;
}

std::string Joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

// Whose the rows are, as the policy says it.
std::string OwnerText(const TablePolicy& table) {
  if (table.unit_column) return *table.unit_column;
  if (!table.link) return "none";
  return Joined(table.link->columns) + " through " + table.link->parent_table + " (" +
         Joined(table.link->parent_columns) + ")";
}

std::string BoundsText(const ColumnPolicy& column) {
  if (!column.lower) return "none";
  return ExactText(*column.lower) + " to " + ExactText(*column.upper);
}

bool Inside(const ColumnPolicy& inner, const ColumnPolicy& outer) {
  return *outer.lower <= *inner.lower && *inner.upper <= *outer.upper;
}

std::string BoundsMeaning(const ColumnPolicy& before, const ColumnPolicy& after) {
  if (!before.lower) return "sums need no bounds in the question";
  if (!after.lower) return "sums need bounds in the question";
  if (Inside(before, after)) return "wider: more noise in sums, fewer values clamped";
  if (Inside(after, before)) return "narrower: less noise in sums, more values clamped";
  return "values are clamped elsewhere";
}

class TableComparer {
 public:
  TableComparer(const TablePolicy& before, const TablePolicy& after, PolicyChanges& changes)
      : before_(before),
        after_(after),
        changes_(changes),
        section_("[tables." + after.name + "]") {}

  void Compare() {
    if (before_.is_public != after_.is_public) {
      CompareStanding();
      return;
    }
    CompareSource();
    if (!after_.is_public) CompareOwner();
    CompareColumns();
  }

 private:
  void CompareStanding() {
    if (after_.is_public) {
      changes_.Add(Effect::kWeaker, section_ + " was private, now is public",
                   "its rows are protected no longer: answers may show them exactly");
    } else {
      changes_.Add(Effect::kStronger, section_ + " was public, now is private",
                   "its rows are protected from here on; what was shown stays known");
    }
  }

  void CompareSource() {
    const std::string before = before_.source ? before_.source->pattern : "the database";
    const std::string after = after_.source ? after_.source->pattern : "the database";
    if (before == after) return;
    changes_.Add(Effect::kSame, section_ + " source: " + Arrow(before, after),
                 "other data under the same budget; give it another  [data] version");
  }

  void CompareOwner() {
    const std::string before = OwnerText(before_);
    const std::string after = OwnerText(after_);
    if (before != after) {
      changes_.Add(Effect::kWeaker, section_ + " unit: " + Arrow(before, after),
                   "somebody else is protected; what was spent so far protected those before");
    }
    if (before_.kind != after_.kind) {
      changes_.Add(Effect::kWeaker, section_ + " kind: " + Arrow(before_.kind, after_.kind),
                   "somebody else is protected; what was spent so far protected those before");
    }
    if (before_.max_rows_per_unit != after_.max_rows_per_unit) CompareCap();
    if (before_.declared_keys == after_.declared_keys) return;
    changes_.Add(Effect::kSame, section_ + " declares other keys",
                 "believed only where the database or  dpsql check --verify  says the same");
  }

  void CompareCap() {
    const auto text = [](const std::optional<std::int64_t>& cap) {
      return cap ? std::to_string(*cap) : "none";
    };
    const bool both = before_.max_rows_per_unit && after_.max_rows_per_unit;
    const char* meaning = "enforced where it stands; without it each question must bring a bound";
    if (both) {
      meaning = *after_.max_rows_per_unit > *before_.max_rows_per_unit
                    ? "enforced either way: more noise, fewer rows that weigh less"
                    : "enforced either way: less noise, more rows that weigh less";
    }
    changes_.Add(Effect::kSame,
                 section_ + " max_rows_per_unit: " +
                     Arrow(text(before_.max_rows_per_unit), text(after_.max_rows_per_unit)),
                 meaning);
  }

  // A column that is not declared is as one without a word; of a text file it is not there at all.
  void CompareColumns() {
    for (const ColumnPolicy& column : before_.columns) {
      const ColumnPolicy* after = Find(after_.columns, column.name);
      CompareColumn(column, after != nullptr ? *after : ColumnPolicy{.name = column.name},
                    after != nullptr);
    }
    for (const ColumnPolicy& column : after_.columns) {
      if (Find(before_.columns, column.name) != nullptr) continue;
      CompareColumn({.name = column.name}, column, true);
    }
  }

  void CompareColumn(const ColumnPolicy& before, const ColumnPolicy& after, bool declared) {
    const std::string what = section_ + " " + after.name;
    const bool text = after_.source && after_.source->is_text();
    const bool was_shown = !before.hidden && (!text || before.type);
    const bool is_shown = !after.hidden && (!text || declared);
    if (was_shown != is_shown) {
      changes_.Add(
          is_shown ? Effect::kWeaker : Effect::kStronger,
          what + (is_shown ? " could not be asked, now can" : " could be asked, now cannot"),
          is_shown ? "questions may use it, within the same budget" : "no question may use it");
    }
    if (before.lower != after.lower || before.upper != after.upper) {
      changes_.Add(Effect::kSame, what + " bounds: " + Arrow(BoundsText(before), BoundsText(after)),
                   BoundsMeaning(before, after));
    }
    if (before.values != after.values) {
      changes_.Add(Effect::kSame, what + " has another list of values",
                   "the list is public: anybody may read it in answers, so it must not be taken "
                   "from the data");
    }
    if (before.nullable != after.nullable) {
      changes_.Add(Effect::kSame, what + " nullable is another",
                   "with  nullable = false  rows that are NULL there are left out");
    }
    const bool retyped = before.type && after.type && !(*before.type == *after.type);
    if (retyped) {
      changes_.Add(Effect::kSame, what + " type: " + Arrow(before.type->name, after.type->name),
                   "a value of text that is not of the type is NULL");
    }
  }

  const TablePolicy& before_;
  const TablePolicy& after_;
  PolicyChanges& changes_;
  std::string section_;
};

void SayNew(const TablePolicy& table, PolicyChanges& changes) {
  const std::string what = "[tables." + table.name + "] is new, ";
  if (table.is_public) {
    changes.Add(Effect::kWeaker, what + "and public", "answers may show its rows exactly");
  } else {
    changes.Add(Effect::kSame, what + "and private",
                "more can be asked, within the same budget; look whether  unit  names all whom its "
                "rows are about");
  }
}

void SayGone(const TablePolicy& table, PolicyChanges& changes) {
  changes.Add(table.is_public ? Effect::kStronger : Effect::kSame,
              "[tables." + table.name + "] is gone", "it can be asked no more");
}

}  // namespace

void CompareTables(const Policy& before, const Policy& after, PolicyChanges& changes) {
  for (const TablePolicy& table : before.tables) {
    const TablePolicy* same = Find(after.tables, table.name);
    if (same == nullptr) {
      SayGone(table, changes);
    } else {
      TableComparer(table, *same, changes).Compare();
    }
  }
  for (const TablePolicy& table : after.tables) {
    if (Find(before.tables, table.name) == nullptr) SayNew(table, changes);
  }
}

}  // namespace dpsql
