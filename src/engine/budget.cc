#include "dpsql/budget.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "account/ledger_owner.h"
#include "account/ledger_time.h"
#include "base/json_text.h"
#include "base/try.h"
#include "catalog/policy.h"
#include "engine/guarded.h"
#include "engine/ledger_of_policy.h"
#include "engine/policy_file.h"
#include "privacy/fixed_point.h"

namespace dpsql {
namespace {

using Json = nlohmann::ordered_json;

struct Opened {
  Policy policy;
  LedgerOptions ledger;
};

Result<Opened> Open(const BudgetOptions& options) {
  TRY(const std::string text, ReadPolicyFile(options.policy));
  TRY(Policy policy, ReadPolicy(text, options.policy));
  TRY(std::string path, LedgerPath(options.ledger, options.policy));
  LedgerOptions ledger{.path = std::move(path),
                       .terms = TermsOf(policy),
                       .analyst = options.user,
                       .random = MakeRandomSource()};
  return Opened{.policy = std::move(policy), .ledger = std::move(ledger)};
}

double UsedShare(UInt128 cap, UInt128 spent) {
  if (cap == 0) return 0;
  return std::min(static_cast<double>(spent) / static_cast<double>(cap), 1.0);
}

BudgetGauge GaugeOf(const Budget& budget, const Purses& caps, const Purses& spent) {
  const EpsilonDelta used = WorthSpent(budget, spent);
  const EpsilonDelta left = WorthLeft(budget, caps, spent);
  BudgetGauge gauge{.epsilon = budget.total.epsilon,
                    .delta = budget.total.delta,
                    .epsilon_spent = used.epsilon,
                    .delta_spent = used.delta,
                    .epsilon_left = left.epsilon,
                    .delta_left = left.delta,
                    .pure_epsilon_left = std::nullopt,
                    .used = std::max({UsedShare(caps.mu_squared, spent.mu_squared),
                                      UsedShare(caps.delta, spent.delta),
                                      UsedShare(caps.epsilon, spent.epsilon)})};
  if (budget.pure_epsilon > 0) {
    gauge.pure_epsilon_left = MuSquaredToDoubleDown(LeftOf(caps, spent).epsilon);
  }
  return gauge;
}

AnalystBudget AnalystOf(const AnalystStanding& standing, const FixedTerms& fixed) {
  AnalystBudget analyst{.name = standing.name,
                        .own = std::nullopt,
                        .epsilon_spent = WorthSpent(fixed.terms.budget, standing.spent).epsilon,
                        .queries = standing.queries,
                        .unanswered = standing.aborts,
                        .locked_out = standing.aborts >= fixed.terms.aborts_allowed,
                        .revoked = fixed.revoked.analysts.contains(standing.name)};
  const auto listed = fixed.terms.analysts.find(standing.name);
  if (listed == fixed.terms.analysts.end()) return analyst;
  analyst.own = GaugeOf(BudgetOfAnalyst(fixed.terms, listed->second),
                        fixed.caps.analysts.at(standing.name), standing.spent);
  return analyst;
}

BudgetEvent EventOf(const Entry& entry) {
  const Event& event = entry.event;
  BudgetEvent line{.sequence = entry.sequence,
                   .time = event.time,
                   .analyst = event.analyst,
                   .what = std::string(ToText(event.kind)),
                   .release = "",
                   .epsilon = event.epsilon,
                   .delta = event.delta};
  if (event.reservation > 0) line.release = ReleaseName(event.reservation);
  return line;
}

BudgetReport ReportOf(const LedgerReport& ledger, const Policy& policy) {
  const BudgetTerms& terms = ledger.fixed.terms;
  const Budget& budget = terms.budget;
  BudgetReport report;
  report.dataset = terms.dataset;
  report.accountant = ToText(budget.accountant);
  report.started = ledger.calendar.created != 0;
  report.gauge = GaugeOf(budget, ledger.fixed.caps.dataset, ledger.spent);
  report.renew_days = terms.renew_days;
  if (terms.renew_days > 0 && report.started) {
    const Calendar& calendar = ledger.calendar;
    report.renews_at = UtcText(calendar.created + (ledger.window + 1) * calendar.renew_seconds);
  }
  report.query_epsilon = policy.query.epsilon;
  report.query_delta = policy.query.delta;
  const Purses price = ScalarPrice(budget.accountant, {policy.query.epsilon, policy.query.delta});
  report.queries_left = TimesLeft(ledger.fixed.caps.dataset, ledger.spent, price);
  report.reservations = ledger.reservations;
  report.releases = ledger.releases;
  report.entries = ledger.entries;
  report.stopped = ledger.fixed.revoked.everybody;
  for (const AnalystStanding& analyst : ledger.analysts) {
    report.analysts.push_back(AnalystOf(analyst, ledger.fixed));
  }
  for (const Entry& entry : ledger.history) report.history.push_back(EventOf(entry));
  return report;
}

Json JsonOf(const Purses& purses) {
  return {{"mu_squared", ToString(purses.mu_squared)},
          {"delta", ToString(purses.delta)},
          {"epsilon", ToString(purses.epsilon)}};
}

Json JsonOf(const Entry& entry, const std::string& granted_terms) {
  const Event& event = entry.event;
  Json json = {{"sequence", entry.sequence},
               {"kind", ToText(event.kind)},
               {"reservation", event.reservation},
               {"analyst", event.analyst},
               {"time", event.time},
               {"mark", event.mark},
               {"epsilon", event.epsilon},
               {"delta", event.delta},
               {"doors", event.doors},
               {"charge", JsonOf(event.charge)},
               {"plan_digest", event.plan_digest},
               {"payload_digest", event.payload_digest},
               {"window", entry.window},
               {"spent", JsonOf(entry.spent)},
               {"analyst_spent", JsonOf(entry.analyst_spent)},
               {"analyst_queries", entry.analyst_queries},
               {"analyst_unended", entry.analyst_unended},
               {"analyst_aborts", entry.analyst_aborts},
               {"reservations", entry.reservations},
               {"releases", entry.releases},
               {"commit_first", entry.commit_first},
               {"previous", entry.previous},
               {"hash", entry.hash}};
  if (!granted_terms.empty()) json["terms"] = Json::parse(granted_terms);
  return json;
}

}  // namespace

Result<BudgetReport> ReadBudget(const BudgetOptions& options) {
  return Guarded([&]() -> Result<BudgetReport> {
    TRY(const Opened opened, Open(options));
    TRY(const LedgerReport ledger, ReadLedger(opened.ledger, options.history));
    BudgetReport report = ReportOf(ledger, opened.policy);
    const Status same = CheckSameTerms(ledger.fixed.terms, opened.ledger.terms);
    if (!same) report.policy_differs = same.error().message;
    return report;
  });
}

Status GrantBudget(const BudgetOptions& options) {
  return Guarded([&]() -> Status {
    TRY(const Opened opened, Open(options));
    return GrantTerms(opened.ledger);
  });
}

Status RevokeSpending(const BudgetOptions& options, const std::string& analyst) {
  return Guarded([&]() -> Status {
    TRY(const Opened opened, Open(options));
    return RevokeSpending(opened.ledger, analyst);
  });
}

Status AdmitAnalyst(const BudgetOptions& options, const std::string& analyst) {
  return Guarded([&]() -> Status {
    TRY(const Opened opened, Open(options));
    return AdmitAnalyst(opened.ledger, analyst);
  });
}

Status ReadHistory(const BudgetOptions& options, const HistoryOptions& which,
                   const std::function<void(const std::vector<BudgetEvent>&)>& page) {
  return Guarded([&]() -> Status {
    TRY(const Opened opened, Open(options));
    const HistoryPart part{.analyst = which.analyst, .before = which.before, .limit = which.limit};
    return VisitHistory(opened.ledger, part, [&](const std::vector<Entry>& entries) {
      std::vector<BudgetEvent> events;
      for (const Entry& entry : entries) events.push_back(EventOf(entry));
      page(events);
    });
  });
}

Status PardonAnalyst(const BudgetOptions& options, const std::string& analyst) {
  return Guarded([&]() -> Status {
    TRY(const Opened opened, Open(options));
    return PardonAnalyst(opened.ledger, analyst);
  });
}

Status ExportAudit(const BudgetOptions& options,
                   const std::function<void(std::string_view)>& line) {
  return Guarded([&]() -> Status {
    TRY(const Opened opened, Open(options));
    return ExportLedger(opened.ledger,
                        {.meta = [&](const LedgerMeta& meta) { line(JsonText(meta)); },
                         .entry =
                             [&](const Entry& entry, const std::string& granted_terms) {
                               line(JsonText(JsonOf(entry, granted_terms)));
                             }});
  });
}

}  // namespace dpsql
