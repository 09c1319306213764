#include "neighbours/language_tally.h"

#include <regex>
#include <utility>

#include "aggregates/aggregate.h"
#include "validate/bind_window.h"
#include "validate/functions.h"

namespace dpsql {
namespace {

using Words = std::set<std::pair<std::string, std::string>>;

constexpr const char* kMoved = "moved";
constexpr const char* kFunctions = "functions";
constexpr const char* kPeople = "people";
constexpr const char* kBelow = "below doors";

// By TypeFamily.
constexpr const char* kFamilies[] = {"boolean", "integer", "decimal",   "float",    "text",
                                     "uuid",    "date",    "timestamp", "interval", "other"};

// The forms of count have a name each.
std::string NameOf(const Aggregate& aggregate) {
  std::string name(aggregate.function);
  if (aggregate.alone.kind == StatisticKind::kUnits) name += " units";
  if (aggregate.alone.kind == StatisticKind::kDistinct) name += " distinct";
  return name;
}

// What is seen in the text alone.
struct Written {
  const char* word;
  std::regex form;
};

const std::vector<Written>& WrittenWords() {
  static const std::vector<Written> kWords = {
      {"all", std::regex("[=<>] ALL \\(SELECT")},
      {"any", std::regex("[=<>] ANY \\(SELECT")},
      {"exists", std::regex("[^T][ (]EXISTS \\(")},
      {"filter", std::regex(" FILTER \\(")},
      {"having", std::regex(" HAVING ")},
      {"in", std::regex("[^T] IN \\(SELECT")},
      {"lateral", std::regex(" LATERAL \\(")},
      {"named window", std::regex(" WINDOW w AS")},
      {"natural", std::regex(" NATURAL ")},
      {"not exists", std::regex("NOT EXISTS \\(")},
      {"not in", std::regex("NOT IN \\(SELECT")},
      {"offset of lag", std::regex(" (lag|lead)\\([^()]*, [0-9]+\\)")},
      {"scalar", std::regex("[=<>] \\(SELECT")},
      {"using", std::regex(" USING \\(")},
  };
  return kWords;
}

// What a long run must have had in accepted questions. Aggregates and windows are those that the
// product has, so that a new one is missed until it is drawn.
Words WordsOfLanguage() {
  struct Subject {
    const char* name;
    std::vector<std::string> words;
  };
  const std::vector<std::string> statistics = {"claims",
                                               "moments",
                                               "moments (1,1)",
                                               "moments (2)",
                                               "moments (2) and missing",
                                               "moments (2,1)",
                                               "moments (2,2)",
                                               "moments and missing",
                                               "rows",
                                               "units",
                                               "value"};
  const std::vector<std::string> exact = {"boolean", "date",      "decimal", "integer",
                                          "text",    "timestamp", "uuid"};
  const Subject subjects[] = {
      {"above doors",
       {"computed", "distinct", "except", "except all", "group by", "inner join", "intersect",
        "intersect all", "left join", "limit", "order by", "release", "union", "union all",
        "window"}},
      {kBelow,
       {"distinct", "except", "except all", "full join", "group by", "inner join", "intersect",
        "intersect all", "left join", "limit", "order by", "release", "test", "union", "union all",
        "window"}},
      {"claimed", exact},
      {"distinct types", exact},
      {"doors", {"1", "2", "3"}},
      {"frames",
       {"groups", "groups following", "groups preceding", "range", "rows", "rows following",
        "rows preceding"}},
      {"key types", {"boolean", "date", "decimal", "integer", "text", "timestamp"}},
      {"keys", {"declared", "discovered", "none", "public"}},
      {"noise", {"gaussian", "laplace"}},
      {kPeople, {"nobody", "one", "one, who moved something", "several"}},
      {"rows per unit", {"more", "up to 3"}},
      {"shown cells", {"all", "geometric", "threshold"}},
      {"set operations", exact},
      {"statistics", statistics},
      {"window order", exact},
      {"window values", exact},
      {"within a unit", {"avg decimal", "avg integer", "count", "sum decimal", "sum integer"}},
      {kMoved, statistics},
      {kMoved, {LanguageTally::kWholeCharge}},
  };
  Words words;
  for (const std::string& family : exact) {
    for (const char* function : {"count distinct ", "max ", "min "}) {
      words.insert({"within a unit", function + family});
    }
  }
  for (const Written& written : WrittenWords()) words.insert({"written", written.word});
  for (const Subject& subject : subjects) {
    for (const std::string& word : subject.words) words.insert({subject.name, word});
  }
  for (const Aggregate* aggregate : AllAggregates())
    words.insert({"aggregates", NameOf(*aggregate)});
  for (const ExactForm& form : WindowForms()) words.insert({"windows", std::string(form.name)});
  return words;
}

// Scalar functions by name; those of which the binder leaves no call are not seen in a plan.
std::set<std::string> FunctionNames() {
  std::set<std::string> names;
  for (const ScalarFunction& function : AllScalarFunctions()) {
    if (!function.key.empty()) names.insert(std::string(function.name));
  }
  return names;
}

// They are so many that a long run may miss some: it must have drawn this share.
constexpr double kLeastFunctions = 0.9;

std::vector<std::string> NeverDrawn(const std::map<std::string, std::int64_t>& drawn) {
  std::vector<std::string> never;
  for (const std::string& name : FunctionNames()) {
    if (!drawn.contains(name)) never.push_back(name);
  }
  return never;
}

class PlanWalk {
 public:
  explicit PlanWalk(const DpPlan& plan) {
    const std::size_t doors = plan.doors().size();
    Note("doors", doors > 3 ? "more" : std::to_string(doors));
    for (const Door& door : plan.doors()) WalkDoor(door);
    if (!plan.PlainOutputs()) Note("above doors", "computed");
    place_ = "above doors";
    WalkNode(plan.query().root());
  }

  Words Take() { return std::move(words_); }

 private:
  void Note(const std::string& subject, const std::string& word) { words_.insert({subject, word}); }

  void WalkDoor(const Door& door) {
    constexpr const char* kModes[] = {"none", "declared", "public", "discovered"};
    constexpr const char* kSelections[] = {"all", "threshold", "geometric"};
    Note("keys", kModes[static_cast<std::size_t>(door.key_mode)]);
    Note("shown cells", kSelections[static_cast<std::size_t>(door.selection)]);
    for (const BoundAggregate& aggregate : door.query->aggregates) {
      Note("aggregates", NameOf(*aggregate.aggregate));
      if (aggregate.aggregate->alone.kind == StatisticKind::kDistinct) {
        Note("claimed", FamilyOf(*aggregate.argument()));
      }
      for (const BoundedArgument& argument : aggregate.arguments) WalkExpr(*argument.expr);
    }
    for (const BoundKey& key : door.query->keys) {
      Note("key types", FamilyOf(*key.expr));
      WalkExpr(*key.expr);
    }
    for (const Statistic& statistic : door.statistics) {
      Note("statistics", Name(statistic.shape));
      Note("noise", std::string(Name(statistic.mechanism)));
    }
    Note("rows per unit", door.rows_per_unit.value <= 3 ? "up to 3" : "more");
    place_ = kBelow;
    WalkRelation(door.query->relation);
  }

  static const char* FamilyOf(const Type& type) {
    return kFamilies[static_cast<std::size_t>(type.family)];
  }
  static const char* FamilyOf(const BoundExpr& expr) { return FamilyOf(expr.type); }

  // The columns of private rows, but those that name the unit.
  void NoteColumns(const char* subject, const CatalogTable& table) {
    for (std::size_t i = 0; i < table.columns.size() && !table.is_public; ++i) {
      if (table.unit_column != i) Note(subject, FamilyOf(table.columns[i].type));
    }
  }

  void WalkGrouping(const Grouping& grouping) {
    for (const ExactAggregate& aggregate : grouping.aggregates) {
      const std::string name = aggregate.function + (aggregate.distinct ? " distinct" : "");
      const bool typed = name != "count" && aggregate.argument;
      Note("within a unit",
           typed ? name + " " + FamilyOf(*aggregate.argument) : aggregate.function);
    }
  }

  void WalkWindow(const WindowCall& call) {
    using ast::FrameBoundKind;
    constexpr const char* kModes[] = {"rows", "range", "groups"};
    Note("windows", call.function);
    for (const BoundExprPtr& argument : call.arguments) Note("window values", FamilyOf(*argument));
    // What the binder adds stands behind what was written.
    if (!call.order_by.empty()) Note("window order", FamilyOf(*call.order_by[0].expr));
    if (!call.frame) return;
    const std::string mode = kModes[static_cast<std::size_t>(*call.frame)];
    Note("frames", mode);
    for (const FrameBoundKind bound : {call.start, call.end}) {
      if (bound == FrameBoundKind::kPreceding) Note("frames", mode + " preceding");
      if (bound == FrameBoundKind::kFollowing) Note("frames", mode + " following");
    }
  }

  void WalkRelation(const Relation& relation) {
    constexpr const char* kRoles[] = {"inner join", "left join", "full join", "test"};
    for (std::size_t i = 0; i < relation.scans.size(); ++i) {
      const Scan& scan = relation.scans[i];
      if (i > 0) Note(place_, kRoles[static_cast<std::size_t>(scan.role)]);
      if (scan.node) WalkNode(*scan.node);
      for (const BoundExprPtr& condition : scan.on) WalkExpr(*condition);
    }
    for (const BoundExprPtr& condition : relation.conditions) WalkExpr(*condition);
  }

  // The calls of row expressions.
  void WalkExpr(const BoundExpr& expr) {
    if (expr.overload != nullptr) Note(kFunctions, std::string(expr.overload->name));
    for (const BoundExprPtr& argument : expr.arguments) WalkExpr(*argument);
  }

  void WalkNode(const QueryNode& node) {
    if (const auto* projection = std::get_if<Projection>(&node.body)) {
      for (const BoundExprPtr& column : projection->columns) WalkExpr(*column);
      if (projection->distinct) {
        Note(place_, "distinct");
        NoteColumns("distinct types", node.table);
      }
      if (projection->limit) Note(place_, "limit");
      if (!projection->order_by.empty()) Note(place_, "order by");
    } else if (const auto* grouping = std::get_if<Grouping>(&node.body)) {
      Note(place_, "group by");
      if (!node.table.is_public) WalkGrouping(*grouping);
    } else if (std::holds_alternative<Windowing>(node.body)) {
      Note(place_, "window");
      for (const WindowCall& call : std::get<Windowing>(node.body).windows) {
        node.table.is_public ? Note("windows", call.function) : WalkWindow(call);
      }
    } else if (const auto* both = std::get_if<SetOperation>(&node.body)) {
      constexpr const char* kOperations[] = {"union", "intersect", "except"};
      Note(place_, std::string(kOperations[static_cast<std::size_t>(both->op)]) +
                       (both->all ? " all" : ""));
      NoteColumns("set operations", node.table);
      WalkNode(*both->left);
      WalkNode(*both->right);
    } else if (std::holds_alternative<Release>(node.body)) {
      Note(place_, "release");
    }
    if (const Relation* relation = RelationOf(node)) WalkRelation(*relation);
  }

  Words words_;
  std::string place_;
};

}  // namespace

void LanguageTally::Add(const DpPlan& plan, const std::string& sql) {
  ++questions_;
  for (const Written& written : WrittenWords()) {
    if (std::regex_search(sql, written.form)) ++counts_["written"][written.word];
  }
  for (const auto& [subject, word] : PlanWalk(plan).Take()) ++counts_[subject][word];
}

void LanguageTally::Add(const LanguageTally& other) {
  questions_ += other.questions_;
  for (const auto& [subject, words] : other.counts_) {
    for (const auto& [word, count] : words) counts_[subject][word] += count;
  }
}

void LanguageTally::AddPeople(std::size_t units, std::int64_t moved) {
  ++counts_[kPeople][units == 0 ? "nobody" : units == 1 ? "one" : "several"];
  if (units == 1 && moved > 0) counts_[kPeople]["one, who moved something"] += moved;
}

void LanguageTally::AddMoved(const std::map<std::string, std::int64_t>& statistics) {
  for (const auto& [name, cases] : statistics) counts_[kMoved][name] += cases;
}

bool LanguageTally::Has(const std::string& subject, const std::string& word) const {
  const auto words = counts_.find(subject);
  return words != counts_.end() && words->second.contains(word);
}

std::vector<std::string> LanguageTally::MissingOnEngine(bool is_long) const {
  std::vector<std::pair<std::string, std::string>> words = {
      {"keys", "discovered"}, {kMoved, "rows"}, {kMoved, "units"}};
  if (is_long) {
    for (const char* word : {"claims", "moments", "moments (2)", "value", kWholeCharge}) {
      words.emplace_back(kMoved, word);
    }
    for (const char* word : {"group by", "test", "union all", "window"}) {
      words.emplace_back(kBelow, word);
    }
  }
  std::vector<std::string> missing;
  for (const auto& [subject, word] : words) {
    if (!Has(subject, word)) missing.push_back(subject + ": no case has " + word);
  }
  return missing;
}

std::vector<std::string> LanguageTally::Missing() const {
  std::vector<std::string> missing;
  for (const auto& [subject, word] : WordsOfLanguage()) {
    if (Has(subject, word)) continue;
    missing.push_back(subject == kMoved ? "no unit moved " + word
                                        : subject + ": no accepted question has " + word);
  }
  const auto drawn = counts_.find(kFunctions);
  const std::vector<std::string> never =
      NeverDrawn(drawn == counts_.end() ? std::map<std::string, std::int64_t>() : drawn->second);
  const auto all = static_cast<double>(FunctionNames().size());
  if (static_cast<double>(never.size()) > (1 - kLeastFunctions) * all) {
    missing.push_back("functions: no accepted question has one of");
    for (const std::string& name : never) missing.back() += " " + name;
  }
  return missing;
}

std::string LanguageTally::Table() const {
  std::string text;
  for (const auto& [subject, words] : counts_) {
    std::string line = "  " + subject + std::string(16 - subject.size(), ' ');
    std::string separator;
    if (subject == kFunctions) {
      const std::size_t all = FunctionNames().size();
      text += line + std::to_string(all - NeverDrawn(words).size()) + " of " + std::to_string(all) +
              " names\n";
      continue;
    }
    for (const auto& [word, count] : words) {
      line += std::exchange(separator, ", ") + word + " " + std::to_string(count);
    }
    text += line + "\n";
  }
  return text;
}

}  // namespace dpsql
