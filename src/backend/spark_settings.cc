#include "backend/spark_settings.h"

#include <algorithm>
#include <array>

namespace dpsql {
namespace {

constexpr bool kNotDefault = false;

// The first one is set first: without it Spark puts values of its environment into our texts.
constexpr auto kSettings = std::to_array<SparkSetting>({
    {"spark.sql.variable.substitute", "false", kNotDefault},
    // A stage that is planned while the query runs is handed to another thread, and one that is on
    // its way there when the query is stopped starts all the same and runs to its end.
    {"spark.sql.adaptive.enabled", "false", kNotDefault},
    {"spark.sql.ansi.enabled", "true"},
    {"spark.sql.ansi.doubleQuotedIdentifiers", "false"},
    {"spark.sql.ansi.enforceReservedKeywords", "false"},
    {"spark.sql.ansi.relationPrecedence", "false"},
    {"spark.sql.session.timeZone", "UTC", kNotDefault},
    {"spark.sql.timestampType", "TIMESTAMP_LTZ"},
    {"spark.sql.caseSensitive", "true", kNotDefault},
    {"spark.sql.decimalOperations.allowPrecisionLoss", "false", kNotDefault},
    {"spark.sql.parser.escapedStringLiterals", "false"},
    {"spark.sql.parser.quotedRegexColumnNames", "false"},
    {"spark.sql.storeAssignmentPolicy", "ANSI"},
    {"spark.sql.groupByOrdinal", "true"},
    {"spark.sql.groupByAliases", "true"},
    {"spark.sql.orderByOrdinal", "true"},
    {"spark.sql.crossJoin.enabled", "true"},
    {"spark.sql.runSQLOnFiles", "true"},
    {"spark.sql.readSideCharPadding", "true"},
    {"spark.sql.optimizer.excludedRules", ""},
    {"spark.sql.files.ignoreCorruptFiles", "false"},
    {"spark.sql.files.ignoreMissingFiles", "false"},
    {"spark.sql.parquet.columnarReaderBatchSize", "1024", kNotDefault},  // kLongestSparkValue
    {"spark.sql.parquet.mergeSchema", "false"},
    {"spark.sql.parquet.binaryAsString", "false"},
    {"spark.sql.parquet.int96AsTimestamp", "true"},
    {"spark.sql.parquet.inferTimestampNTZ.enabled", "true"},
    {"spark.sql.parquet.fieldId.read.enabled", "false"},
    {"spark.sql.parquet.datetimeRebaseModeInRead", "CORRECTED"},
    {"spark.sql.parquet.int96RebaseModeInRead", "CORRECTED"},
    {"spark.sql.json.enablePartialResults", "true"},
    {"spark.sql.legacy.charVarcharAsString", "false"},
    {"spark.sql.legacy.ctePrecedencePolicy", "CORRECTED"},
    {"spark.sql.legacy.duplicateBetweenInput", "false"},
    {"spark.sql.legacy.exponentLiteralAsDecimal.enabled", "false"},
    {"spark.sql.legacy.parser.havingWithoutGroupByAsWhere", "false"},
    {"spark.sql.legacy.scalarSubqueryCountBugBehavior", "false"},
    {"spark.sql.legacy.setopsPrecedence.enabled", "false"},
    {"spark.sql.legacy.statisticalAggregate", "false"},
    {"spark.sql.legacy.timeParserPolicy", "CORRECTED"},
    {"spark.sql.legacy.typeCoercion.datetimeToString.enabled", "false"},
});

// How fast, where, under which name, and what is shown: not what a query means.
constexpr auto kHarmless = std::to_array<std::string_view>({
    "spark.sql.adaptive.",
    "spark.sql.artifact.",
    "spark.sql.autoBroadcastJoinThreshold",
    "spark.sql.broadcastTimeout",
    "spark.sql.cache.",
    "spark.sql.catalog.",
    "spark.sql.catalogImplementation",
    "spark.sql.cbo.",
    "spark.sql.codegen.",
    "spark.sql.connect.",
    "spark.sql.debug.",
    "spark.sql.defaultCatalog",
    "spark.sql.event.",
    "spark.sql.execution.",
    "spark.sql.extensions",
    "spark.sql.files.max",
    "spark.sql.files.min",
    "spark.sql.files.openCostInBytes",
    "spark.sql.hive.",  // tables of Hive's own kind are not read
    "spark.sql.inMemoryColumnarStorage.",
    "spark.sql.join.",
    "spark.sql.leafNodeDefaultParallelism",
    "spark.sql.maxPlanStringLength",
    "spark.sql.metadataCacheTTLSeconds",
    "spark.sql.objectHashAggregate.",
    "spark.sql.optimizer.dynamicPartitionPruning.",
    "spark.sql.optimizer.runtime.",
    "spark.sql.orc.compression",
    "spark.sql.parquet.compression",
    "spark.sql.parquet.enableVectorizedReader",
    "spark.sql.parquet.filterPushdown",
    "spark.sql.parquet.outputTimestampType",
    "spark.sql.parquet.writeLegacyFormat",
    "spark.sql.pyspark.",
    "spark.sql.queryExecutionListeners",
    "spark.sql.redaction.",
    "spark.sql.repl.",
    "spark.sql.session.localRelation",
    "spark.sql.shuffle.",
    "spark.sql.sortMergeJoinExec.",
    "spark.sql.sources.bucketing.",
    "spark.sql.sources.default",
    "spark.sql.sources.parallelPartitionDiscovery.",
    "spark.sql.sources.partitionOverwriteMode",
    "spark.sql.statistics.",
    "spark.sql.streaming.",
    "spark.sql.subexpressionElimination.",
    "spark.sql.ui.",
    "spark.sql.warehouse.dir",
    "spark.sql.windowExec.",
});

}  // namespace

std::span<const SparkSetting> SparkSettings() { return kSettings; }

std::vector<std::string> NeededSettings(const std::map<std::string, std::string>& listed,
                                        bool known_version) {
  std::vector<std::string> statements;
  for (const SparkSetting& setting : kSettings) {
    const auto found = listed.find(std::string(setting.name));
    const bool is_so = found == listed.end() ? known_version && setting.is_default
                                             : found->second == setting.value;
    if (is_so) continue;
    statements.push_back("SET " + std::string(setting.name) + "=" + std::string(setting.value));
  }
  return statements;
}

std::optional<std::string> UnknownSetting(const std::map<std::string, std::string>& listed) {
  for (const auto& entry : listed) {
    const std::string_view name = entry.first;
    const auto ours = [&](const SparkSetting& setting) { return setting.name == name; };
    const auto harmless = [&](std::string_view prefix) { return name.starts_with(prefix); };
    if (!name.starts_with("spark.sql.")) continue;
    if (std::any_of(kSettings.begin(), kSettings.end(), ours)) continue;
    if (std::any_of(kHarmless.begin(), kHarmless.end(), harmless)) continue;
    return entry.first;
  }
  return std::nullopt;
}

}  // namespace dpsql
