#include "neighbours/language_tally.h"

#include <utility>

namespace dpsql {
namespace {

using Words = std::set<std::pair<std::string, std::string>>;

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
      const StatisticKind kind = aggregate.aggregate->alone.kind;
      std::string name(aggregate.aggregate->function);
      if (kind == StatisticKind::kUnits) name += " units";
      if (kind == StatisticKind::kDistinct) name += " distinct";
      Note("aggregates", name);
    }
    for (const Statistic& statistic : door.statistics) {
      Note("statistics", Name(statistic.shape));
      Note("noise", std::string(Name(statistic.mechanism)));
    }
    Note("rows per unit", door.rows_per_unit.value <= 3 ? "up to 3" : "more");
    place_ = "below doors";
    WalkRelation(door.query->relation);
  }

  void WalkRelation(const Relation& relation) {
    constexpr const char* kRoles[] = {"inner join", "left join", "full join", "test"};
    for (std::size_t i = 0; i < relation.scans.size(); ++i) {
      const Scan& scan = relation.scans[i];
      if (i > 0) Note(place_, kRoles[static_cast<std::size_t>(scan.role)]);
      if (scan.node) WalkNode(*scan.node);
    }
  }

  void WalkNode(const QueryNode& node) {
    if (const auto* projection = std::get_if<Projection>(&node.body)) {
      if (projection->distinct) Note(place_, "distinct");
      if (projection->limit) Note(place_, "limit");
      if (!projection->order_by.empty()) Note(place_, "order by");
    } else if (std::holds_alternative<Grouping>(node.body)) {
      Note(place_, "group by");
    } else if (std::holds_alternative<Windowing>(node.body)) {
      Note(place_, "window");
    } else if (const auto* both = std::get_if<SetOperation>(&node.body)) {
      constexpr const char* kOperations[] = {"union", "intersect", "except"};
      Note(place_, kOperations[static_cast<std::size_t>(both->op)]);
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

void LanguageTally::Add(const DpPlan& plan) {
  ++questions_;
  for (const auto& [subject, word] : PlanWalk(plan).Take()) ++counts_[subject][word];
}

void LanguageTally::Add(const LanguageTally& other) {
  questions_ += other.questions_;
  for (const auto& [subject, words] : other.counts_) {
    for (const auto& [word, count] : words) counts_[subject][word] += count;
  }
}

std::string LanguageTally::Table() const {
  std::string text;
  for (const auto& [subject, words] : counts_) {
    std::string line = "  " + subject + std::string(16 - subject.size(), ' ');
    std::string separator;
    for (const auto& [word, count] : words) {
      line += std::exchange(separator, ", ") + word + " " + std::to_string(count);
    }
    text += line + "\n";
  }
  return text;
}

}  // namespace dpsql
