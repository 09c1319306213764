#include <chrono>
#include <future>
#include <mutex>
#include <optional>
#include <utility>

#include "backend/beside.h"
#include "backend/lower.h"
#include "backend/lower_answer.h"
#include "backend/query_watch.h"
#include "backend/sql_engine.h"
#include "backend/sql_snapshot.h"
#include "base/check.h"
#include "base/try.h"
#include "sql/printable.h"
#include "sql/printer.h"

namespace dpsql {
namespace {

using Clock = std::chrono::steady_clock;

// A connection that is opened beside the caller, on a thread of its own.
class SqlPreparation : public Preparation {
 public:
  SqlPreparation(SqlEngine& engine, std::shared_ptr<StopSign> sign) : sign_(std::move(sign)) {
    connection_ = StartBeside([&engine, own = sign_] { return engine.Connect(*own); });
  }

  // Waits for it, until `end` where there is one: what a question waits for its connection is of
  // the policy's time as well. Requires: called once.
  Result<std::unique_ptr<SqlConnection>> Finish(std::optional<Clock::time_point> end) {
    const bool late = end && connection_.wait_until(*end) == std::future_status::timeout;
    if (late) sign_->Stop();
    auto connection = connection_.get();
    if (late) return TimedOut();
    return connection;
  }

  const std::shared_ptr<StopSign>& sign() const { return sign_; }

 private:
  std::shared_ptr<StopSign> sign_;
  std::future<Result<std::unique_ptr<SqlConnection>>> connection_;
};

std::optional<std::chrono::milliseconds> LeftUntil(std::optional<Clock::time_point> end) {
  if (!end) return std::nullopt;
  return std::chrono::floor<std::chrono::milliseconds>(*end - Clock::now());
}

class SqlBackend : public Backend {
 public:
  SqlBackend(std::unique_ptr<SqlEngine> engine, IncidentLog& incidents)
      : engine_(std::move(engine)), incidents_(incidents) {}

  Result<Schema> ReadSchema(const Policy& policy) override {
    timeout_ = policy.query.timeout;
    TRY(schema_, engine_->ReadSchema(policy));
    // Units are left out of statements on the word of the database alone (UnitsAreRows).
    for (SchemaTable& table : schema_.tables) table.verified_keys.clear();
    return schema_;
  }

  // What the database does not have as we mean it is refused before anything is paid; the printer
  // takes it for a bug.
  Status CanRun(const DpPlan& plan) const override {
    for (const Door& door : plan.doors()) {
      for (const auto& selects : {LowerPublicKeys(door), StagesOf(door)}) {
        for (const ast::Select& select : selects) {
          // Which keys are selected decides whether a statistic takes a column more.
          TRY_DONE(RefuseUnprintable(select, engine_->dialect(), door.statistics.size()));
        }
      }
    }
    for (const PublicTable& table : PublicReads(plan)) {
      TRY_DONE(RefuseUnprintable(LowerPublic(table), engine_->dialect()));
    }
    return Done{};
  }

  std::unique_ptr<Preparation> Prepare(const DpPlan&) override {
    auto sign = std::make_shared<StopSign>();
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      running_ = sign;
    }
    return std::make_unique<SqlPreparation>(*engine_, std::move(sign));
  }

  Result<Snapshot> Open(const DpPlan& plan, const Reservation& paid,
                        std::unique_ptr<Preparation> ready) override {
    Check(paid.cost().plan_digest == plan.cost().plan_digest, "the plan is the one paid for");
    if (!ready) ready = Prepare(plan);
    auto* const own = dynamic_cast<SqlPreparation*>(ready.get());
    Check(own != nullptr, "what is ready was prepared here");
    std::optional<Clock::time_point> end;
    if (timeout_) end = Clock::now() + *timeout_;
    TRY(std::shared_ptr<SqlConnection> connection, own->Finish(end));
    std::unique_ptr<SnapshotReader> reader = MakeSqlSnapshot(
        connection, SqlStatements(*engine_, schema_), paid.priority_key(), incidents_);
    return Snapshot(Watched(
        std::move(reader), {.timeout = LeftUntil(end),
                            .stamps = {},
                            .sign = own->sign(),
                            .stop = [connection = std::move(connection)] { connection->Stop(); }}));
  }

  std::vector<std::string> PrintSql(const DpPlan& plan) const override {
    std::vector<std::string> run;
    for (const Door& door : plan.doors()) {
      const SqlStatements statements(*engine_, schema_);
      for (const ast::Select& list : LowerPublicKeys(door)) {
        run.push_back(statements.Print(list) + ";");
      }
      for (const ast::Select& stage : StagesOf(door)) run.push_back(statements.Print(stage) + ";");
    }
    if (!plan.PlainOutputs()) run.push_back(PrintSelect(LowerAnswer(plan), DuckDbDialect()) + ";");
    return run;
  }

  void Interrupt() override {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (const auto running = running_.lock()) running->Stop();
  }

 private:
  std::unique_ptr<SqlEngine> engine_;
  IncidentLog& incidents_;
  Schema schema_;
  std::optional<std::chrono::milliseconds> timeout_;
  std::mutex mutex_;
  std::weak_ptr<StopSign> running_;
};

}  // namespace

std::unique_ptr<Backend> MakeSqlBackend(std::unique_ptr<SqlEngine> engine, IncidentLog& incidents) {
  return std::make_unique<SqlBackend>(std::move(engine), incidents);
}

}  // namespace dpsql
