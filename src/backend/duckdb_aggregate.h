#pragma once

#include <duckdb.h>

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <utility>

#include "backend/duckdb_handles.h"
#include "base/check.h"

// Aggregates of ours that run inside of DuckDB's threads, without GROUP BY:
//
//   SELECT name(<id>, row(…)) FROM …
//
// Nothing comes back but the number of threads; what they saw goes to the sink that the id names.
namespace dpsql {

// The sinks of the statements that run.
template <typename Sink>
class SinkRegistry {
 public:
  std::int64_t Add(std::shared_ptr<Sink> sink) {
    const std::lock_guard<std::mutex> lock(mutex_);
    sinks_.emplace(++last_, std::move(sink));
    return last_;
  }

  void Remove(std::int64_t id) {
    const std::lock_guard<std::mutex> lock(mutex_);
    sinks_.erase(id);
  }

  std::shared_ptr<Sink> Find(std::int64_t id) {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto found = sinks_.find(id);
    Check(found != sinks_.end(), "a statement's place exists while it runs");
    return found->second;
  }

 private:
  std::mutex mutex_;
  std::int64_t last_ = 0;
  std::map<std::int64_t, std::shared_ptr<Sink>> sinks_;
};

// Thread: what one thread of a statement sees. It is made with (shared_ptr<Sink>, first row), takes
// Add(row vector, n), and Put() hands over to the sink what it has.
template <typename Sink, typename Thread>
class DuckDbAggregate {
 public:
  using Registry = SinkRegistry<Sink>;

  // Makes the aggregate known to all connections. Returns whether DuckDB took it; once for each
  // database, before transactions that use it begin.
  static bool Register(duckdb_database database, const char* name,
                       std::shared_ptr<Registry> registry) {
    duckdb_connection connection = nullptr;
    if (duckdb_connect(database, &connection) != DuckDBSuccess) return false;
    const LogicalType id(duckdb_create_logical_type(DUCKDB_TYPE_BIGINT));
    const LogicalType row(duckdb_create_logical_type(DUCKDB_TYPE_ANY));
    duckdb_aggregate_function function = duckdb_create_aggregate_function();
    duckdb_aggregate_function_set_name(function, name);
    duckdb_aggregate_function_add_parameter(function, id.handle);
    duckdb_aggregate_function_add_parameter(function, row.handle);
    duckdb_aggregate_function_set_return_type(function, id.handle);
    duckdb_aggregate_function_set_functions(function, StateSize, InitState, Update, Combine,
                                            Finalize);
    duckdb_aggregate_function_set_destructor(function, Destroy);
    duckdb_aggregate_function_set_special_handling(function);
    duckdb_aggregate_function_set_extra_info(
        function, new std::shared_ptr<Registry>(std::move(registry)), DeleteRegistry);
    const bool done = duckdb_register_aggregate_function(connection, function) == DuckDBSuccess;
    duckdb_destroy_aggregate_function(&function);
    duckdb_disconnect(&connection);
    return done;
  }

 private:
  static constexpr const char* kFailed = "an aggregate of the query failed";

  // In a list: DuckDB combines states one after the other on one thread, so that what threads have
  // is only handed over there, and merged later by threads of ours.
  struct Link {
    Thread thread;
    std::unique_ptr<Link> next;
  };

  // DuckDB moves states as bytes.
  struct State {
    Link* first;
  };

  static State& StateOf(duckdb_aggregate_state state) { return *reinterpret_cast<State*>(state); }

  static idx_t StateSize(duckdb_function_info) { return sizeof(State); }

  static void InitState(duckdb_function_info, duckdb_aggregate_state state) {
    StateOf(state).first = nullptr;
  }

  // All rows of a chunk have one state. DuckDB hands vectors over flat.
  static void Update(duckdb_function_info info, duckdb_data_chunk chunk,
                     duckdb_aggregate_state* states) {
    try {
      const std::size_t n = duckdb_data_chunk_get_size(chunk);
      if (n == 0) return;
      State& state = StateOf(states[0]);
      duckdb_vector row = duckdb_data_chunk_get_vector(chunk, 1);
      if (state.first == nullptr) {
        auto& registry = *static_cast<std::shared_ptr<Registry>*>(
            duckdb_aggregate_function_get_extra_info(info));
        duckdb_vector ids = duckdb_data_chunk_get_vector(chunk, 0);
        const std::int64_t id = static_cast<std::int64_t*>(duckdb_vector_get_data(ids))[0];
        state.first = new Link{Thread(registry->Find(id), row), nullptr};
      }
      state.first->thread.Add(row, n);
    } catch (...) {
      duckdb_aggregate_function_set_error(info, kFailed);
    }
  }

  static void Combine(duckdb_function_info, duckdb_aggregate_state* sources,
                      duckdb_aggregate_state* targets, idx_t n) {
    for (idx_t i = 0; i < n; ++i) {
      std::unique_ptr<Link> moved(std::exchange(StateOf(sources[i]).first, nullptr));
      while (moved) {
        std::unique_ptr<Link> rest = std::move(moved->next);
        moved->next.reset(std::exchange(StateOf(targets[i]).first, nullptr));
        StateOf(targets[i]).first = moved.release();
        moved = std::move(rest);
      }
    }
  }

  static void Finalize(duckdb_function_info info, duckdb_aggregate_state* states,
                       duckdb_vector result, idx_t n, idx_t offset) {
    try {
      auto* const counts = static_cast<std::int64_t*>(duckdb_vector_get_data(result));
      for (idx_t i = 0; i < n; ++i) {
        counts[offset + i] = 0;
        for (Link* at = StateOf(states[i]).first; at != nullptr; at = at->next.get()) {
          at->thread.Put();
          counts[offset + i] += 1;
        }
      }
    } catch (...) {
      duckdb_aggregate_function_set_error(info, kFailed);
    }
  }

  static void Destroy(duckdb_aggregate_state* states, idx_t n) {
    for (idx_t i = 0; i < n; ++i) {
      std::unique_ptr<Link> at(std::exchange(StateOf(states[i]).first, nullptr));
      while (at) at = std::move(at->next);
    }
  }

  static void DeleteRegistry(void* registry) {
    delete static_cast<std::shared_ptr<Registry>*>(registry);
  }
};

}  // namespace dpsql
