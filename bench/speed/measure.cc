#include "speed/measure.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <optional>
#include <vector>

#include "speed/apart.h"
#include "speed/asker.h"
#include "speed/exact_engine.h"

namespace dpsql {
namespace {

using Json = nlohmann::json;

double Median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// One of the three forms, with its times.
struct Form {
  std::string name;
  std::function<void()> run;
  std::vector<double> wall_ms;
  std::vector<double> cpu_ms;

  void Time() {
    const double cpu = CpuMilliseconds();
    const auto begin = std::chrono::steady_clock::now();
    run();
    const std::chrono::duration<double, std::milli> wall = std::chrono::steady_clock::now() - begin;
    wall_ms.push_back(wall.count());
    cpu_ms.push_back(CpuMilliseconds() - cpu);
  }
};

Json PeakOfOurs(const Question& question, const MeasureOptions& options) {
  Asker asker(options.database, options.policy);
  asker.Set(question.settings);
  asker.Ask(question.sql);
  if (!asker.refusal().empty()) return {{"refused", asker.refusal()}};
  return {{"peak_mb", PeakMegabytes()}};
}

Json PeakOfExact(const std::string& sql, const MeasureOptions& options) {
  ExactEngine engine(options.database);
  engine.Run(sql);
  return PeakMegabytes();
}

constexpr int kInARow = 9;

Json Times(const Question& question, const MeasureOptions& options, bool refused) {
  Asker asker(options.database, options.policy);
  asker.Set(question.settings);
  ExactEngine engine(options.database);
  std::vector<Form> forms;
  forms.push_back({"exact", [&] { engine.Run(question.exact); }, {}, {}});
  if (!question.per_unit.empty()) {
    forms.push_back({"per_unit", [&] { engine.Run(question.per_unit); }, {}, {}});
  }
  if (!refused) forms.push_back({"dpsql", [&] { asker.Ask(question.sql); }, {}, {}});
  for (const Form& form : forms) form.run();
  // The forms take turns, so that what else the machine does meets all of them. Each runs some
  // times in a row: what the others leave in the caches is not what is measured.
  const auto begin = std::chrono::steady_clock::now();
  int done = 0;
  for (int turn = 0; done < options.repetitions; ++turn) {
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begin;
    if (turn > 0 && passed.count() > options.seconds) break;
    for (std::size_t i = 0; i < forms.size(); ++i) {
      Form& form = forms[(i + static_cast<std::size_t>(turn)) % forms.size()];
      for (int k = 0; k < kInARow; ++k) form.Time();
    }
    done += kInARow;
  }
  Json row = {{"repetitions", done}, {"rows", asker.rows()}};
  if (!asker.refusal().empty()) row["refused"] = asker.refusal();
  for (const Form& form : forms) {
    row[form.name + "_ms"] = Median(form.wall_ms);
    row[form.name + "_cpu_ms"] = Median(form.cpu_ms);
  }
  return row;
}

}  // namespace

Json Measure(const Question& question, const MeasureOptions& options) {
  Json row = {{"query", question.name}, {"sql", question.sql}};
  row.update(RunApart([&] { return PeakOfOurs(question, options); }));
  row["exact_peak_mb"] = RunApart([&] { return PeakOfExact(question.exact, options); });
  if (!question.per_unit.empty()) {
    row["per_unit_peak_mb"] = RunApart([&] { return PeakOfExact(question.per_unit, options); });
  }
  const bool refused = row.contains("refused");
  row.update(RunApart([&] { return Times(question, options, refused); }));
  return row;
}

}  // namespace dpsql
