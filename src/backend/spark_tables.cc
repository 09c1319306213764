#include "backend/spark_tables.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "backend/data_files.h"
#include "base/error_codes.h"
#include "base/names.h"
#include "base/try.h"
#include "sql/dialect.h"

namespace dpsql {
namespace {

std::string Name(std::string_view name) { return SparkDialect().QuoteIdentifier(name); }
std::string Text(std::string_view text) { return SparkDialect().QuoteString(text); }

// "char(5)", "varchar(9)", "string", each with or without " collate …" behind it.
bool IsText(std::string_view type) {
  return type == "string" || type.starts_with("string collate ") || type.starts_with("char(") ||
         type.starts_with("varchar(");
}

std::string Within(const std::string& value, const std::string& type, const std::string& end) {
  return "CASE WHEN " + value + " BETWEEN " + type + " '0001-01-01' AND " + type + " '9999-12-31" +
         end + "' THEN " + value + " END";
}

Error SourceProblem(ErrorCode code, const Policy& policy, const TablePolicy& table,
                    std::string message, std::string hint) {
  return ToError({.code = code,
                  .line = table.source->line,
                  .message = "the source of " + table.name + std::move(message),
                  .hint = std::move(hint)},
                 policy.file);
}

// Spark's pattern for some files of the local file system: file:///{a/x.parquet,a/y.parquet}
Result<std::string> LocalPath(const Policy& policy, const TableFiles& files) {
  std::string list;
  for (const FileStamp& file : files.files) {
    if (file.path.find_first_of("{},`") != std::string::npos) {
      return SourceProblem(ErrorCode::kPolicyTable, policy, *files.table,
                           " has a file whose name has one of  { } , `",
                           "rename it: Spark takes such names for patterns");
    }
    if (!list.empty()) list += ",";
    list += file.path.substr(1);
  }
  return "file:///" + (files.files.size() == 1 ? list : "{" + list + "}");
}

bool IsUrl(const std::string& pattern) { return pattern.find("://") != std::string::npos; }

// The same policy with only those tables whose files can be seen from here.
Policy LocalPart(const Policy& policy) {
  Policy local = policy;
  std::erase_if(local.tables, [](const TablePolicy& table) {
    return !table.source || IsUrl(table.source->pattern);
  });
  return local;
}

}  // namespace

Type SparkType(std::string_view spark_type) {
  static constexpr auto kNames = std::to_array<std::pair<std::string_view, std::string_view>>({
      {"boolean", "BOOLEAN"},
      {"tinyint", "TINYINT"},
      {"smallint", "SMALLINT"},
      {"int", "INTEGER"},
      {"bigint", "BIGINT"},
      {"float", "FLOAT"},
      {"double", "DOUBLE"},
      {"date", "DATE"},
      {"timestamp", "TIMESTAMP"},
      {"timestamp_ntz", "TIMESTAMP"},
  });
  for (const auto& [name, ours] : kNames) {
    if (spark_type == name) return ParseType(ours);
  }
  if (IsText(spark_type)) return ParseType("VARCHAR");
  Type decimal = ParseType(spark_type);
  if (DigitsOf(decimal)) return decimal;
  // What a struct's fields are called may be long; it ends where they begin.
  const std::size_t end = std::min(spark_type.find_first_of("<("), spark_type.size());
  return {.family = TypeFamily::kOther, .name = ToUpper(spark_type.substr(0, end))};
}

bool HasSparkCollation(std::string_view spark_type) {
  return IsText(spark_type) && spark_type.find(" collate ") != std::string_view::npos &&
         !spark_type.ends_with(" collate UTF8_BINARY");
}

std::string ReadSparkColumn(const std::string& name, std::string_view spark_type) {
  std::string value = Name(name);
  if (spark_type == "float" || spark_type == "double") {
    return "nanvl(" + value + ", CAST(NULL AS " + ToUpper(spark_type) + "))";
  }
  if (spark_type == "date") return Within(value, "DATE", "");
  if (spark_type == "timestamp" || spark_type == "timestamp_ntz") {
    return Within("CAST(" + value + " AS TIMESTAMP_NTZ)", "TIMESTAMP_NTZ", " 23:59:59.999999");
  }
  if (!IsText(spark_type)) return value;
  std::string text = value;
  if (HasSparkCollation(spark_type)) text = "collate(" + text + ", 'UTF8_BINARY')";
  text = "try_validate_utf8(" + text + ")";
  if (spark_type.starts_with("char(")) text = "trim(TRAILING ' ' FROM " + text + ")";
  return "CASE WHEN octet_length(" + text + ") < 65536 THEN " + text + " ELSE concat(left(" + text +
         ", 65472), sha2(CAST(" + text + " AS BINARY), 256)) END";
}

Result<SparkTables> FindSparkTables(const Policy& policy,
                                    const std::vector<std::string>& database) {
  SparkTables found;
  for (const TablePolicy& table : policy.tables) {
    if (table.source && table.source->is_text()) {
      return SourceProblem(ErrorCode::kPolicyUnavailable, policy, table, " is not Parquet",
                           "with Spark, sources are files of Parquet");
    }
  }
  const Policy local = LocalPart(policy);
  TRY(const std::vector<TableFiles> files, FindTableFiles(local));
  for (const TablePolicy& table : policy.tables) {
    // No name of a policy's: statements call their own tables by those. And none that Spark allows
    // in its catalogue: where there is no such view, there is no such table.
    const std::string view = Name("(source) " + table.name);
    SparkTable entry{.name = table.name, .relation = view, .stored = view, .path = {}, .files = {}};
    if (!table.source) {
      entry.stored.clear();
      for (const std::string& part : database) entry.stored += Name(part) + ".";
      entry.stored += Name(table.name);
    } else if (IsUrl(table.source->pattern)) {
      entry.path = table.source->pattern;
    } else {
      const auto same = [&](const TableFiles& of) { return of.table->name == table.name; };
      const auto own = std::find_if(files.begin(), files.end(), same);
      TRY(entry.path, LocalPath(policy, *own));
      entry.files = own->files.size();
      found.stamps.insert(found.stamps.end(), own->files.begin(), own->files.end());
    }
    found.tables.push_back(std::move(entry));
  }
  return found;
}

std::string SparkView(const SparkTable& table) {
  const std::string view = "CREATE TEMPORARY VIEW " + table.relation;
  if (table.path.empty()) return view + " AS SELECT * FROM " + table.stored;
  return view + " USING parquet OPTIONS (path " + Text(table.path) + ", mergeSchema 'true')";
}

std::string SparkFileList(const std::vector<SparkTable>& tables) {
  std::string sql;
  for (const SparkTable& table : tables) {
    if (table.path.empty()) continue;
    if (!sql.empty()) sql += " UNION ALL ";
    sql += "SELECT " + Text(table.name) + ", path, unix_micros(modificationTime), length FROM " +
           "binaryFile." + Name(table.path);
  }
  return sql;
}

std::string SparkCatalogFileList(const SparkTable& table,
                                 const std::vector<std::string>& partitions) {
  std::string values;
  for (const std::string& column : partitions) values += ", CAST(" + Name(column) + " AS STRING)";
  return "SELECT DISTINCT " + Text(table.name) +
         ", _metadata.file_path, unix_micros(_metadata.file_modification_time), "
         "_metadata.file_size" +
         values + " FROM " + table.stored;
}

std::string SparkReadFragile(const SparkTable& table, const std::vector<SchemaColumn>& columns) {
  std::string times;
  std::string lengths;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const std::string_view type = table.spark_types.at(i);
    const TypeFamily family = columns[i].type.family;
    const std::string name = Name(columns[i].name);
    if (type.starts_with("timestamp") || type.starts_with("decimal(")) {
      times += ", max(" + name + ")";
    } else if (family == TypeFamily::kText || family == TypeFamily::kOther) {
      lengths += ", max(octet_length(CAST(" + name + " AS STRING)))";
    }
  }
  if (times.empty() && lengths.empty()) return "";
  // Two zeros: greatest needs two arguments, and passes over the NULL of an empty column.
  return "SELECT greatest(0, 0" + lengths + ") > " + std::to_string(kLongestSparkValue) + times +
         " FROM " + table.relation;
}

namespace {

// A text between quotes, as JSON has it. What is not printed is a number, so that neither JSON nor
// SQL has anything to say to it.
void AddJsonText(std::string_view text, std::string& json) {
  static constexpr std::string_view kHex = "0123456789abcdef";
  json += '"';
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7f || c == '"' || c == '\\' || c == '\'') {
      json += "\\u00";
      json += kHex[byte >> 4U];
      json += kHex[byte & 0xfU];
    } else {
      json += c;
    }
  }
  json += '"';
}

std::string JsonDouble(double value) {
  if (std::isnan(value)) return "\"NaN\"";
  if (std::isinf(value)) return value < 0 ? "\"-Infinity\"" : "\"Infinity\"";
  std::array<char, 32> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
  return {digits.data(), end};
}

// How a value of a type is sent.
std::string_view SentType(const Type& type) {
  if (type.family == TypeFamily::kBoolean) return "BOOLEAN";
  if (type.family == TypeFamily::kInteger) return "BIGINT";
  if (type.family == TypeFamily::kFloat) return "DOUBLE";
  return "STRING";
}

// Spark's name of a type of ours. Its own decimals are the widest whole numbers that it has.
std::string SparkTypeName(const Type& type) {
  if (DigitsOf(type) || type.name == "DATE" || type.name == "FLOAT") return type.name;
  if (type.name == "TINYINT" || type.name == "SMALLINT") return type.name;
  if (type.name == "INTEGER") return "INT";
  if (type.name == "TIMESTAMP") return "TIMESTAMP_NTZ";
  if (type.family == TypeFamily::kDecimal) return "DECIMAL(38,0)";
  return std::string(SentType(type));
}

void AddJsonValue(const Value& value, std::string_view type, std::string& json) {
  if (IsNull(value)) {
    json += "null";
  } else if (type == "STRING") {
    AddJsonText(ToText(value), json);
  } else if (const auto* real = std::get_if<double>(&value)) {
    json += JsonDouble(*real);
  } else {
    json += ToText(value);
  }
}

}  // namespace

std::string SparkInlineTable(const PublicTable& table) {
  std::string selected;
  std::string fields;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    const Type& type = table.columns[i].type;
    const std::string field = "c" + std::to_string(i);
    const std::string comma = i == 0 ? "" : ", ";
    selected += comma + "TRY_CAST(" + field + " AS " + SparkTypeName(type) + ") AS " +
                Name(table.columns[i].name);
    fields += comma + field + ": " + std::string(SentType(type));
  }
  std::string json = "[";
  for (const std::vector<Value>& row : table.rows) {
    if (json.size() > 1) json += ",";
    json += "{";
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      json += (i == 0 ? "\"c" : ",\"c") + std::to_string(i) + "\":";
      AddJsonValue(row[i], SentType(table.columns[i].type), json);
    }
    json += "}";
  }
  json += "]";
  // What hangs on a column is not computed while the query is planned: a million rows as a constant
  // of the plan would be sent to every task. Behind the text stands an empty one.
  return "SELECT " + selected + " FROM (SELECT inline(from_json(concat(" + Text(json) +
         ", substring(CAST(id AS STRING), 2)), " + Text("ARRAY<STRUCT<" + fields + ">>") +
         ")) FROM range(0, 1, 1, 1))";
}

}  // namespace dpsql
