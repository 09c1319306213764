#include "neighbours/shrink_case.h"

#include <algorithm>
#include <exception>
#include <utility>

namespace dpsql {
namespace {

constexpr int kHouses = 400;        // that a shrink may open
constexpr int kQuestions = 20'000;  // that it may plan

// Words, quoted texts, brackets and commas.
std::vector<std::string> TokensOf(const std::string& sql) {
  std::vector<std::string> tokens(1);
  char quote = 0;
  for (const char c : sql) {
    if (quote != 0) {
      tokens.back() += c;
      if (c == quote) quote = 0;
    } else if (c == '\'' || c == '"') {
      quote = c;
      tokens.back() += c;
    } else if (c == ' ' || c == '\n') {
      tokens.emplace_back();
    } else if (c == '(' || c == ')' || c == ',') {
      tokens.emplace_back(1, c);
      tokens.emplace_back();
    } else {
      tokens.back() += c;
    }
  }
  std::erase(tokens, "");
  return tokens;
}

std::string TextOf(const std::vector<std::string>& tokens) {
  std::string text;
  for (const std::string& token : tokens) text += (text.empty() ? "" : " ") + token;
  return text;
}

std::ptrdiff_t Offset(std::size_t place) { return static_cast<std::ptrdiff_t>(place); }

class Shrinker {
 public:
  Shrinker(NeighbourCase failing, const NeighbourHouse::Manner& manner)
      : best_(std::move(failing)), manner_(manner) {}

  NeighbourCase Run() {
    ShrinkQuestion();
    for (const std::string& unit : best_.Units()) DropUnit(unit);
    for (std::size_t table = 0; table < best_.tables.size(); ++table) DropRows(table);
    for (std::size_t table = best_.tables.size(); table-- > 0;) DropTable(table);
    return std::move(best_);
  }

 private:
  bool Take(NeighbourCase smaller) {
    if (houses_-- <= 0 || !FindIn(smaller, {manner_})) return false;
    best_ = std::move(smaller);
    return true;
  }

  // Longest stretches first, in one house: most of what is left is no SQL, and soon refused.
  void ShrinkQuestion() {
    NeighbourHouse house(best_, manner_.engine);
    const auto fails = [&](const std::string& sql) {
      const Result<DpPlan> plan = house.Plan(sql);
      return plan.ok() && house.Try(*plan, manner_).has_value();
    };
    std::vector<std::string> tokens = TokensOf(best_.question);
    if (!fails(TextOf(tokens))) return;
    for (std::size_t length = tokens.size(); length > 0; --length) {
      for (std::size_t at = 0; at + length <= tokens.size() && questions_-- > 0;) {
        std::vector<std::string> fewer = tokens;
        fewer.erase(fewer.begin() + Offset(at), fewer.begin() + Offset(at + length));
        if (fails(TextOf(fewer))) {
          tokens = std::move(fewer);
        } else {
          ++at;
        }
      }
    }
    best_.question = TextOf(tokens);
  }

  void DropUnit(const std::string& unit) {
    NeighbourCase smaller = best_;
    for (CaseTable& table : smaller.tables) {
      std::erase_if(table.rows, [&](const CaseRow& row) { return row.owner == unit; });
    }
    Take(std::move(smaller));
  }

  // By halves, then quarters, down to single rows.
  void DropRows(std::size_t table) {
    for (std::size_t chunk = best_.tables[table].rows.size(); chunk > 0; chunk /= 2) {
      for (std::size_t at = 0; at < best_.tables[table].rows.size();) {
        NeighbourCase smaller = best_;
        std::vector<CaseRow>& left = smaller.tables[table].rows;
        const std::size_t end = std::min(at + chunk, left.size());
        left.erase(left.begin() + Offset(at), left.begin() + Offset(end));
        if (!Take(std::move(smaller))) at += chunk;
      }
    }
  }

  // With what the policy says of it. Where another table leads to it, the policy is refused.
  void DropTable(std::size_t table) {
    NeighbourCase smaller = best_;
    const std::string name = smaller.tables[table].name;
    const std::size_t begin = smaller.policy.find("[tables." + name + "]");
    if (begin == std::string::npos) return;
    const std::size_t columns = smaller.policy.find("[tables." + name + ".columns]", begin);
    const std::size_t behind = columns == std::string::npos ? begin : columns;
    const std::size_t end = smaller.policy.find("[tables.", behind + 1);
    smaller.policy.erase(begin, end == std::string::npos ? end : end - begin);
    smaller.tables.erase(smaller.tables.begin() + Offset(table));
    std::erase_if(smaller.verified, [&](const CaseKey& key) { return key.table == name; });
    Take(std::move(smaller));
  }

  NeighbourCase best_;
  const NeighbourHouse::Manner& manner_;
  int houses_ = kHouses;
  int questions_ = kQuestions;
};

}  // namespace

std::optional<NeighbourFinding> FindIn(const NeighbourCase& tried,
                                       const std::vector<NeighbourHouse::Manner>& manners) {
  try {
    NeighbourHouse house(tried, manners.front().engine);
    const Result<DpPlan> plan = house.Plan(tried.question);
    if (!plan) return std::nullopt;
    for (const NeighbourHouse::Manner& manner : manners) {
      if (auto finding = house.Try(*plan, manner)) return finding;
    }
  } catch (const std::exception&) {  // the policy no longer fits
  }
  return std::nullopt;
}

NeighbourCase ShrinkCase(NeighbourCase failing, const NeighbourHouse::Manner& manner) {
  return Shrinker(std::move(failing), manner).Run();
}

}  // namespace dpsql
