#include "backend/duckdb.h"

#include <unistd.h>

#include <algorithm>
#include <mutex>
#include <utility>

#include "backend/duckdb_cells.h"
#include "backend/duckdb_door.h"
#include "backend/duckdb_open.h"
#include "backend/duckdb_snapshot.h"
#include "backend/linked_door.h"
#include "backend/lower.h"
#include "base/check.h"
#include "base/try.h"
#include "sql/dialect.h"
#include "sql/printer.h"

namespace dpsql {
namespace {

// A quarter of what the database may have: it needs the rest for its own joins.
std::size_t CellMemory(const DatabasePolicy& policy) {
  if (policy.memory_bytes) return *policy.memory_bytes / 4;
  const auto pages = static_cast<std::size_t>(std::max(1L, sysconf(_SC_PHYS_PAGES)));
  return pages / 4 * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

class DuckDbBackend : public Backend {
 public:
  DuckDbBackend(const std::string& path, IncidentLog& incidents)
      : incidents_(incidents), data_(path, incidents) {}

  Result<Schema> ReadSchema(const Policy& policy) override {
    TRY_DONE(data_.Open(policy));
    Check(RowRegistry::Register(data_.database().handle(), rows_), "DuckDB takes a function");
    cell_memory_ = CellMemory(policy.database);
    TRY(Schema schema, data_.ReadSchema());
    const bool verified =
        std::any_of(schema.tables.begin(), schema.tables.end(),
                    [](const SchemaTable& table) { return !table.verified_keys.empty(); });
    keys_ = verified ? Keys::kVerified : Keys::kEnforced;
    return schema;
  }

  std::unique_ptr<Preparation> Prepare(const DpPlan& plan) override {
    const DuckDbResources resources{.rows = rows_,
                                    .facts = data_.RowsFollowColumns() ? nullptr : facts_,
                                    .incidents = incidents_,
                                    .threads = data_.threads(),
                                    .cell_memory = cell_memory_,
                                    .keys = keys_};
    auto sign = std::make_shared<StopSign>();
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      running_ = sign;
    }
    return std::make_unique<DuckDbPreparation>(data_.database(), resources, plan, std::move(sign));
  }

  Result<Snapshot> Open(const DpPlan& plan, const Reservation& paid,
                        std::unique_ptr<Preparation> ready) override {
    Check(paid.cost().plan_digest == plan.cost().plan_digest, "the plan is the one paid for");
    if (!ready) ready = Prepare(plan);
    auto* const own = dynamic_cast<DuckDbPreparation*>(ready.get());
    Check(own != nullptr, "what is ready was prepared here");
    TRY(DuckDbReading reading, own->Finish(paid.priority_key()));
    return data_.Watch(std::move(reading.snapshot), std::move(reading.connection), own->sign());
  }

  std::vector<std::string> PrintSql(const DpPlan& plan) const override {
    std::vector<std::string> run;
    for (std::size_t i = 0; i < plan.doors().size(); ++i) {
      const Door& door = plan.doors()[i];
      if (door.key_mode == KeyMode::kPublic) {
        for (const ast::Select& list : LowerPublicKeys(door)) {
          run.push_back(PrintSelect(list, DuckDbDialect()) + ";");
        }
      }
      const auto id = static_cast<std::int64_t>(i + 1);
      const std::optional<LinkedDoor> linked = WithoutParent(door, keys_);
      if (linked) run.push_back(PrintSelect(LowerLinks(*linked, id), DuckDbDialect()) + ";");
      run.push_back((linked ? PrintPass(linked->door, Units::kRead, id)
                            : PrintPass(door, UnitsOf(door, keys_), id)) +
                    ";");
    }
    if (!plan.PlainOutputs()) run.push_back(PrintSelect(LowerAnswer(plan), DuckDbDialect()) + ";");
    return run;
  }

  void Interrupt() override {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (const auto running = running_.lock()) running->Stop();
  }

 private:
  IncidentLog& incidents_;
  std::shared_ptr<RowRegistry> rows_ = std::make_shared<RowRegistry>();
  std::shared_ptr<RowFacts> facts_ = std::make_shared<RowFacts>();
  DuckDbData data_;
  std::size_t cell_memory_ = 0;
  Keys keys_ = Keys::kVerified;
  std::mutex mutex_;
  std::weak_ptr<StopSign> running_;
};

}  // namespace

Result<std::unique_ptr<Backend>> OpenDuckDb(const std::string& path, IncidentLog& incidents) {
  return std::unique_ptr<Backend>(std::make_unique<DuckDbBackend>(path, incidents));
}

}  // namespace dpsql
