#include "backend/duckdb_handles.h"

#include <cmath>
#include <cstdint>
#include <limits>

#include "base/check.h"
#include "sql/dialect.h"

namespace dpsql {
namespace {

void DestroyAppender(duckdb_appender* appender) { duckdb_appender_destroy(appender); }

bool ErrorIsInterrupt(const std::string& text) { return text.rfind("INTERRUPT", 0) == 0; }

DuckDbFailure Failure(const char* text) {
  const std::string words = text != nullptr ? text : "unknown error";
  return {.interrupted = ErrorIsInterrupt(words), .text = words};
}

}  // namespace

DuckDbDatabase::~DuckDbDatabase() { duckdb_close(&handle_); }

// One thread: what it holds is small, and its rows come in the order that was asked for. It cannot
// spill, so that a join of releases that explodes ends soon.
std::string DuckDbDatabase::OpenEmpty() {
  return Open(":memory:",
              {{"threads", "1"}, {"memory_limit", "1GB"}, {"enable_external_access", "false"}});
}

std::string DuckDbDatabase::Open(const std::string& path, const Settings& settings) {
  Guard<duckdb_config, duckdb_destroy_config> config;
  Check(duckdb_create_config(&config.handle) == DuckDBSuccess, "DuckDB makes a configuration");
  const auto set = [&](const std::string& name, const std::string& value) {
    Check(duckdb_set_config(config.handle, name.c_str(), value.c_str()) == DuckDBSuccess,
          "DuckDB knows its own settings");
  };
  set("autoinstall_known_extensions", "false");
  set("autoload_known_extensions", "false");
  for (const auto& [name, value] : settings) set(name, value);
  char* words = nullptr;
  const duckdb_state state = duckdb_open_ext(path.c_str(), &handle_, config.handle, &words);
  std::string text = words != nullptr ? words : "";
  duckdb_free(words);
  if (state == DuckDBSuccess) return "";
  return text.empty() ? "unknown error" : text;
}

DuckDbChunk::~DuckDbChunk() { duckdb_destroy_data_chunk(&handle_); }

std::size_t DuckDbChunk::size() const { return duckdb_data_chunk_get_size(handle_); }

std::size_t DuckDbChunk::columns() const { return duckdb_data_chunk_get_column_count(handle_); }

bool DuckDbChunk::IsNull(std::size_t column, std::size_t row) const {
  std::uint64_t* validity =
      duckdb_vector_get_validity(duckdb_data_chunk_get_vector(handle_, column));
  return validity != nullptr && !duckdb_validity_row_is_valid(validity, row);
}

std::string DuckDbChunk::Text(std::size_t column, std::size_t row) const {
  auto* data = static_cast<duckdb_string_t*>(
      duckdb_vector_get_data(duckdb_data_chunk_get_vector(handle_, column)));
  return {duckdb_string_t_data(&data[row]), duckdb_string_t_length(data[row])};
}

namespace {

duckdb_type ColumnType(duckdb_vector vector) {
  const LogicalType type(duckdb_vector_get_column_type(vector));
  return duckdb_get_type_id(type.handle);
}

}  // namespace

bool DuckDbChunk::Flag(std::size_t column, std::size_t row) const {
  duckdb_vector vector = duckdb_data_chunk_get_vector(handle_, column);
  return !IsNull(column, row) && static_cast<bool*>(duckdb_vector_get_data(vector))[row];
}

Int128 DuckDbChunk::Whole(std::size_t column, std::size_t row) const {
  duckdb_vector vector = duckdb_data_chunk_get_vector(handle_, column);
  if (IsNull(column, row)) return 0;
  if (ColumnType(vector) == DUCKDB_TYPE_BIGINT) {
    return static_cast<std::int64_t*>(duckdb_vector_get_data(vector))[row];
  }
  Check(ColumnType(vector) == DUCKDB_TYPE_HUGEINT, "sums are whole numbers");
  const duckdb_hugeint wide = static_cast<duckdb_hugeint*>(duckdb_vector_get_data(vector))[row];
  return static_cast<Int128>(static_cast<UInt128>(static_cast<Int128>(wide.upper)) << 64 |
                             wide.lower);
}

Value DuckDbChunk::Read(std::size_t column, std::size_t row) const {
  if (IsNull(column, row)) return std::monostate{};
  duckdb_vector vector = duckdb_data_chunk_get_vector(handle_, column);
  switch (ColumnType(vector)) {
    case DUCKDB_TYPE_BOOLEAN:
      return Flag(column, row);
    case DUCKDB_TYPE_BIGINT:
      return static_cast<std::int64_t*>(duckdb_vector_get_data(vector))[row];
    case DUCKDB_TYPE_DOUBLE:
      return static_cast<double*>(duckdb_vector_get_data(vector))[row];
    case DUCKDB_TYPE_VARCHAR:
      return Text(column, row);
    default:
      throw Bug("values travel as boolean, BIGINT, DOUBLE or text");
  }
}

DuckDbConnection::DuckDbConnection(const DuckDbDatabase& database) {
  Check(duckdb_connect(database.handle(), &handle_) == DuckDBSuccess, "DuckDB connects");
}

namespace {

struct Append {
  duckdb_appender appender;
  duckdb_state operator()(std::monostate) const { return duckdb_append_null(appender); }
  duckdb_state operator()(bool value) const { return duckdb_append_bool(appender, value); }
  duckdb_state operator()(std::int64_t value) const { return duckdb_append_int64(appender, value); }
  duckdb_state operator()(double value) const { return duckdb_append_double(appender, value); }
  duckdb_state operator()(const std::string& value) const {
    return duckdb_append_varchar_length(appender, value.data(), value.size());
  }
};

// NaN is NULL.
duckdb_state AppendList(duckdb_appender appender, const std::vector<double>& numbers) {
  const LogicalType type(duckdb_create_logical_type(DUCKDB_TYPE_DOUBLE));
  std::vector<duckdb_value> values;
  for (const double number : numbers) {
    values.push_back(std::isnan(number) ? duckdb_create_null_value()
                                        : duckdb_create_double(number));
  }
  Guard<duckdb_value, duckdb_destroy_value> list;
  list.handle = duckdb_create_list_value(type.handle, values.data(), values.size());
  for (duckdb_value& value : values) duckdb_destroy_value(&value);
  return duckdb_append_value(appender, list.handle);
}

// Texts of intervals are read by a cast, which the appender has none of. One that cannot be read
// is NULL.
duckdb_state AppendAs(const Type& type, duckdb_appender appender, const Value& value) {
  const auto* text = std::get_if<std::string>(&value);
  if (type.family != TypeFamily::kInterval || text == nullptr) {
    return std::visit(Append{appender}, value);
  }
  Guard<duckdb_value, duckdb_destroy_value> written;
  written.handle = duckdb_create_varchar_length(text->data(), text->size());
  const duckdb_interval interval = duckdb_get_interval(written.handle);
  if (interval.months == std::numeric_limits<std::int32_t>::min()) {
    return duckdb_append_null(appender);
  }
  return duckdb_append_interval(appender, interval);
}

// A type we do not know is only shown, as text.
std::string ColumnText(const PublicTable::Column& column) {
  const std::string type = column.type.family == TypeFamily::kOther ? "VARCHAR" : column.type.name;
  return DuckDbDialect().QuoteIdentifier(column.name) + " " + type;
}

}  // namespace

std::optional<DuckDbFailure> DuckDbConnection::Add(const PublicTable& table) {
  std::string columns;
  for (const PublicTable::Column& column : table.columns) {
    columns += (columns.empty() ? "" : ", ") + ColumnText(column);
  }
  for (const std::string& drawn : table.drawn_columns) {
    columns += ", " + DuckDbDialect().QuoteIdentifier(drawn) + " DOUBLE[]";
  }
  const std::string create = table.release ? "CREATE TEMP TABLE " : "CREATE TABLE main.";
  const std::string name = DuckDbDialect().QuoteIdentifier(table.name);
  if (auto failure = Run(create + name + " (" + columns + ")", [](const DuckDbChunk&) {})) {
    return failure;
  }
  Guard<duckdb_appender, DestroyAppender> appender;
  bool done = duckdb_appender_create_ext(handle_, table.release ? "temp" : "memory", "main",
                                         table.name.c_str(), &appender.handle) == DuckDBSuccess;
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    for (std::size_t j = 0; j < table.rows[i].size(); ++j) {
      const Type& type = table.columns[j].type;
      done = done && AppendAs(type, appender.handle, table.rows[i][j]) == DuckDBSuccess;
    }
    for (std::size_t j = 0; j < table.drawn_columns.size(); ++j) {
      done = done && AppendList(appender.handle, table.draws[i][j]) == DuckDBSuccess;
    }
    done = done && duckdb_appender_end_row(appender.handle) == DuckDBSuccess;
  }
  done = done && duckdb_appender_flush(appender.handle) == DuckDBSuccess;
  if (done) return std::nullopt;
  return Failure(duckdb_appender_error(appender.handle));
}

DuckDbConnection::~DuckDbConnection() {
  prepared_.clear();
  duckdb_disconnect(&handle_);
}

std::optional<DuckDbFailure> DuckDbConnection::ReadRows(const std::string& sql, std::size_t columns,
                                                        std::vector<std::vector<Value>>& rows) {
  return Run(sql, [&](const DuckDbChunk& chunk) {
    for (std::size_t row = 0; row < chunk.size(); ++row) {
      std::vector<Value> values;
      for (std::size_t i = 0; i < columns; ++i) values.push_back(chunk.Read(i, row));
      rows.push_back(std::move(values));
    }
  });
}

void DuckDbConnection::Prepare(const std::string& sql) {
  const auto [at, is_new] = prepared_.try_emplace(sql);
  if (is_new) duckdb_prepare(handle_, sql.c_str(), &at->second.handle);
}

std::optional<DuckDbFailure> DuckDbConnection::Run(
    const std::string& sql, const std::function<void(const DuckDbChunk&)>& consume) {
  if (interrupted_) return DuckDbFailure{.interrupted = true, .text = "interrupted"};
  Prepare(sql);
  const auto prepared = prepared_.extract(sql);
  const Statement& statement = prepared.mapped();
  if (const char* words = duckdb_prepare_error(statement.handle)) return Failure(words);
  Guard<duckdb_pending_result, duckdb_destroy_pending> pending;
  if (duckdb_pending_prepared_streaming(statement.handle, &pending.handle) != DuckDBSuccess) {
    return Failure(duckdb_pending_error(pending.handle));
  }
  // DuckDB forgets an interrupt that comes while it plans; from here on it does not.
  if (interrupted_) return DuckDbFailure{.interrupted = true, .text = "interrupted"};
  Guard<duckdb_result, duckdb_destroy_result> result;
  if (duckdb_execute_pending(pending.handle, &result.handle) != DuckDBSuccess) {
    return Failure(duckdb_result_error(&result.handle));
  }
  while (duckdb_data_chunk chunk = duckdb_fetch_chunk(result.handle)) consume(DuckDbChunk(chunk));
  if (const char* error = duckdb_result_error(&result.handle)) return Failure(error);
  return std::nullopt;
}

}  // namespace dpsql
