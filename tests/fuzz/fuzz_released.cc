// Text as a question, and nasty tables in the place of its releases and of the public tables it
// reads: what stands above the doors, in the engine that has no private data. The bytes behind the
// last "--" at the beginning of a line choose the rows; where nothing stands before it, they choose
// the question too.
//
// Findings: an exception, an answer of another shape than the plan's, words of the engine's own in
// an error, SQL that the engine cannot read, a private table, the content of a file.
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "backend/duckdb_handles.h"
#include "backend/lower_answer.h"
#include "backend/public_engine.h"
#include "base/check.h"
#include "base/utf8.h"
#include "fuzz/finding.h"
#include "fuzz/nasty_tables.h"
#include "fuzz/target.h"
#include "plan/plan.h"
#include "sql/dialect.h"
#include "sql/parser.h"
#include "sql/printer.h"
#include "support/memory_folder.h"
#include "support/query_generator.h"
#include "support/test_catalog.h"
#include "validate/validate.h"

namespace dpsql {
namespace {

constexpr std::string_view kSecret = "canary-4711";
constexpr std::int64_t kMaxGroups = 20;
constexpr std::size_t kDraws = 40;

class ReleasedTarget {
 public:
  // A file that a question could name stands where the program is.
  ReleasedTarget() : catalog_(MakeShopCatalog({.max_groups = kMaxGroups})) {
    folder_.Write("canary.csv", "secret\n" + std::string(kSecret) + "\n");
    Check(::chdir((folder_ / "").c_str()) == 0, "there is a folder to be in");
  }

  void Run(std::string_view text) {
    ++runs_;
    constexpr std::string_view kMark = "\n--";
    const std::size_t mark = text.starts_with("--") ? 0 : text.rfind(kMark);
    const std::string_view rest = mark == std::string_view::npos ? "" : text.substr(mark + 2);
    Choices choices({reinterpret_cast<const std::uint8_t*>(rest.data()), rest.size()});
    std::string sql(text.substr(0, mark));
    if (mark == 0) sql = QueryGenerator(catalog_.tables(), choices).Next().sql;
    const auto statements = Parse(sql);
    if (!statements || statements->size() != 1) return;
    const auto* ask = std::get_if<ast::SelectStatement>(&statements->front().node);
    if (ask == nullptr || ask->select.privacy) return;
    auto bound = Validate(ask->select, catalog_);
    if (!bound) return;
    const auto plan = Plan(std::move(bound).value(), DefaultSettings(catalog_.policy()));
    if (!plan) return;
    ++planned_;
    Answer(*plan, choices);
  }

  std::string Summary() const {
    std::string text = std::to_string(runs_) + " questions, " + std::to_string(planned_) +
                       " planned, " + std::to_string(answered_) + " answered; failed";
    for (const auto& [kind, count] : failed_) text += "  " + kind + " " + std::to_string(count);
    return text + "\n";
  }

 private:
  void Answer(const DpPlan& plan, Choices& choices) {
    std::vector<PublicTable> tables = PublicReads(plan);
    for (PublicTable& table : tables) {
      const auto known = catalog_.FindTable(table.name);
      Check(known && catalog_.table(*known).is_public, "only public tables are read above a door");
      FillTable(table, choices);
    }
    const std::size_t draws = WantsDraws(plan) && choices.In16(12) ? kDraws : 0;
    for (std::size_t i = 0; i < plan.doors().size(); ++i) {
      const BoundDoor& query = *plan.doors()[i].query;
      PublicTable table = ReleaseTable(plan.doors()[i], i);
      FillTable(table, choices);
      const std::size_t keys = query.keys.size();
      if (draws > 0) FillDraws(table, keys, keys + query.aggregates.size(), draws, choices);
      tables.push_back(std::move(table));
    }
    const ast::Select select = LowerShown(plan, draws).select;
    const auto rows = RunPublic(tables, select);
    if (!rows) return Failed(rows.error(), tables, select);
    ++answered_;
    for (const std::vector<Value>& row : *rows) CheckRow(row, select.items.size());
  }

  static void CheckRow(const std::vector<Value>& row, std::size_t columns) {
    Check(row.size() == columns, "a row has the columns of the plan");
    for (const Value& value : row) {
      const auto* text = std::get_if<std::string>(&value);
      if (text == nullptr) continue;
      Check(text->find(kSecret) == std::string::npos, "no file is read");
      Check(IsValidUtf8(*text), "a text is UTF-8");
    }
  }

  // The error has fixed words. What the engine says is looked at here alone: a number may be too
  // large, and nothing else.
  void Failed(const Error& error, const std::vector<PublicTable>& tables,
              const ast::Select& select) {
    Check(error.code == "E503" &&
              error.message == "what stands above the releases could not be computed",
          "an error above the doors has fixed words");
    DuckDbDatabase database;
    Check(database.OpenEmpty().empty(), "an empty database opens");
    DuckDbConnection connection(database);
    const std::string sql = PrintSelect(select, DuckDbDialect());
    std::optional<DuckDbFailure> failure;
    for (const PublicTable& table : tables) {
      if (!failure) failure = connection.Add(table);
    }
    std::vector<std::vector<Value>> rows;
    if (!failure) failure = connection.ReadRows(sql, select.items.size(), rows);
    Check(failure.has_value(), "what failed fails again");
    const std::string kind = failure->text.substr(0, failure->text.find(':'));
    ++failed_[kind];
    for (const char* fine : {"Out of Range Error", "Out of Memory Error"}) {
      if (kind == fine) return;
    }
    std::fprintf(stderr, "%s\n%s\n", failure->text.c_str(), sql.c_str());
    throw Bug("what is printed can be run");
  }

  MemoryFolder folder_;
  Catalog catalog_;
  std::size_t runs_ = 0;
  std::size_t planned_ = 0;
  std::size_t answered_ = 0;
  std::map<std::string, std::size_t> failed_;
};

}  // namespace
}  // namespace dpsql

extern "C" int LLVMFuzzerInitialize(int* /*argc*/, char*** /*argv*/) {
  return dpsql::SummarizeAtExit<dpsql::ReleasedTarget>();
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  dpsql::OrAbort([&] { dpsql::TheTarget<dpsql::ReleasedTarget>().Run(text); }, text);
  return 0;
}
