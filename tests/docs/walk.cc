// Walks one query through the rooms and prints what each hands to the next, for docs/00-tour.md.
// Linked with zero noise, so that the output is the same every time.
// Usage: walk DATABASE POLICY SQL
#include <fstream>
#include <iostream>
#include <sstream>

#include "account/ledger.h"
#include "backend/backend.h"
#include "base/error_codes.h"
#include "base/try.h"
#include "catalog/catalog.h"
#include "engine/ledger_of_policy.h"
#include "noise/add_noise.h"
#include "noise/select_keys.h"
#include "plan/plan.h"
#include "publish/publish.h"
#include "sql/parser.h"
#include "support/ast_dump.h"
#include "support/temp_folder.h"
#include "validate/validate.h"

namespace dpsql {
namespace {

class DroppedIncidents : public IncidentLog {
 public:
  std::string Record(std::string_view) override { return "i-0"; }
};

void Room(const std::string& name) { std::cout << "== " << name << "\n"; }

void PrintBound(const BoundQuery& bound_query) {
  const BoundDoor& query = *DoorsOf(bound_query.root()).front();
  const Relation& relation = query.relation;
  std::cout << "Private(" << relation.owner->kind << "), owner column "
            << query.column(relation.owner->column).name << " of scan "
            << relation.owner->column.scan << "\n";
  for (const Scan& scan : relation.scans) std::cout << "scan " << query.table(scan).name << "\n";
  for (const BoundKey& key : query.keys) {
    std::cout << "key " << Describe(*key.expr, query.view())
              << (key.determined ? ", determined by the unit" : "") << "\n";
  }
  for (const BoundAggregate& bound : query.aggregates) {
    std::cout << "aggregate " << bound.aggregate->function;
    for (const BoundedArgument& argument : bound.arguments) {
      std::cout << "(" << Describe(*argument.expr, query.view()) << "), bounds ["
                << argument.bounds.low << ", " << argument.bounds.high << "] from "
                << argument.origin;
    }
    std::cout << "\n";
  }
}

void PrintKeys(const KeySet& keys) {
  for (const SelectedKey& key : keys.keys) {
    std::cout << "key " << std::get<std::string>(key.key.front()) << "\n";
  }
}

void PrintNoisy(const NoisyTable& table, std::size_t statistics) {
  for (std::size_t row = 0; row < table.size(); ++row) {
    std::cout << std::get<std::string>(table.key(row).front());
    for (std::size_t s = 0; s < statistics; ++s) {
      for (const double value : table.Sample(row, s).value) std::cout << "  " << value;
    }
    std::cout << "\n";
  }
}

Status WalkDoors(const DpPlan& plan, Snapshot& data, Released& released) {
  const auto noise = MakeNoise();
  for (const Door& door : plan.doors()) {
    TRY(auto known, data.KnownKeys(door));
    TRY(ExactTable counts, data.Count(door));
    const KeySet keys = SelectKeys(std::move(counts), std::move(known), door, *noise);
    TRY(ExactTable exact, data.Sum(door, keys));
    NoisyTable noisy = AddNoise(std::move(exact), keys, DrawnNoise(keys.keys.size(), door, *noise));
    Room("noise");
    PrintKeys(keys);
    PrintNoisy(noisy, door.statistics.size());
    TRY_DONE(data.Add(released.Add(door, std::move(noisy))));
  }
  return Done{};
}

Status Walk(const std::string& database, const std::string& policy_file, const std::string& sql) {
  const TempFolder folder;
  DroppedIncidents incidents;
  std::ostringstream policy_text;
  policy_text << std::ifstream(policy_file).rdbuf();
  TRY(Policy policy, ReadPolicy(policy_text.str(), policy_file));
  TRY(std::unique_ptr<Backend> backend, OpenBackend(database, incidents));
  TRY(const Schema schema, backend->ReadSchema(policy));
  TRY(const Catalog catalog, Catalog::Make(std::move(policy), schema));
  TRY(const std::vector<ast::Statement> statements, Parse(sql));
  Room("sql");
  std::cout << Dump(statements[0]) << "\n";
  const auto& select = std::get<ast::SelectStatement>(statements[0].node).select;
  TRY(BoundQuery query, Validate(select, catalog));
  Room("validate");
  PrintBound(query);
  TRY(const DpPlan plan, Plan(std::move(query), DefaultSettings(catalog.policy())));
  Room("plan");
  std::cout << plan.Print();
  TRY(Ledger ledger, Ledger::Open({.path = folder / "ledger",
                                   .terms = TermsOf(catalog.policy()),
                                   .analyst = "visitor",
                                   .random = MakeRandomSource()}));
  TRY(Reservation paid, ledger.Reserve(plan.cost()));
  Room("account");
  const Purses& charge = paid.cost().by_mechanism;
  std::cout << "reservation " << paid.id() << ", mu^2 " << ToString(charge.mu_squared)
            << " / 2^96, delta " << ToString(charge.delta) << " / 2^120\n";
  Room("backend");
  for (const std::string& statement : backend->PrintSql(plan)) std::cout << statement << "\n";
  TRY(Snapshot data, backend->Open(plan, paid, nullptr));
  Released released;
  TRY_DONE(WalkDoors(plan, data, released));
  TRY(std::vector<PublicTable> tables, data.ReadPublic(plan));
  TRY(Answer answer, Publish(plan, released, std::move(tables), data));
  TRY(answer, ledger.Store(std::move(paid), std::move(answer)));
  Room("publish");
  std::cout << FormatAnswer(answer, Format::kBox);
  return Done{};
}

}  // namespace
}  // namespace dpsql

int main(int argc, char** argv) {
  if (argc != 4) {
    std::cerr << "usage: walk DATABASE POLICY SQL\n";
    return 2;
  }
  const auto status = dpsql::Walk(argv[1], argv[2], argv[3]);
  if (status) return 0;
  std::cerr << dpsql::RenderError(status.error(), argv[3]);
  return 1;
}
