#include "speed/measure.h"

#include <sys/resource.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <optional>
#include <vector>

#include "dpsql/session.h"
#include "speed/apart.h"
#include "speed/exact_engine.h"

namespace dpsql {
namespace {

using Json = nlohmann::json;

double CpuMilliseconds() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  const auto of = [](const timeval& time) {
    return 1e3 * static_cast<double>(time.tv_sec) + 1e-3 * static_cast<double>(time.tv_usec);
  };
  return of(usage.ru_utime) + of(usage.ru_stime);
}

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

// A session with a policy and a ledger of its own on disk, gone at the end.
class Asker {
 public:
  explicit Asker(const MeasureOptions& options) : folder_(MakeFolder()) {
    std::ofstream(folder_ + "/bench.toml") << options.policy;
    Result<Session> opened = Session::Open({.url = options.database,
                                            .policy = folder_ + "/bench.toml",
                                            .ledger = folder_ + "/bench.ledger",
                                            .analyst = "bench"});
    if (opened) {
      session_.emplace(std::move(opened).value());
    } else {
      refusal_ = Words(opened.error());
    }
  }
  Asker(const Asker&) = delete;
  Asker& operator=(const Asker&) = delete;
  ~Asker() {
    session_.reset();
    std::filesystem::remove_all(folder_);
  }

  void Set(const std::string& settings) {
    if (!session_ || settings.empty()) return;
    const Status done = session_->Run(settings, [](const Reply&) {});
    if (!done) refusal_ = Words(done.error());
  }

  // Every call reads the data: an answer from storage counts as a refusal.
  void Ask(const std::string& sql) {
    if (!refusal_.empty()) return;
    const Result<Answer> answer = session_->Ask(sql);
    if (!answer) {
      refusal_ = Words(answer.error());
    } else if (answer->stored) {
      refusal_ = "the answer was stored, nothing was computed";
    } else {
      rows_ = answer->rows.size();
    }
  }

  const std::string& refusal() const { return refusal_; }
  std::size_t rows() const { return rows_; }

 private:
  static std::string MakeFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "dpsql-speed-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) std::abort();
    return name;
  }
  static std::string Words(const Error& error) { return error.code + ": " + error.message; }

  std::string folder_;
  std::optional<Session> session_;
  std::string refusal_;
  std::size_t rows_ = 0;
};

Json PeakOfOurs(const Question& question, const MeasureOptions& options) {
  Asker asker(options);
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

constexpr int kInARow = 3;

Json Times(const Question& question, const MeasureOptions& options, bool refused) {
  Asker asker(options);
  asker.Set(question.settings);
  ExactEngine engine(options.database);
  std::vector<Form> forms;
  forms.push_back({"exact", [&] { engine.Run(question.exact); }, {}, {}});
  forms.push_back({"per_unit", [&] { engine.Run(question.per_unit); }, {}, {}});
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
  row["per_unit_peak_mb"] = RunApart([&] { return PeakOfExact(question.per_unit, options); });
  const bool refused = row.contains("refused");
  row.update(RunApart([&] { return Times(question, options, refused); }));
  return row;
}

}  // namespace dpsql
