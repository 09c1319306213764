#pragma once

#include <duckdb.h>

#include <atomic>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

// Rows handed over inside of DuckDB's own threads, by a function of ours:
//
//   SELECT count(dpsql_rows(<id>, columns…)) FROM …
//
// The id names the sink that takes them. The function is volatile, so that DuckDB computes it once
// for each row that the count is of; RowSink::CheckCount holds the two against each other.
namespace dpsql {

inline constexpr const char* kRowsFunction = "dpsql_rows";

// What one thread of a statement has taken.
class RowThread {
 public:
  virtual ~RowThread() = default;
  // Adds n rows. DuckDB hands vectors over flat. Throws bad_alloc where memory ends.
  virtual void Add(std::span<const duckdb_vector> columns, std::size_t n) = 0;
};

// Where the rows of one statement go.
class RowSink {
 public:
  virtual ~RowSink() = default;

  // A place for one thread. Ensures: it stays where it is.
  struct Place {
    std::unique_ptr<RowThread> thread;  // none before the first rows, and where memory ended
    std::uint64_t rows = 0;
  };
  Place& AddPlace();

  // Adds rows of the thread whose place it is. Where memory ends the sink is full: all that it
  // holds is let go of, and no row is taken any more.
  void Add(Place& place, std::span<const duckdb_vector> columns, std::size_t n);

  bool full() const { return full_; }

  // Throws Bug where a statement counted other rows than came in.
  void CheckCount(std::int64_t counted);

 protected:
  // What a thread with columns of these types takes its rows with.
  virtual std::unique_ptr<RowThread> MakeThread(std::span<const duckdb_vector> columns) = 0;

  // What the threads have taken. Requires: the statement has ended.
  std::vector<std::unique_ptr<RowThread>> TakeThreads();

 private:
  std::atomic<bool> full_ = false;
  std::mutex mutex_;
  std::deque<Place> places_;
};

// The sinks of the statements that run.
class RowRegistry {
 public:
  std::int64_t Add(std::shared_ptr<RowSink> sink);
  void Remove(std::int64_t id);
  std::shared_ptr<RowSink> Find(std::int64_t id);

  // Makes the function known to all connections. Returns whether DuckDB took it; once for each
  // database, before transactions that use it begin.
  static bool Register(duckdb_database database, std::shared_ptr<RowRegistry> registry);

 private:
  std::mutex mutex_;
  std::int64_t last_ = 0;
  std::map<std::int64_t, std::shared_ptr<RowSink>> sinks_;
};

// A sink that statements can name.
class NamedSink {
 public:
  NamedSink(std::shared_ptr<RowRegistry> registry, std::shared_ptr<RowSink> sink)
      : registry_(std::move(registry)), id_(registry_->Add(std::move(sink))) {}
  ~NamedSink() { registry_->Remove(id_); }
  NamedSink(const NamedSink&) = delete;
  NamedSink& operator=(const NamedSink&) = delete;

  std::int64_t id() const { return id_; }

 private:
  std::shared_ptr<RowRegistry> registry_;
  std::int64_t id_;
};

}  // namespace dpsql
