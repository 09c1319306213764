#include "backend/duckdb_rows.h"

#include <cstring>
#include <new>

#include "backend/duckdb_handles.h"
#include "base/check.h"

namespace dpsql {
namespace {

constexpr const char* kFailed = "a function of the query failed";

// What DuckDB keeps for each thread that computes the function.
struct ThreadState {
  std::shared_ptr<RowSink> sink;
  RowSink::Place* place = nullptr;
  std::vector<duckdb_vector> columns;
};

void MakeState(duckdb_init_info info) {
  duckdb_scalar_function_init_set_state(
      info, new ThreadState, [](void* state) { delete static_cast<ThreadState*>(state); });
}

// The first column is the id, the same in all rows.
void TakeRows(duckdb_function_info info, duckdb_data_chunk chunk, duckdb_vector output) {
  try {
    const std::size_t n = duckdb_data_chunk_get_size(chunk);
    if (n == 0) return;
    auto& state = *static_cast<ThreadState*>(duckdb_scalar_function_get_state(info));
    if (!state.sink) {
      auto& registry =
          *static_cast<std::shared_ptr<RowRegistry>*>(duckdb_scalar_function_get_extra_info(info));
      duckdb_vector ids = duckdb_data_chunk_get_vector(chunk, 0);
      state.sink = registry->Find(static_cast<std::int64_t*>(duckdb_vector_get_data(ids))[0]);
      state.place = &state.sink->AddPlace();
      state.columns.resize(duckdb_data_chunk_get_column_count(chunk) - 1);
    }
    for (std::size_t i = 0; i < state.columns.size(); ++i) {
      state.columns[i] = duckdb_data_chunk_get_vector(chunk, i + 1);
    }
    state.sink->Add(*state.place, state.columns, n);
    std::memset(duckdb_vector_get_data(output), 1, n);
  } catch (...) {
    duckdb_scalar_function_set_error(info, kFailed);
  }
}

}  // namespace

RowSink::Place& RowSink::AddPlace() {
  const std::lock_guard<std::mutex> lock(mutex_);
  return places_.emplace_back();
}

void RowSink::Add(Place& place, std::span<const duckdb_vector> columns, std::size_t n) {
  place.rows += n;
  if (full_) return place.thread.reset();
  try {
    if (!place.thread) place.thread = MakeThread(columns);
    place.thread->Add(columns, n);
  } catch (const std::bad_alloc&) {
    full_ = true;
    place.thread.reset();
  }
}

void RowSink::CheckCount(std::int64_t counted) {
  const std::lock_guard<std::mutex> lock(mutex_);
  std::uint64_t rows = 0;
  for (const Place& place : places_) rows += place.rows;
  Check(rows == static_cast<std::uint64_t>(counted), "each row is handed over once");
}

std::vector<std::unique_ptr<RowThread>> RowSink::TakeThreads() {
  const std::lock_guard<std::mutex> lock(mutex_);
  std::vector<std::unique_ptr<RowThread>> threads;
  for (Place& place : places_) {
    if (place.thread) threads.push_back(std::move(place.thread));
  }
  return threads;
}

std::int64_t RowRegistry::Add(std::shared_ptr<RowSink> sink) {
  const std::lock_guard<std::mutex> lock(mutex_);
  sinks_.emplace(++last_, std::move(sink));
  return last_;
}

void RowRegistry::Remove(std::int64_t id) {
  const std::lock_guard<std::mutex> lock(mutex_);
  sinks_.erase(id);
}

std::shared_ptr<RowSink> RowRegistry::Find(std::int64_t id) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto found = sinks_.find(id);
  Check(found != sinks_.end(), "a statement's place exists while it runs");
  return found->second;
}

bool RowRegistry::Register(duckdb_database database, std::shared_ptr<RowRegistry> registry) {
  duckdb_connection connection = nullptr;
  if (duckdb_connect(database, &connection) != DuckDBSuccess) return false;
  const LogicalType id(duckdb_create_logical_type(DUCKDB_TYPE_BIGINT));
  const LogicalType any(duckdb_create_logical_type(DUCKDB_TYPE_ANY));
  const LogicalType taken(duckdb_create_logical_type(DUCKDB_TYPE_BOOLEAN));
  duckdb_scalar_function function = duckdb_create_scalar_function();
  duckdb_scalar_function_set_name(function, kRowsFunction);
  duckdb_scalar_function_add_parameter(function, id.handle);
  duckdb_scalar_function_set_varargs(function, any.handle);
  duckdb_scalar_function_set_return_type(function, taken.handle);
  duckdb_scalar_function_set_special_handling(function);  // a NULL is a value
  duckdb_scalar_function_set_volatile(function);
  duckdb_scalar_function_set_init(function, MakeState);
  duckdb_scalar_function_set_function(function, TakeRows);
  duckdb_scalar_function_set_extra_info(
      function, new std::shared_ptr<RowRegistry>(std::move(registry)),
      [](void* held) { delete static_cast<std::shared_ptr<RowRegistry>*>(held); });
  const bool done = duckdb_register_scalar_function(connection, function) == DuckDBSuccess;
  duckdb_destroy_scalar_function(&function);
  duckdb_disconnect(&connection);
  return done;
}

}  // namespace dpsql
