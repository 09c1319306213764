#include "backend/spark.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <utility>
#include <vector>

#include "backend/adbc_driver.h"
#include "backend/line_watch.h"
#include "backend/spare_connection.h"
#include "backend/spark_connection.h"
#include "backend/spark_tables.h"
#include "backend/spark_url.h"
#include "base/check.h"
#include "base/error_codes.h"
#include "base/names.h"
#include "base/try.h"

namespace dpsql {
namespace {

// Of Spark Connect, where the URL says no other.
constexpr const char* kDefaultPort = "15002";

// A cold server takes ten seconds for its first answer; one that takes minutes is not there.
constexpr auto kOpeningLimit = std::chrono::minutes(2);
// Behind the policy's own limit, which says what happened.
constexpr auto kBehindTimeout = std::chrono::seconds(5);

// How long a session waits for the next question. Nothing of a question is left in it, and its
// files are looked at behind every statement as in a new one. Longer, and servers that forget idle
// sessions would be asked in vain first.
constexpr SpareConnection::Limits kSpareLimits{.age = std::chrono::seconds(30),
                                               .loss = std::chrono::seconds(3)};
// On a dead line nothing is begun again: that would take its time twice.
static_assert(kSpareLimits.loss < LineWatch::kSilence);

class SparkEngine : public SqlEngine {
 public:
  SparkEngine(SparkAddress address, adbc::Driver* driver, IncidentLog& incidents)
      : address_(std::move(address)),
        target_{.driver = driver,
                .options = address_.options,
                .line = std::make_shared<ServerLine>(address_.server, kDefaultPort)},
        incidents_(incidents) {}

  const Dialect& dialect() const override { return SparkDialect(); }

  Result<Schema> ReadSchema(const Policy& policy) override {
    TRY(tables_, FindSparkTables(policy, address_.database));
    if (policy.query.timeout) target_.statement_limit = *policy.query.timeout + kBehindTimeout;
    AdbcTarget opening = target_;
    opening.statement_limit = kOpeningLimit;
    Schema schema;
    const auto is_catalogued = [](const SparkTable& table) { return table.path.empty(); };
    if (std::any_of(tables_.tables.begin(), tables_.tables.end(), is_catalogued)) {
      // Without tables: no view can be made of one that is not there.
      SparkConnection looking(opening, {}, std::nullopt);
      TRY_DONE(KeepTablesOfFiles(policy, looking, schema));
    }
    SparkConnection connection(std::move(opening), tables_, std::nullopt);
    if (const auto failure = connection.SetUp()) return OpenError(*failure, connection.refusal());
    // The state comes before the first look at a table: what changes behind it is noticed.
    std::map<std::string, std::size_t> found;
    state_.clear();
    if (const auto failure = connection.ReadState(state_, found)) return OpenError(*failure, "");
    for (SparkTable& table : tables_.tables) {
      const std::size_t files = found[table.name];
      if (!table.path.empty() && files != table.files.value_or(std::max<std::size_t>(files, 1))) {
        return TableError(policy, table, "has files that Spark does not see",
                          "the server must see the same files under the same names; names that "
                          "start with _ or . are hidden from it");
      }
      TRY(SchemaTable described, DescribeTable(policy, table, connection));
      TRY_DONE(ReadFragile(policy, table, described, connection));
      schema.tables.push_back(std::move(described));
    }
    if (const auto failure = connection.FindMark()) return OpenError(*failure, "");
    return schema;
  }

  // Connects with its first statement, which knows how to stop.
  Result<std::unique_ptr<SqlConnection>> Connect(StopSign&) override {
    return LendConnection(
        spare_, [this] { return std::make_unique<SparkConnection>(target_, tables_, state_); });
  }

  std::string ReadTable(const SchemaTable& table) const override {
    const auto same = [&](const SparkTable& own) { return SameName(own.name, table.name); };
    const auto own = std::find_if(tables_.tables.begin(), tables_.tables.end(), same);
    Check(own != tables_.tables.end() && own->spark_types.size() == table.columns.size(),
          "a table that is read has been described");
    std::string columns;
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      const std::string& name = table.columns[i].name;
      columns += (i == 0 ? "" : ", ") + ReadSparkColumn(name, own->spark_types[i]) + " AS " +
                 dialect().QuoteIdentifier(name);
    }
    return "SELECT " + columns + " FROM " + own->relation;
  }

  std::string InlineTable(const PublicTable& table) const override {
    return SparkInlineTable(table);
  }

 private:
  // What is read here is read whole by every question: files that change fail it.
  Status ReadFragile(const Policy& policy, const SparkTable& table, const SchemaTable& described,
                     SparkConnection& connection) const {
    const std::string query = SparkReadFragile(table, described.columns);
    if (query.empty()) return Done{};
    bool too_long = false;
    const auto failure =
        connection.Run(query, [&](SqlConnection::Row row) { too_long = row[0] == "true"; });
    if (too_long) {
      return TableError(policy, table, "has a text or another value longer than 1 MiB",
                        "a thousand of them can end every question that meets them; write the "
                        "files anew without that column, or with its beginning");
    }
    if (!failure) return Done{};
    return TableError(policy, table,
                      "cannot be read whole (incident " + incidents_.Record(failure->text) + ")",
                      "a time beyond the year 294246 or a decimal with too many digits ends every "
                      "question that meets it; write the files anew without them");
  }

  Error OpenError(const SqlFailure& failure, const std::string& refusal) const {
    if (!refusal.empty()) {
      return MakeError(ErrorCode::kDatabaseOpen, refusal, {},
                       "change the settings of the server, or ask another one");
    }
    return MakeError(ErrorCode::kDatabaseOpen,
                     "the Spark server " + address_.server + " cannot be asked (incident " +
                         incidents_.Record(failure.text) + ")",
                     {}, "is a Spark Connect server running there, and does it know the tables?");
  }

  static Error TableError(const Policy& policy, const SparkTable& table, const std::string& what,
                          const std::string& hint) {
    int line = 1;
    for (const TablePolicy& candidate : policy.tables) {
      if (candidate.name == table.name) line = candidate.line;
    }
    return ToError({.code = ErrorCode::kPolicyTable,
                    .line = line,
                    .message = "the table " + table.name + " " + what,
                    .hint = hint},
                   policy.file);
  }

  // Leaves tables out that are not there, as a schema does, and views, which it names as such: both
  // are refused with the policy's line. Refuses what is not stored in files that can be listed.
  Status KeepTablesOfFiles(const Policy& policy, SparkConnection& connection, Schema& schema) {
    if (const auto failure = connection.SetUp()) return OpenError(*failure, connection.refusal());
    std::vector<SparkTable> kept;
    for (const SparkTable& table : tables_.tables) {
      if (!table.path.empty()) {
        kept.push_back(table);
        continue;
      }
      SparkConnection::Description description;
      const auto failure = connection.Describe(table, description);
      if (failure && failure->text.find("[TABLE_OR_VIEW_NOT_FOUND]") != std::string::npos) continue;
      if (failure) return OpenError(*failure, "");
      if (description.facts["Type"] == "VIEW") {
        schema.tables.push_back({.name = table.name,
                                 .is_view = true,
                                 .columns = {},
                                 .unique_keys = {},
                                 .verified_keys = {}});
      } else if (ToLower(description.facts["Provider"]) != "parquet") {
        return TableError(policy, table, "is not stored as Parquet",
                          "copy it into a table  USING parquet , or name files as its  source");
      } else {
        kept.push_back(table);
      }
    }
    tables_.tables = std::move(kept);
    return Done{};
  }

  static bool NamesDiffer(const SchemaTable& table) {
    std::vector<std::string> names;
    for (const SchemaColumn& column : table.columns) names.push_back(ToLower(column.name));
    std::sort(names.begin(), names.end());
    return std::adjacent_find(names.begin(), names.end()) == names.end();
  }

  // Spark enforces no key, and NOT NULL is a word that writers of files may or may not have kept.
  Result<SchemaTable> DescribeTable(const Policy& policy, SparkTable& table,
                                    SparkConnection& connection) const {
    SparkConnection::Description description;
    if (const auto failure = connection.Describe(table, description)) {
      return OpenError(*failure, "");
    }
    SchemaTable described{
        .name = table.name, .columns = {}, .unique_keys = {}, .verified_keys = {}};
    table.spark_types.clear();
    for (const auto& [name, type] : description.columns) {
      described.columns.push_back(
          {.name = name, .type = SparkType(type), .has_collation = HasSparkCollation(type)});
      table.spark_types.push_back(type);
    }
    if (!NamesDiffer(described)) {
      return TableError(policy, table, "has two columns whose names differ in case only",
                        "rename one of them");
    }
    return described;
  }

  SparkAddress address_;
  AdbcTarget target_;
  IncidentLog& incidents_;
  SparkTables tables_;
  std::vector<std::string> state_;
  std::shared_ptr<SpareConnection> spare_ = std::make_shared<SpareConnection>(kSpareLimits);
};

Error NoDriver(const AdbcDriverPlace& place) {
  std::string looked;
  for (const std::string& where : place.looked) looked += (looked.empty() ? "" : ", ") + where;
  return MakeError(ErrorCode::kDatabaseOpen, "there is no driver for Spark; looked for " + looked,
                   {},
                   "run  pip install adbc-driver-spark  and let DPSQL_ADBC_SPARK name its "
                   "libadbc_driver_spark.so");
}

}  // namespace

Result<std::unique_ptr<SqlEngine>> MakeSparkEngine(const std::string& rest,
                                                   IncidentLog& incidents) {
  TRY(SparkAddress address, ReadSparkUrl(rest));
  const AdbcDriverPlace place = FindAdbcDriver("spark");
  if (place.path.empty()) return NoDriver(place);
  TRY(adbc::Driver * driver, LoadAdbcDriver(place.path));
  return std::unique_ptr<SqlEngine>(
      std::make_unique<SparkEngine>(std::move(address), driver, incidents));
}

}  // namespace dpsql
