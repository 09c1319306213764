#pragma once

#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

// A shared library that stands between the file calls of a program (SQLite's and our own alike) and
// the C library. Inside one directory it records what reaches the disk, in the order in which it
// does, and makes chosen calls fail or end the process. A program that links it interposes it; it
// passes everything through until BeginTrace. What it keeps is shared by the processes that
// fork afterwards.
namespace dpsql {

// The calls that can be made to fail, as bits.
enum DiskCall : unsigned {
  kOpenCall = 1,
  kWriteCall = 2,
  kSyncCall = 4,
  kTruncateCall = 8,
  kRenameCall = 16,
  kUnlinkCall = 32,
  kAnyCall = 63,
};

enum class FaultWay : std::uint8_t {
  kNone,
  kError,      // the call does nothing and fails
  kShort,      // a write takes the first half of its bytes; other calls are not counted
  kDieBefore,  // the process ends instead of the call
  kDieAfter,   // the process ends when the call has been done
};

struct Fault {
  unsigned calls = kAnyCall;
  std::int64_t nth = 0;  // counted from 1 over all processes
  FaultWay way = FaultWay::kNone;
  int error = 0;
  bool lasting = false;  // every such call from the n-th on
};

// What a process that a fault has ended returns.
inline constexpr int kFaultExit = 86;

enum class TraceKind : std::uint32_t {
  kCreate,  // a new file; data is its name
  kWrite,
  kTruncate,  // offset is the new size
  kSync,
  kSyncFailed,  // the kernel forgets that the pages were dirty
  kSyncDirectory,
  kRename,  // data is the old name, a zero byte and the new name
  kUnlink,  // data is the name
};

// Files are known by their inode; a kCreate begins a new file under a number used before.
struct TraceRecord {
  TraceKind kind;
  std::uint64_t file;
  std::uint64_t offset;
  std::string_view data;
};

// Forgets the trace and the fault, and records from now on what happens in `directory`, an absolute
// path. Requires: called by the process from which all others fork.
void BeginTrace(const std::string& directory);

// Lets everything pass again. The trace stays until the next BeginTrace.
void EndTrace();

// Makes calls fail from now on; the count of calls begins at 0.
void SetFault(const Fault& fault);
bool FaultHappened();

// A disk that answers "flushed" and flushes nothing: syncs succeed and are not recorded.
void DropSyncs(bool drop);

// How many records there are.
std::uint64_t TracePosition();

// A copy of the trace; the records view its bytes.
struct Trace {
  std::unique_ptr<char[]> bytes;
  std::vector<TraceRecord> records;
};

Trace ReadTrace();

}  // namespace dpsql
