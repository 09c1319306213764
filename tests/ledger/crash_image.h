#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "ledger/storage_shim.h"

namespace dpsql {

// What a power failure leaves of the writes that no flush has covered.
enum class Unflushed {
  kDropped,
  kKept,
  kLastKept,  // the later half, without the earlier one: the disk wrote in reverse
  kWrites,    // of each write, by chance: all, nothing, or its first sectors
  kSectors,   // each sector of 512 bytes by chance
};

struct CrashPolicy {
  Unflushed unflushed = Unflushed::kDropped;
  // A file's growth reaches the disk after the bytes below it, and names of a directory change in
  // the order of the calls: what journaling file systems promise. Without it a file may grow
  // around a gap of zeros, and of two renames the second may survive alone.
  bool ordered = true;
  std::uint64_t seed = 0;
};

// A disk as a trace of calls leaves it: what is durable, and what a power failure may take back.
class CrashDisk {
 public:
  // What lies in the directory is durable. Requires: no subdirectories that matter.
  static CrashDisk Of(const std::string& directory);

  void Apply(const TraceRecord& record);

  // Replaces the content of `directory` by what a power failure would leave now.
  void WriteImage(const CrashPolicy& policy, const std::string& directory) const;

 private:
  struct Change {
    bool truncate = false;
    bool forgotten = false;  // a flush of it failed: no later one writes it
    std::uint64_t offset = 0;
    std::string_view data;
  };
  struct File {
    std::string durable;
    std::string cached;
    std::vector<Change> changes;
  };
  using Names = std::map<std::string, std::shared_ptr<File>>;
  struct NameChange {
    std::string name;
    std::shared_ptr<File> file;  // none: the name is gone
    std::string old_name;        // of a rename: the name that goes with it
  };

  static void ApplyChange(std::string& bytes, const Change& change);
  static void ApplyName(Names& names, const NameChange& change);
  static void Flush(File& file);
  static std::string Survivor(const File& file, const CrashPolicy& policy, std::mt19937_64& random);
  Names SurvivingNames(const CrashPolicy& policy, std::mt19937_64& random) const;
  void ChangeName(NameChange change);

  std::map<std::uint64_t, std::shared_ptr<File>> files_;  // by inode, the newest of each
  Names durable_names_;
  Names cached_names_;
  std::vector<NameChange> name_changes_;
};

}  // namespace dpsql
