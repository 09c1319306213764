#include "random/shrink.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace dpsql {
namespace {

class Shrinker {
 public:
  Shrinker(RandomCase failing, const std::function<bool(const RandomCase&)>& fails, int tries)
      : best_(std::move(failing)), fails_(fails), tries_(tries) {}

  RandomCase Run() {
    if (best_.database.copies > 1) {
      RandomCase smaller = best_;
      smaller.database.copies = 1;
      Take(std::move(smaller));
    }
    if (std::holds_alternative<Question>(best_.question)) ShrinkQuestion();
    for (std::size_t table = 0; table < best_.database.tables().size(); ++table) DropAll(table);
    for (std::size_t table = 0; table < best_.database.tables().size(); ++table) DropRows(table);
    return std::move(best_);
  }

 private:
  bool Take(RandomCase smaller) {
    if (tries_-- <= 0 || !fails_(smaller)) return false;
    best_ = std::move(smaller);
    return true;
  }

  template <typename Change>
  bool TakeChanged(Change change) {
    RandomCase smaller = best_;
    change(std::get<Question>(smaller.question));
    return Take(std::move(smaller));
  }

  // WHERE stays: bounds may follow from it.
  void ShrinkQuestion() {
    const Question& question = std::get<Question>(best_.question);
    for (std::size_t i = question.outputs.size(); i-- > 0;) {
      if (std::get<Question>(best_.question).outputs.size() < 2) break;
      TakeChanged([i](Question& q) { q.outputs.erase(q.outputs.begin() + Offset(i)); });
    }
    TakeChanged([](Question& q) { q.least_rows.reset(); });
    TakeChanged([](Question& q) { q.limit.reset(); });
    if (!std::get<Question>(best_.question).limit) {
      TakeChanged([](Question& q) { q.by_keys = q.by_count = SortOrder::kNone; });
    }
    if (std::get<Question>(best_.question).is_sorted()) return;
    for (std::size_t i = std::get<Question>(best_.question).keys.size(); i-- > 0;) {
      TakeChanged([i](Question& q) { q.keys.erase(q.keys.begin() + Offset(i)); });
    }
  }

  static std::ptrdiff_t Offset(std::size_t place) { return static_cast<std::ptrdiff_t>(place); }

  void DropAll(std::size_t table) {
    RandomCase smaller = best_;
    smaller.database.tables()[table]->rows.clear();
    Take(std::move(smaller));
  }

  // By halves, then quarters, down to single rows.
  void DropRows(std::size_t table) {
    const auto rows = [&](RandomDatabase& of) -> std::vector<std::string>& {
      return of.tables()[table]->rows;
    };
    for (std::size_t chunk = rows(best_.database).size(); chunk > 0; chunk /= 2) {
      for (std::size_t at = 0; at < rows(best_.database).size();) {
        RandomCase smaller = best_;
        auto& left = rows(smaller.database);
        const std::size_t end = std::min(at + chunk, left.size());
        left.erase(left.begin() + Offset(at), left.begin() + Offset(end));
        if (!Take(std::move(smaller))) at += chunk;
      }
    }
  }

  RandomCase best_;
  const std::function<bool(const RandomCase&)>& fails_;
  int tries_;
};

}  // namespace

std::string RandomCase::asked() const {
  const auto* plain = std::get_if<Question>(&question);
  return plain != nullptr ? plain->Asked() : std::get<NestedQuestion>(question).asked;
}

std::optional<std::string> Wrong(const RandomCase& tried, const std::string& stem) {
  RandomHouse house(tried.database, stem);
  return std::visit([&](const auto& question) { return house.Try(question).wrong; },
                    tried.question);
}

RandomCase Shrink(RandomCase failing, const std::function<bool(const RandomCase&)>& fails,
                  int tries) {
  return Shrinker(std::move(failing), fails, tries).Run();
}

}  // namespace dpsql
