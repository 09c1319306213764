#include "backend/duckdb_cells.h"

#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>
#include <new>
#include <utility>
#include <vector>

#include "backend/duckdb_cell_types.h"
#include "backend/duckdb_handles.h"
#include "base/check.h"

namespace dpsql {

// Where the tables of a statement's threads come together.
class CellSink {
 public:
  explicit CellSink(CellLayout layout)
      : layout_(std::move(layout)),
        memory_(std::make_shared<CellMemory>(std::min(layout_.memory_limit, kMostMemory))) {}

  bool full() const { return full_; }
  void SetFull() { full_ = true; }

  // A table for one thread. All threads see the same types.
  std::unique_ptr<UnitCells> MakeTable(std::vector<ColumnType> types) {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      if (types_.empty()) types_ = std::move(types);
    }
    return std::make_unique<UnitCells>(layout_, types_, *memory_);
  }

  void Put(std::unique_ptr<UnitCells> table) {
    const std::lock_guard<std::mutex> lock(mutex_);
    tables_.push_back(std::move(table));
  }

  std::optional<MergedCells> Merge(std::size_t parts) {
    std::vector<std::unique_ptr<UnitCells>> tables;
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      tables.swap(tables_);
    }
    if (full_) return std::nullopt;
    try {
      return MergedCells(layout_, types_, memory_, std::move(tables), parts);
    } catch (const CellLimitReached&) {
      return std::nullopt;
    } catch (const std::bad_alloc&) {
      return std::nullopt;
    }
  }

  const CellLayout& layout() const { return layout_; }

 private:
  // Codes have 32 bits, and a coded thing takes 24 bytes at least.
  static constexpr std::size_t kMostMemory = std::size_t{1} << 36;

  CellLayout layout_;
  std::shared_ptr<CellMemory> memory_;
  std::atomic<bool> full_ = false;
  std::mutex mutex_;
  std::vector<ColumnType> types_;
  std::vector<std::unique_ptr<UnitCells>> tables_;
};

// The statements that run.
class CellRegistry {
 public:
  std::int64_t Add(std::shared_ptr<CellSink> sink) {
    const std::lock_guard<std::mutex> lock(mutex_);
    sinks_.emplace(++last_, std::move(sink));
    return last_;
  }

  void Remove(std::int64_t id) {
    const std::lock_guard<std::mutex> lock(mutex_);
    sinks_.erase(id);
  }

  std::shared_ptr<CellSink> Find(std::int64_t id) {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto found = sinks_.find(id);
    return found == sinks_.end() ? nullptr : found->second;
  }

 private:
  std::mutex mutex_;
  std::int64_t last_ = 0;
  std::map<std::int64_t, std::shared_ptr<CellSink>> sinks_;
};

namespace {

constexpr const char* kFailed = "the cells of the query could not be made";

// One thread's table, in a list: DuckDB combines states one after the other on one thread, so that
// tables are only handed over there and merged later, by threads of ours.
struct ThreadTable {
  std::shared_ptr<CellSink> sink;
  std::unique_ptr<UnitCells> table;
  std::vector<ColumnData> columns;
  std::unique_ptr<ThreadTable> next;
};

// DuckDB moves states as bytes.
struct State {
  ThreadTable* first;
};

State& StateOf(duckdb_aggregate_state state) { return *reinterpret_cast<State*>(state); }

// The presences of which values are kept.
bool IsDistinct(const CellLayout& layout, std::size_t presence) {
  return std::any_of(layout.distincts.begin(), layout.distincts.end(),
                     [&](const DistinctSet& set) { return set.presence == presence; });
}

std::optional<ColumnType> TypeOf(const CellLayout& layout, std::size_t column,
                                 duckdb_logical_type type) {
  if (column < layout.first_key()) return CellColumnType(CellColumn::kUnit, type);
  if (column < layout.first_value()) return CellColumnType(CellColumn::kKey, type);
  if (column < layout.first_presence()) return CellColumnType(CellColumn::kValue, type);
  if (!IsDistinct(layout, column - layout.first_presence())) return ColumnType{};
  return CellColumnType(CellColumn::kDistinct, type);
}

std::vector<ColumnType> ReadTypes(const CellLayout& layout, duckdb_vector row) {
  const LogicalType type(duckdb_vector_get_column_type(row));
  Check(duckdb_get_type_id(type.handle) == DUCKDB_TYPE_STRUCT, "columns come in a row");
  Check(duckdb_struct_type_child_count(type.handle) == layout.columns(), "all columns are there");
  std::vector<ColumnType> types;
  for (std::size_t i = 0; i < layout.columns(); ++i) {
    const LogicalType child(duckdb_struct_type_child_type(type.handle, i));
    std::optional<ColumnType> known = TypeOf(layout, i, child.handle);
    Check(known.has_value(), "a column has a type that cells take");
    types.push_back(*std::move(known));
  }
  return types;
}

ThreadTable* MakeThreadTable(CellRegistry& registry, duckdb_vector ids, duckdb_vector row) {
  auto thread = std::make_unique<ThreadTable>();
  thread->sink = registry.Find(static_cast<std::int64_t*>(duckdb_vector_get_data(ids))[0]);
  Check(thread->sink != nullptr, "a statement's place exists while it runs");
  const CellLayout& layout = thread->sink->layout();
  thread->columns.resize(layout.columns());
  if (thread->sink->full()) return thread.release();
  try {
    thread->table = thread->sink->MakeTable(ReadTypes(layout, row));
  } catch (const CellLimitReached&) {
    thread->sink->SetFull();
  } catch (const std::bad_alloc&) {
    thread->sink->SetFull();
  }
  return thread.release();
}

void AddChunk(ThreadTable& thread, duckdb_vector row, std::size_t n) {
  if (thread.sink->full()) thread.table.reset();
  if (!thread.table) return;
  try {
    for (std::size_t i = 0; i < thread.columns.size(); ++i) {
      duckdb_vector child = duckdb_struct_vector_get_child(row, i);
      thread.columns[i] = {duckdb_vector_get_data(child), duckdb_vector_get_validity(child)};
    }
    thread.table->Add(thread.columns, n);
  } catch (const CellLimitReached&) {
    thread.sink->SetFull();
    thread.table.reset();
  } catch (const std::bad_alloc&) {
    thread.sink->SetFull();
    thread.table.reset();
  }
}

idx_t StateSize(duckdb_function_info) { return sizeof(State); }

void InitState(duckdb_function_info, duckdb_aggregate_state state) {
  StateOf(state).first = nullptr;
}

// There is no GROUP BY, so all rows of a chunk have one state. DuckDB hands vectors over flat.
void Update(duckdb_function_info info, duckdb_data_chunk chunk, duckdb_aggregate_state* states) {
  try {
    const std::size_t n = duckdb_data_chunk_get_size(chunk);
    if (n == 0) return;
    State& state = StateOf(states[0]);
    duckdb_vector row = duckdb_data_chunk_get_vector(chunk, 1);
    if (state.first == nullptr) {
      auto& registry = *static_cast<std::shared_ptr<CellRegistry>*>(
          duckdb_aggregate_function_get_extra_info(info));
      state.first = MakeThreadTable(*registry, duckdb_data_chunk_get_vector(chunk, 0), row);
    }
    AddChunk(*state.first, row, n);
  } catch (...) {
    duckdb_aggregate_function_set_error(info, kFailed);
  }
}

void Combine(duckdb_function_info, duckdb_aggregate_state* sources, duckdb_aggregate_state* targets,
             idx_t n) {
  for (idx_t i = 0; i < n; ++i) {
    std::unique_ptr<ThreadTable> moved(std::exchange(StateOf(sources[i]).first, nullptr));
    while (moved) {
      std::unique_ptr<ThreadTable> rest = std::move(moved->next);
      moved->next.reset(std::exchange(StateOf(targets[i]).first, nullptr));
      StateOf(targets[i]).first = moved.release();
      moved = std::move(rest);
    }
  }
}

void Finalize(duckdb_function_info info, duckdb_aggregate_state* states, duckdb_vector result,
              idx_t n, idx_t offset) {
  try {
    auto* const counts = static_cast<std::int64_t*>(duckdb_vector_get_data(result));
    for (idx_t i = 0; i < n; ++i) {
      counts[offset + i] = 0;
      for (ThreadTable* at = StateOf(states[i]).first; at != nullptr; at = at->next.get()) {
        if (at->table) at->sink->Put(std::move(at->table));
        counts[offset + i] += 1;
      }
    }
  } catch (...) {
    duckdb_aggregate_function_set_error(info, kFailed);
  }
}

void Destroy(duckdb_aggregate_state* states, idx_t n) {
  for (idx_t i = 0; i < n; ++i) {
    std::unique_ptr<ThreadTable> at(std::exchange(StateOf(states[i]).first, nullptr));
    while (at) at = std::move(at->next);
  }
}

void DeleteRegistry(void* registry) {
  delete static_cast<std::shared_ptr<CellRegistry>*>(registry);
}

}  // namespace

CellPass::CellPass(std::shared_ptr<CellRegistry> registry, CellLayout layout)
    : registry_(std::move(registry)),
      sink_(std::make_shared<CellSink>(std::move(layout))),
      id_(registry_->Add(sink_)) {}

CellPass::~CellPass() { registry_->Remove(id_); }

std::optional<MergedCells> CellPass::Finish(std::size_t threads) {
  return sink_->Merge(std::max<std::size_t>(threads, 1));
}

DuckDbCells::DuckDbCells() : registry_(std::make_shared<CellRegistry>()) {}

std::unique_ptr<CellPass> DuckDbCells::Begin(CellLayout layout) const {
  return std::make_unique<CellPass>(registry_, std::move(layout));
}

bool DuckDbCells::Register(duckdb_database database) {
  duckdb_connection connection = nullptr;
  if (duckdb_connect(database, &connection) != DuckDBSuccess) return false;
  const LogicalType id(duckdb_create_logical_type(DUCKDB_TYPE_BIGINT));
  const LogicalType row(duckdb_create_logical_type(DUCKDB_TYPE_ANY));
  duckdb_aggregate_function function = duckdb_create_aggregate_function();
  duckdb_aggregate_function_set_name(function, kCellsFunction);
  duckdb_aggregate_function_add_parameter(function, id.handle);
  duckdb_aggregate_function_add_parameter(function, row.handle);
  duckdb_aggregate_function_set_return_type(function, id.handle);
  duckdb_aggregate_function_set_functions(function, StateSize, InitState, Update, Combine,
                                          Finalize);
  duckdb_aggregate_function_set_destructor(function, Destroy);
  duckdb_aggregate_function_set_special_handling(function);
  duckdb_aggregate_function_set_extra_info(function, new std::shared_ptr<CellRegistry>(registry_),
                                           DeleteRegistry);
  const bool done = duckdb_register_aggregate_function(connection, function) == DuckDBSuccess;
  duckdb_destroy_aggregate_function(&function);
  duckdb_disconnect(&connection);
  return done;
}

}  // namespace dpsql
