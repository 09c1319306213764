#include "layout/exact_numbers.h"

#include <fstream>
#include <sstream>
#include <utility>

#include "account/ledger.h"
#include "backend/backend.h"
#include "backend/duckdb_cells.h"
#include "backend/duckdb_open.h"
#include "backend/duckdb_snapshot.h"
#include "base/check.h"
#include "base/try.h"
#include "catalog/catalog.h"
#include "engine/ledger_of_policy.h"
#include "engine/statement_options.h"
#include "noise/noise.h"
#include "noise/select_keys.h"
#include "plan/plan.h"
#include "sql/parser.h"
#include "validate/validate.h"

namespace dpsql {
namespace {

class LastIncident : public IncidentLog {
 public:
  std::string Record(std::string_view text) override {
    text_ = text;
    return "i-0";
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

// The database as the backend opens it, with room for a single byte of cells: every pass outgrows
// it at its first row.
class SmallDatabase {
 public:
  SmallDatabase(const std::string& path, IncidentLog& incidents)
      : incidents_(incidents), data_(path, incidents) {}

  Status Open(const Policy& policy) {
    TRY_DONE(data_.Open(policy));
    Check(RowRegistry::Register(data_.database().handle(), rows_), "DuckDB takes a function");
    return Done{};
  }

  Result<Snapshot> Begin(const DpPlan& plan, const Reservation& paid) const {
    const DuckDbResources resources{
        .rows = rows_, .facts = facts_, .incidents = incidents_, .threads = 1, .cell_memory = 1};
    DuckDbPreparation ready(data_.database(), resources, plan, std::make_shared<StopSign>());
    TRY(DuckDbReading reading, ready.Finish(paid.priority_key()));
    return Snapshot(std::move(reading.snapshot));
  }

 private:
  IncidentLog& incidents_;
  DuckDbData data_;
  std::shared_ptr<RowRegistry> rows_ = std::make_shared<RowRegistry>();
  std::shared_ptr<RowFacts> facts_ = std::make_shared<RowFacts>();
};

Result<ExactNumbers> ReadDoors(const DpPlan& plan, Snapshot& data, std::vector<KeySet>& shown) {
  const auto noise = MakeNoise();
  const bool selects = shown.empty();
  ExactNumbers numbers;
  for (std::size_t i = 0; i < plan.doors().size(); ++i) {
    const Door& door = plan.doors()[i];
    DoorIntegers own;
    TRY(own.known, data.KnownKeys(door));
    TRY(ExactTable counted, data.Count(door));
    own.counts = OpenTable(std::move(counted));
    if (selects) {
      TRY(ExactTable counts, data.Count(door));  // once more: the first was opened
      shown.push_back(SelectKeys(std::move(counts), own.known, door, *noise));
    }
    TRY(ExactTable sums, data.Sum(door, shown[i]));
    own.sums = OpenTable(std::move(sums));
    numbers.push_back(std::move(own));
  }
  return numbers;
}

}  // namespace

struct ExactHouse::Rooms {
  Result<DpPlan> PlanOf(const std::string& sql) const {
    TRY(const std::vector<ast::Statement> statements, Parse(sql));
    const auto& select = std::get<ast::SelectStatement>(statements.at(0).node).select;
    TRY(const Settings settings, SettingsFor(select, catalog, DefaultSettings(catalog.policy())));
    TRY(BoundQuery query, Validate(select, catalog));
    return ::dpsql::Plan(std::move(query), settings);
  }

  Result<Snapshot> Begin(const DpPlan& plan, const Reservation& paid, Path path) {
    if (path == Path::kOwn) return backend->Open(plan, paid, nullptr);
    if (!small) {
      small = std::make_unique<SmallDatabase>(database, *incidents);
      TRY_DONE(small->Open(catalog.policy()));
    }
    return small->Begin(plan, paid);
  }

  std::string database;
  std::unique_ptr<LastIncident> incidents;
  std::unique_ptr<Backend> backend;
  Catalog catalog;
  Ledger ledger;
  std::unique_ptr<SmallDatabase> small;
};

ExactHouse::ExactHouse(std::unique_ptr<Rooms> rooms) : rooms_(std::move(rooms)) {}
ExactHouse::ExactHouse(ExactHouse&&) noexcept = default;
ExactHouse::~ExactHouse() = default;

Result<ExactHouse> ExactHouse::Open(const std::string& database, const std::string& policy_file,
                                    const std::string& ledger_file) {
  std::ostringstream text;
  text << std::ifstream(policy_file).rdbuf();
  TRY(Policy policy, ReadPolicy(text.str(), policy_file));
  auto incidents = std::make_unique<LastIncident>();
  TRY(std::unique_ptr<Backend> backend, OpenBackend(database, *incidents));
  TRY(const Schema schema, backend->ReadSchema(policy));
  BudgetTerms terms = TermsOf(policy);
  TRY(Catalog catalog, Catalog::Make(std::move(policy), schema));
  TRY(Ledger ledger, Ledger::Open({.path = ledger_file,
                                   .terms = std::move(terms),
                                   .analyst = "tester",
                                   .random = MakeRandomSource()}));
  return ExactHouse(
      std::make_unique<Rooms>(Rooms{database, std::move(incidents), std::move(backend),
                                    std::move(catalog), std::move(ledger), nullptr}));
}

Result<DpPlan> ExactHouse::Plan(const std::string& sql) const { return rooms_->PlanOf(sql); }

Result<ExactNumbers> ExactHouse::Read(const std::string& sql, Path path) {
  std::vector<KeySet> shown;
  return ReadPaid(sql, path, shown);
}

Result<ExactNumbers> ExactHouse::Read(const std::string& sql, std::vector<KeySet>& shown) {
  return ReadPaid(sql, Path::kOwn, shown);
}

Result<ExactNumbers> ExactHouse::ReadPaid(const std::string& sql, Path path,
                                          std::vector<KeySet>& shown) {
  TRY(const DpPlan plan, rooms_->PlanOf(sql));
  TRY(Reservation paid, rooms_->ledger.Reserve(plan.cost()));
  Result<ExactNumbers> numbers = [&]() -> Result<ExactNumbers> {
    TRY(Snapshot data, rooms_->Begin(plan, paid, path));
    return ReadDoors(plan, data, shown);
  }();
  TRY_DONE(rooms_->ledger.Abandon(std::move(paid), Ending::kCancelled));
  return numbers;
}

const std::string& ExactHouse::last_incident() const { return rooms_->incidents->text(); }

}  // namespace dpsql
