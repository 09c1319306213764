// Runs one golden file: golden_runner plans|errors|sql|backends|dialects|cases FILE [--update], or
// some on another database: golden_runner on-ENGINE FILE….
//
//   plans   the text of EXPLAIN (DP)
//   errors  the error with its caret, and the exit code
//   sql     the rows with zero noise; plain DuckDB must give the same (@reference SQL where our
//           total meaning differs, @tolerance X relative)
//   backends  like sql, through the URL scheme of a backend (@scheme duckdb)
//   dialects  the SQL that `dpsql check --dialect` shows, or the error (@dialect postgresql)
//   on-ENGINE  the rows that `sql` has, and the rows and errors of `cases`, from a copy of the
//           database in another engine (support/conformance_engines.h). What
//           tests/conformance/ENGINE.skip lists must fail, and be there. Plans are left out: they
//           end with the SQL of one engine
//   cases   each case says by @kind which of the first three it is; errors unless it says
//
// @without UNIT asks a second time, of the database without that unit (NAME.remove.sql). What came
// out is shown below the first answer, and only numbers may differ: neither rows, keys, NULLs,
// types, prices, notices nor errors. @show types puts the columns' types above the rows.
//
// Directives: @database NAME (tests/databases/NAME.sql and .toml), @policy NAME, @url URL,
// @ledger NAME (shared by the cases that name it) or PATH, @param.NAME[:TYPE] VALUE.
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <regex>
#include <sstream>
#include <stdexcept>

#include "dpsql/check.h"
#include "dpsql/session.h"
#include "golden/golden_file.h"
#include "golden/skip_list.h"
#include "publish/format_number.h"
#include "support/engine_copies.h"
#include "support/reference_duckdb.h"
#include "support/temp_folder.h"

namespace dpsql {
namespace {

constexpr const char* kDatabases = "tests/databases/";
constexpr double kDefaultTolerance = 1e-5;  // fixed point keeps 20 bits of each row's value

class GoldenRunner {
 public:
  // `copies` where another engine is asked.
  GoldenRunner(std::string kind, const std::string& path, EngineCopies* copies)
      : kind_(std::move(kind)),
        name_(std::filesystem::path(path).filename()),
        file_(ReadGoldenFile(path)),
        copies_(copies) {
    database_ = folder_ / (database_name() + ".duckdb");
    MakeDatabase(database_, kDatabases + database_name() + ".sql");
    if (copies_ == nullptr) return;
    copy_ = copies_->Fill(database_name(), database_);
    skips_.emplace("tests/conformance/" + std::string(copies_->engine()) + ".skip");
  }

  // Whether there is a database to ask.
  bool IsInstalled() const { return copies_ == nullptr || copy_; }

  // Runs every case; the number of failures. With `update`, writes what came out.
  int Run(bool update) {
    int failures = 0;
    for (GoldenCase& golden : file_.cases) {
      if (copy_ && KindOf(golden) == "plans") {
        ++skipped_;
        continue;
      }
      const std::string actual = RunCase(golden);
      if (const Skip* skip = SkipOf(golden)) {
        const bool passes = actual == golden.expected && skip->begins != "*";
        if (passes) std::cout << "FAILED: it is skipped, and passes:\n" << golden.sql;
        failures += passes ? 1 : 0;
        skipped_ += passes ? 0 : 1;
        continue;
      }
      if (!update && actual != golden.expected) {
        std::cout << "FAILED:\n"
                  << golden.sql << "---- expected\n"
                  << golden.expected << "---- actual\n"
                  << actual;
        ++failures;
      }
      if (!differences_.empty()) {
        std::cout << "FAILED in comparison:\n" << golden.sql << differences_;
        ++failures;
      }
      golden.expected = actual;
    }
    return failures + StaleSkips();
  }

  const GoldenFile& file() const { return file_; }
  int skipped() const { return skipped_; }

 private:
  const std::string& database_name() const { return file_.head.directives.at("database"); }

  // Lines of the list that no case of this file begins with.
  int StaleSkips() const {
    int stale = 0;
    if (!skips_) return stale;
    for (const Skip& skip : skips_->skips()) {
      const auto is_this = [&](const GoldenCase& golden) { return SkipOf(golden) == &skip; };
      if (skip.file != name_ || std::any_of(file_.cases.begin(), file_.cases.end(), is_this)) {
        continue;
      }
      std::cout << "FAILED: no case begins with " << skip.begins << "\n";
      ++stale;
    }
    return stale;
  }

  const Skip* SkipOf(const GoldenCase& golden) const {
    return skips_ ? skips_->Find(name_, golden.sql) : nullptr;
  }

  // What was shown, and the same with every noisy number left out.
  struct Shown {
    std::string text;
    std::string shape;
  };

  std::string RunCase(const GoldenCase& golden) {
    differences_.clear();
    if (kind_ == "dialects") return CheckCase(golden, PolicyOf(golden));
    const Shown all = copy_ ? AskCopy(golden, database_name(), database_)
                            : AskCase(golden, Url(golden), PolicyOf(golden));
    const auto unit = file_.Directive(golden, "without");
    if (!unit) return all.text;
    const std::string rest = WithoutUnit(*unit);
    const Shown less = copy_ ? AskCopy(golden, database_name() + "-without-" + *unit, rest)
                             : AskCase(golden, rest, PolicyOf(golden));
    if (less.shape != all.shape) {
      differences_ += "more than numbers tells of unit " + *unit + ":\n" + all.shape +
                      "without:\n" + less.shape;
    }
    const std::string title = "without " + *unit + ":";
    return all.text + title + (less.text == all.text ? " the same\n" : "\n" + less.text);
  }

  std::string KindOf(const GoldenCase& golden) const {
    const bool by_case = kind_ == "cases" || copies_ != nullptr;
    return by_case ? file_.Directive(golden, "kind").value_or("errors") : kind_;
  }

  std::string PolicyOf(const GoldenCase& golden) const {
    return kDatabases + file_.Directive(golden, "policy").value_or(database_name() + ".toml");
  }

  Result<Session> Open(const GoldenCase& golden, const std::string& url,
                       const std::string& policy) {
    return Session::Open(
        {.url = url, .policy = policy, .ledger = Ledger(golden), .analyst = "tester"});
  }

  Shown AskCase(const GoldenCase& golden, const std::string& url, const std::string& policy) {
    auto session = Open(golden, url, policy);
    if (!session) return Refused(session.error(), golden.sql);
    return AskSession(golden, url, *session);
  }

  // Of the copy with this name of a DuckDB file. A session costs a server more than a question
  // does: it is used again until its budget is spent, unless what is left of it is compared.
  Shown AskCopy(const GoldenCase& golden, const std::string& name, const std::string& file) {
    const std::string url = copies_->Fill(name, file).value();
    const std::string policy = copies_->PolicyOf(name, PolicyOf(golden));
    if (file_.Directive(golden, "without")) return AskCase(golden, url, policy);
    const auto kept = sessions_.find(policy);
    if (kept != sessions_.end()) {
      Shown shown = AskSession(golden, url, kept->second);
      if (!shown.text.starts_with("ERROR B")) return shown;
      sessions_.erase(kept);
    }
    auto session = Open(golden, url, policy);
    if (!session) return Refused(session.error(), golden.sql);
    return AskSession(golden, url,
                      sessions_.emplace(policy, std::move(session).value()).first->second);
  }

  Shown AskSession(const GoldenCase& golden, const std::string& url, Session& session) {
    const std::string kind = KindOf(golden);
    Shown shown;
    const auto on_reply = [&](const Reply& reply) {
      if (const auto* answer = std::get_if<Answer>(&reply)) {
        if (file_.Directive(golden, "show") == "types") shown.text += TypesText(*answer);
        shown.text += RowsText(*answer);
        shown.shape += ShapeText(*answer);
        const bool whole = url == Url(golden);
        if (whole && (kind == "sql" || kind == "backends")) Compare(*answer, golden);
      } else if (const auto* explanation = std::get_if<Explanation>(&reply)) {
        shown.text += explanation->text;
        shown.shape += explanation->text;
      }
    };
    RunOptions options;
    options.parameters = ParametersOf(golden);
    options.dry_run = kind == "plans";
    const auto status = session.Run(golden.sql, on_reply, options);
    return status ? shown : Refused(status.error(), golden.sql);
  }

  Shown Refused(const Error& error, const std::string& sql) const {
    const std::string text = ErrorText(error, sql);
    return {.text = text, .shape = text};
  }

  std::string WithoutUnit(const std::string& unit) {
    const std::string path = folder_ / ("without-" + unit + ".duckdb");
    if (std::filesystem::exists(path)) return path;
    std::ostringstream remove;
    remove << std::ifstream(kDatabases + database_name() + ".remove.sql").rdbuf();
    std::filesystem::copy_file(database_, path);
    MakeDatabaseFromText(path, std::regex_replace(remove.str(), std::regex("\\$unit"), unit));
    return path;
  }

  // Without a database: the types are those of the policy.
  std::string CheckCase(const GoldenCase& golden, const std::string& policy) const {
    auto checker = QueryChecker::Open(
        {.policy = policy, .url = "", .dialect = file_.Directive(golden, "dialect").value_or("")});
    if (!checker) return ErrorText(checker.error(), golden.sql);
    const auto checked = checker->Check(golden.sql, ParametersOf(golden));
    if (!checked) return ErrorText(checked.error(), golden.sql);
    std::string text;
    for (const CheckedQuery& query : *checked) {
      for (const std::string& statement : query.sql) text += statement + "\n";
    }
    return text;
  }

  std::string Url(const GoldenCase& golden) const {
    const auto scheme = file_.Directive(golden, "scheme");
    return file_.Directive(golden, "url").value_or(scheme ? *scheme + ":" + database_ : database_);
  }

  Parameters ParametersOf(const GoldenCase& golden) const {
    constexpr std::string_view kPrefix = "param.";
    Parameters parameters;
    for (const GoldenCase* place : {&golden, &file_.head}) {
      for (const auto& [directive, value] : place->directives) {
        if (!directive.starts_with(kPrefix)) continue;
        const std::string left = directive.substr(kPrefix.size());
        const std::size_t colon = left.find(':');
        const auto parameter =
            colon == std::string::npos
                ? Parameter::Untyped(value)
                : Parameter{FindParameterType(left.substr(colon + 1)).value(), value};
        parameters.emplace(left.substr(0, colon), parameter);
      }
    }
    return parameters;
  }

  // A new one for each case, unless the case names one.
  std::string Ledger(const GoldenCase& golden) {
    const auto name = file_.Directive(golden, "ledger");
    if (!name) return folder_ / ("ledger-" + std::to_string(++cases_));
    return name->find('/') == std::string::npos ? folder_ / *name : *name;
  }

  // Names that change from run to run are shown by what they are.
  std::string ErrorText(const Error& error, const std::string& sql) const {
    std::string text = RenderError(error, sql) + "exit " + std::to_string(error.exit_code) + ", " +
                       error.sqlstate + "\n";
    const std::string folder = folder_ / "";
    for (std::size_t at; (at = text.find(folder)) != std::string::npos;) {
      text.replace(at, folder.size(), "FOLDER/");
    }
    return text;
  }

  static std::string CellText(const Value& value) {
    std::ostringstream text;
    std::visit(
        [&](const auto& cell) {
          using Cell = std::decay_t<decltype(cell)>;
          if constexpr (std::is_same_v<Cell, std::monostate>) {
            text << "NULL";
          } else if constexpr (std::is_same_v<Cell, double>) {
            text << ExactNumber(cell);  // engines agree to the last bit
          } else {
            text << cell;
          }
        },
        value);
    return text.str();
  }

  static std::string RowsText(const Answer& answer) {
    std::string text;
    for (const auto& row : answer.rows) {
      for (std::size_t i = 0; i < row.size(); ++i) text += (i ? "\t" : "") + CellText(row[i]);
      text += "\n";
    }
    return text;
  }

  static std::string TypesText(const Answer& answer) {
    std::string text;
    for (const AnswerColumn& column : answer.columns) {
      text += (text.empty() ? "" : "\t") + column.name + " " + column.type;
    }
    return text + "\n";
  }

  // All of an answer that no noise covers.
  static std::string ShapeText(const Answer& answer) {
    std::string text = TypesText(answer);
    for (const auto& row : answer.rows) {
      for (std::size_t i = 0; i < row.size(); ++i) {
        const ColumnRole role = answer.columns[i].role;
        const bool noisy = role == ColumnRole::kEstimate || role == ColumnRole::kDerived;
        const bool null = std::holds_alternative<std::monostate>(row[i]);
        text += (i ? "\t" : "") + (noisy && !null ? "a number" : CellText(row[i]));
      }
      text += "\n";
    }
    return text + FormatFooter(answer);
  }

  void Compare(const Answer& answer, const GoldenCase& golden) {
    const std::string sql = file_.Directive(golden, "reference").value_or(golden.sql);
    const double tolerance =
        std::stod(file_.Directive(golden, "tolerance").value_or(std::to_string(kDefaultTolerance)));
    std::vector<std::vector<Value>> expected = QueryReference(database_, sql);
    std::sort(expected.begin(), expected.end());
    std::vector<std::vector<Value>> actual = answer.rows;
    std::sort(actual.begin(), actual.end());
    if (actual.size() != expected.size()) {
      differences_ = "rows: " + std::to_string(actual.size()) + " and " +
                     std::to_string(expected.size()) + "\n";
      return;
    }
    for (std::size_t r = 0; r < actual.size(); ++r) {
      for (std::size_t c = 0; c < actual[r].size(); ++c) {
        if (Same(actual[r][c], expected[r][c], tolerance)) continue;
        differences_ += CellText(actual[r][c]) + " and " + CellText(expected[r][c]) + "\n";
      }
    }
  }

  static std::optional<double> AsNumber(const Value& value) {
    if (const auto* whole = std::get_if<std::int64_t>(&value)) return static_cast<double>(*whole);
    if (const auto* real = std::get_if<double>(&value)) return *real;
    const auto* text = std::get_if<std::string>(&value);
    std::istringstream in(text != nullptr ? *text : "");
    double number = 0;
    if (in >> number && in.eof()) return number;
    return std::nullopt;
  }

  // Counts and keys exactly; sums and means, which are DOUBLE, within the grid.
  static bool Same(const Value& actual, const Value& expected, double tolerance) {
    if (!std::holds_alternative<double>(actual)) return CellText(actual) == CellText(expected);
    const auto number = AsNumber(expected);
    const double difference = std::abs(std::get<double>(actual) - number.value_or(HUGE_VAL));
    return difference <= tolerance * std::max(1.0, std::abs(number.value_or(0)));
  }

  std::string kind_;
  std::string name_;
  GoldenFile file_;
  EngineCopies* copies_;
  TempFolder folder_;
  std::string database_;
  std::string differences_;
  int cases_ = 0;
  int skipped_ = 0;
  std::optional<std::string> copy_;  // the URL of another engine's
  std::optional<SkipList> skips_;
  std::map<std::string, Session> sessions_;  // of the copy, by policy
};

struct Totals {
  int passed = 0;
  int failed = 0;
  int skipped = 0;
};

void RunFile(GoldenRunner& runner, bool update, Totals& totals) {
  const int failures = runner.Run(update);
  const int cases = static_cast<int>(runner.file().cases.size());
  totals.passed += cases - failures - runner.skipped();
  totals.failed += cases == 0 ? 1 : failures;
  totals.skipped += runner.skipped();
}

int Run(const std::string& kind, const std::vector<std::string>& files, bool update) {
  constexpr int kNotInstalled = 77;  // which ctest shows as skipped
  constexpr std::string_view kOn = "on-";
  std::optional<EngineCopies> copies;
  if (kind.starts_with(kOn)) copies.emplace(kind.substr(kOn.size()));
  Totals totals;
  for (const std::string& file : files) {
    GoldenRunner runner(kind, file, copies ? &*copies : nullptr);
    if (!runner.IsInstalled()) return kNotInstalled;
    RunFile(runner, update, totals);
    if (update) WriteGoldenFile(file, runner.file());
  }
  std::cout << totals.passed << " passed, " << totals.failed << " failed";
  if (totals.skipped != 0) std::cout << ", " << totals.skipped << " skipped";
  std::cout << "\n";
  return totals.failed == 0 ? 0 : 1;
}

}  // namespace
}  // namespace dpsql

int main(int argc, char** argv) {
  std::vector<std::string> files(argv + std::min(argc, 2), argv + argc);
  const bool update = files.size() == 2 && files[1] == "--update";
  if (update) files.pop_back();
  const bool copied = argc > 1 && std::string_view(argv[1]).starts_with("on-");
  if (files.empty() || (copied ? update : files.size() > 1)) {
    std::cerr << "usage: golden_runner plans|errors|sql|backends|dialects|cases FILE [--update]\n"
                 "       golden_runner on-ENGINE FILE…\n";
    return 2;
  }
  return dpsql::Run(argv[1], files, update);
}
