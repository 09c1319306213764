#include "dpsql/session.h"

#include <atomic>
#include <filesystem>
#include <functional>
#include <future>
#include <system_error>
#include <utility>

#include "backend/spill_folder.h"
#include "base/error_codes.h"
#include "base/try.h"
#include "engine/corridor.h"
#include "engine/describe_tables.h"
#include "engine/explain.h"
#include "engine/file_incident_log.h"
#include "engine/guarded.h"
#include "engine/ledger_of_policy.h"
#include "engine/policy_file.h"
#include "engine/statement_options.h"
#include "sql/parser.h"

namespace dpsql {
namespace {

// In a thread of its own; later, where there is none to be had.
constexpr auto kAtOnce = std::launch::async | std::launch::deferred;

// What a session opens, in this order: each part needs the ones before it.
struct Parts {
  PolicyFile policy;
  std::unique_ptr<FileIncidentLog> incidents;
  std::unique_ptr<Backend> backend;
  Catalog catalog;
  Ledger ledger;
};

Result<Parts> OpenParts(const SessionOptions& options) {
  TRY(PolicyFile file, PolicyFile::Read(options.policy));
  TRY(const Policy policy, ReadPolicy(file.text(), options.policy));
  TRY(const std::string ledger_path, LedgerPath(options.ledger, options.policy));
  auto incidents = std::make_unique<FileIncidentLog>(ledger_path + ".incidents");
  const auto open_ledger = [&] {
    return Ledger::Open({.path = ledger_path,
                         .terms = TermsOf(policy),
                         .analyst = options.analyst,
                         .random = MakeRandomSource()});
  };
  // A ledger that is there is opened while the database is; a new one begins with a policy that
  // fits its database, and not before.
  std::error_code ignored;
  const bool exists = std::filesystem::exists(ledger_path, ignored);
  std::future<Result<Ledger>> opening =
      std::async(exists ? kAtOnce : std::launch::deferred, open_ledger);
  TRY(std::unique_ptr<Backend> backend, OpenBackend(options.url, *incidents));
  TRY(const Schema schema, backend->ReadSchema(policy));
  TRY(Catalog catalog, Catalog::Make(policy, schema));
  TRY(Ledger ledger, opening.get());
  return Parts{std::move(file), std::move(incidents), std::move(backend), std::move(catalog),
               std::move(ledger)};
}

}  // namespace

struct Session::Impl {
  Impl(Parts opened, const SessionOptions& options)
      : parts(std::move(opened)),
        budget{.policy = options.policy, .ledger = options.ledger, .user = options.analyst} {}

  // A database takes as long to close as the ledger's last sync: both at once.
  ~Impl() {
    const std::future<void> closing = std::async(kAtOnce, [this] { parts.backend.reset(); });
    const Ledger last = std::move(parts.ledger);
  }

  House house(const Settings& own, const RunOptions& options) {
    return {parts.catalog, own,     parts.ledger, *parts.backend,
            *noise,        options, still_stands, cancelled};
  }

  Result<Answer> Answered(const ast::Select& select, const RunOptions& options) {
    TRY_DONE(still_stands());
    TRY(const Settings own, SettingsFor(select, parts.catalog, settings));
    return dpsql::Ask(select, house(own, options));
  }

  Result<Reply> Explained(const ast::Select& select, const RunOptions& options) {
    TRY_DONE(still_stands());
    TRY(const Settings own, SettingsFor(select, parts.catalog, settings));
    TRY(Explanation explanation, Explain(select, house(own, options)));
    return Reply(std::move(explanation));
  }

  Result<Reply> Run(const ast::Statement& statement, const RunOptions& options) {
    if (const auto* select = std::get_if<ast::SelectStatement>(&statement.node)) {
      if (options.dry_run) return Explained(select->select, options);
      TRY(Answer answer, Answered(select->select, options));
      return Reply(std::move(answer));
    }
    if (const auto* explain = std::get_if<ast::ExplainStatement>(&statement.node)) {
      return Explained(explain->select, options);
    }
    if (const auto* alter = std::get_if<ast::AlterPrivateTable>(&statement.node)) {
      TRY_DONE(CheckAlter(*alter, parts.catalog));
      return Reply(
          SettingChanged{.name = alter->table.back(), .value = alter->options.options[0].value});
    }
    const auto& set = std::get<ast::SetStatement>(statement.node);
    TRY_DONE(ApplySetting(set, parts.catalog.policy(), settings));
    return Reply(SettingChanged{.name = set.name, .value = set.value});
  }

  Parts parts;
  BudgetOptions budget;
  std::vector<TableInfo> tables = DescribeTables(parts.catalog);
  std::unique_ptr<Noise> noise = MakeNoise();
  Settings settings = DefaultSettings(parts.catalog.policy());
  std::atomic<bool> cancelled = false;  // since the present call of the session began
  const std::function<Status()> still_stands = [this]() -> Status {
    if (cancelled) {
      return MakeError(ErrorCode::kInterrupted, "the question was interrupted before it was paid",
                       {}, "nothing was spent");
    }
    return parts.policy.Stands();
  };
};

Session::Session(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Session::Session(Session&&) noexcept = default;
Session& Session::operator=(Session&&) noexcept = default;
Session::~Session() = default;

Result<Session> Session::Open(const SessionOptions& options) {
  return Guarded([&]() -> Result<Session> {
    TRY(Parts parts, OpenParts(options));
    return Session(std::make_unique<Impl>(std::move(parts), options));
  });
}

Result<Answer> Session::Ask(std::string_view sql, const Parameters& parameters) {
  return Guarded([&]() -> Result<Answer> {
    impl_->cancelled = false;
    TRY(const std::vector<ast::Statement> statements, Parse(sql, parameters));
    const auto* select =
        statements.size() == 1 ? std::get_if<ast::SelectStatement>(&statements[0].node) : nullptr;
    if (select == nullptr) {
      return MakeError(ErrorCode::kUnsupportedStatement, "one SELECT is expected");
    }
    return impl_->Answered(select->select, {});
  });
}

Status Session::Run(std::string_view sql, const std::function<void(const Reply&)>& on_reply,
                    const RunOptions& options) {
  return Guarded([&]() -> Status {
    impl_->cancelled = false;
    TRY(const std::vector<ast::Statement> statements, Parse(sql, options.parameters));
    for (const ast::Statement& statement : statements) {
      TRY(const Reply reply, impl_->Run(statement, options));
      on_reply(reply);
    }
    return Done{};
  });
}

const std::vector<TableInfo>& Session::tables() const { return impl_->tables; }

Result<BudgetReport> Session::Budget(std::size_t history) const {
  BudgetOptions options = impl_->budget;
  options.history = history;
  return ReadBudget(options);
}

void Session::Cancel() {
  impl_->cancelled = true;
  impl_->parts.backend->Interrupt();
}

void RemoveSpills() { SpillFolder::RemoveAll(); }

}  // namespace dpsql
