#include "ledger/storage_shim.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>

namespace dpsql {
namespace {

constexpr std::size_t kTraceBytes = std::size_t{1} << 30;  // reserved, not used until written
constexpr std::size_t kMostDescriptors = 4096;

struct RecordHeader {
  TraceKind kind;
  std::uint32_t padding;
  std::uint64_t file;
  std::uint64_t offset;
  std::uint64_t size;
};

// Lives in memory that all processes share. The lock is robust: a process may die with it.
struct Shared {
  pthread_mutex_t lock;
  std::atomic<bool> active;
  std::atomic<std::uint64_t> records;
  char directory[512];
  std::size_t directory_size;
  Fault fault;
  std::int64_t calls_seen;
  bool fault_happened;
  bool drop_syncs;
  std::size_t used;
  char* bytes;
};

enum class Role : std::uint8_t { kOther, kFile, kMemory, kDirectory };

Shared* shared = nullptr;
std::array<std::atomic<Role>, kMostDescriptors> roles{};

template <typename Function>
Function Real(const char* name) {
  return reinterpret_cast<Function>(::dlsym(RTLD_NEXT, name));
}

class Locked {
 public:
  Locked() {
    if (::pthread_mutex_lock(&shared->lock) == EOWNERDEAD) {
      ::pthread_mutex_consistent(&shared->lock);
    }
  }
  Locked(const Locked&) = delete;
  Locked& operator=(const Locked&) = delete;
  ~Locked() { ::pthread_mutex_unlock(&shared->lock); }
};

bool Active() { return shared != nullptr && shared->active.load(std::memory_order_acquire); }

Role RoleOf(int fd) {
  if (!Active() || fd < 0 || fd >= static_cast<int>(kMostDescriptors)) return Role::kOther;
  return roles[static_cast<std::size_t>(fd)];
}

// The name inside the traced directory, "" for the directory itself.
std::optional<std::string_view> NameInside(const char* path) {
  if (!Active()) return std::nullopt;
  const std::string_view directory(shared->directory, shared->directory_size);
  std::string_view name(path);
  if (!name.starts_with(directory)) return std::nullopt;
  name.remove_prefix(directory.size());
  if (name.empty()) return name;
  if (name.front() != '/') return std::nullopt;
  return name.substr(1);
}

// The shared memory of WAL is a file in name only: SQLite rebuilds it after a power failure.
bool IsMemory(std::string_view name) { return name.ends_with("-shm"); }

void Append(TraceKind kind, std::uint64_t file, std::uint64_t offset, std::string_view data) {
  const std::size_t size = sizeof(RecordHeader) + (data.size() + 7) / 8 * 8;
  if (shared->used + size > kTraceBytes) {
    std::fputs("the trace is full\n", stderr);
    std::abort();
  }
  char* const place = shared->bytes + shared->used;
  const RecordHeader header{kind, 0, file, offset, data.size()};
  std::memcpy(place, &header, sizeof(header));
  std::memcpy(place + sizeof(header), data.data(), data.size());
  shared->used += size;
  shared->records.fetch_add(1, std::memory_order_release);
}

// What is to happen to this call. Requires: the lock.
FaultWay NextFault(DiskCall call) {
  const Fault& fault = shared->fault;
  if (fault.way == FaultWay::kNone || (fault.calls & call) == 0) return FaultWay::kNone;
  if (fault.way == FaultWay::kShort && call != kWriteCall) return FaultWay::kNone;
  const std::int64_t number = ++shared->calls_seen;
  if (number != fault.nth && !(fault.lasting && number > fault.nth)) return FaultWay::kNone;
  shared->fault_happened = true;
  if (fault.way == FaultWay::kDieBefore) ::_exit(kFaultExit);
  if (fault.way == FaultWay::kError) errno = fault.error;
  return fault.way;
}

void Finish(FaultWay way) {
  if (way == FaultWay::kDieAfter) ::_exit(kFaultExit);
}

std::uint64_t InodeOf(int fd) {
  struct stat status {};
  ::fstat(fd, &status);
  return status.st_ino;
}

ssize_t TracedWrite(int fd, const void* bytes, std::size_t size, std::optional<off_t> offset) {
  using Write = ssize_t (*)(int, const void*, std::size_t);
  using WriteAt = ssize_t (*)(int, const void*, std::size_t, off_t);
  static const auto write = Real<Write>("write");
  static const auto write_at = Real<WriteAt>("pwrite64");
  const Role role = RoleOf(fd);
  if (role == Role::kOther) {
    return offset ? write_at(fd, bytes, size, *offset) : write(fd, bytes, size);
  }
  const Locked locked;
  const FaultWay way = NextFault(kWriteCall);
  if (way == FaultWay::kError) return -1;
  if (way == FaultWay::kShort && size > 1) size /= 2;
  const ssize_t done = offset ? write_at(fd, bytes, size, *offset) : write(fd, bytes, size);
  if (done > 0 && role == Role::kFile) {
    const off_t place = offset ? *offset : ::lseek(fd, 0, SEEK_CUR) - done;
    Append(TraceKind::kWrite, InodeOf(fd), static_cast<std::uint64_t>(place),
           {static_cast<const char*>(bytes), static_cast<std::size_t>(done)});
  }
  Finish(way);
  return done;
}

int TracedSync(int fd, const char* name) {
  using Sync = int (*)(int);
  const auto sync = Real<Sync>(name);
  const Role role = RoleOf(fd);
  if (role == Role::kOther || role == Role::kMemory) return sync(fd);
  const Locked locked;
  const FaultWay way = NextFault(kSyncCall);
  const bool directory = role == Role::kDirectory;
  if (way == FaultWay::kError) {
    if (!directory) Append(TraceKind::kSyncFailed, InodeOf(fd), 0, "");
    errno = shared->fault.error;
    return -1;
  }
  const int result = sync(fd);
  if (result == 0 && !shared->drop_syncs) {
    Append(directory ? TraceKind::kSyncDirectory : TraceKind::kSync, InodeOf(fd), 0, "");
  }
  Finish(way);
  return result;
}

int TracedTruncate(int fd, off_t size) {
  using Truncate = int (*)(int, off_t);
  static const auto truncate = Real<Truncate>("ftruncate64");
  const Role role = RoleOf(fd);
  if (role == Role::kOther) return truncate(fd, size);
  const Locked locked;
  const FaultWay way = NextFault(kTruncateCall);
  if (way == FaultWay::kError) return -1;
  const int result = truncate(fd, size);
  if (result == 0 && role == Role::kFile) {
    Append(TraceKind::kTruncate, InodeOf(fd), static_cast<std::uint64_t>(size), "");
  }
  Finish(way);
  return result;
}

void SetRole(int fd, Role role) {
  if (fd >= 0 && fd < static_cast<int>(kMostDescriptors)) {
    roles[static_cast<std::size_t>(fd)] = role;
  }
}

int TracedOpen(const char* path, int flags, mode_t mode) {
  using Open = int (*)(const char*, int, ...);
  static const auto open = Real<Open>("open64");
  const std::optional<std::string_view> name = NameInside(path);
  if (!name) return open(path, flags, mode);
  const Locked locked;
  const FaultWay way = NextFault(kOpenCall);
  if (way == FaultWay::kError) return -1;
  struct stat before {};
  const bool existed = ::stat(path, &before) == 0;
  const int fd = open(path, flags, mode);
  if (fd >= 0) {
    SetRole(fd, name->empty() ? Role::kDirectory : IsMemory(*name) ? Role::kMemory : Role::kFile);
    const bool traced = !name->empty() && !IsMemory(*name);
    if (traced && !existed) Append(TraceKind::kCreate, InodeOf(fd), 0, *name);
    if (traced && existed && (flags & O_TRUNC) != 0) {
      Append(TraceKind::kTruncate, InodeOf(fd), 0, "");
    }
  }
  Finish(way);
  return fd;
}

int TracedRename(const char* from, const char* to) {
  using Rename = int (*)(const char*, const char*);
  static const auto rename = Real<Rename>("rename");
  const std::optional<std::string_view> old_name = NameInside(from);
  const std::optional<std::string_view> new_name = NameInside(to);
  if (!old_name || !new_name) return rename(from, to);
  const Locked locked;
  const FaultWay way = NextFault(kRenameCall);
  if (way == FaultWay::kError) return -1;
  const int result = rename(from, to);
  if (result == 0) {
    Append(TraceKind::kRename, 0, 0, std::string(*old_name) + '\0' + std::string(*new_name));
  }
  Finish(way);
  return result;
}

int TracedUnlink(const char* path) {
  using Unlink = int (*)(const char*);
  static const auto unlink = Real<Unlink>("unlink");
  const std::optional<std::string_view> name = NameInside(path);
  if (!name) return unlink(path);
  const Locked locked;
  const FaultWay way = NextFault(kUnlinkCall);
  if (way == FaultWay::kError) return -1;
  const int result = unlink(path);
  if (result == 0 && !IsMemory(*name)) Append(TraceKind::kUnlink, 0, 0, *name);
  Finish(way);
  return result;
}

void* Reserve(std::size_t size) {
  void* const memory = ::mmap(nullptr, size, PROT_READ | PROT_WRITE,
                              MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) std::abort();
  return memory;
}

void Allocate() {
  shared = static_cast<Shared*>(Reserve(sizeof(Shared)));
  shared->bytes = static_cast<char*>(Reserve(kTraceBytes));
  pthread_mutexattr_t attributes;
  ::pthread_mutexattr_init(&attributes);
  ::pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
  ::pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
  ::pthread_mutex_init(&shared->lock, &attributes);
}

}  // namespace

void BeginTrace(const std::string& directory) {
  if (shared == nullptr) Allocate();
  const Locked locked;
  if (directory.size() >= sizeof(shared->directory)) std::abort();
  directory.copy(shared->directory, directory.size());
  shared->directory_size = directory.size();
  ::madvise(shared->bytes, shared->used, MADV_REMOVE);
  shared->used = 0;
  shared->records = 0;
  shared->fault = {};
  shared->fault_happened = false;
  shared->drop_syncs = false;
  for (auto& role : roles) role = Role::kOther;
  shared->active = true;
}

void EndTrace() {
  if (shared != nullptr) shared->active = false;
}

void SetFault(const Fault& fault) {
  const Locked locked;
  shared->fault = fault;
  shared->calls_seen = 0;
  shared->fault_happened = false;
}

bool FaultHappened() { return shared->fault_happened; }

void DropSyncs(bool drop) { shared->drop_syncs = drop; }

std::uint64_t TracePosition() {
  return shared == nullptr ? 0 : shared->records.load(std::memory_order_acquire);
}

Trace ReadTrace() {
  const Locked locked;
  Trace trace{.bytes = std::make_unique<char[]>(shared->used), .records = {}};
  std::memcpy(trace.bytes.get(), shared->bytes, shared->used);
  for (std::size_t place = 0; place < shared->used;) {
    RecordHeader header{};
    std::memcpy(&header, trace.bytes.get() + place, sizeof(header));
    const char* const data = trace.bytes.get() + place + sizeof(header);
    trace.records.push_back({header.kind, header.file, header.offset, {data, header.size}});
    place += sizeof(header) + (header.size + 7) / 8 * 8;
  }
  return trace;
}

}  // namespace dpsql

// The names that SQLite, the C++ library and our own code call. Those with 64 are the same calls on
// a machine of 64 bits.
extern "C" {

ssize_t write(int fd, const void* bytes, std::size_t size) {
  return dpsql::TracedWrite(fd, bytes, size, std::nullopt);
}
ssize_t pwrite(int fd, const void* bytes, std::size_t size, off_t offset) {
  return dpsql::TracedWrite(fd, bytes, size, offset);
}
ssize_t pwrite64(int fd, const void* bytes, std::size_t size, off64_t offset) {
  return dpsql::TracedWrite(fd, bytes, size, offset);
}
int fsync(int fd) { return dpsql::TracedSync(fd, "fsync"); }
int fdatasync(int fd) { return dpsql::TracedSync(fd, "fdatasync"); }
int ftruncate(int fd, off_t size) noexcept { return dpsql::TracedTruncate(fd, size); }
int ftruncate64(int fd, off64_t size) noexcept { return dpsql::TracedTruncate(fd, size); }
int rename(const char* from, const char* to) noexcept { return dpsql::TracedRename(from, to); }
int unlink(const char* path) noexcept { return dpsql::TracedUnlink(path); }

int open(const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const auto mode = static_cast<mode_t>(va_arg(arguments, unsigned));
  va_end(arguments);
  return dpsql::TracedOpen(path, flags, mode);
}

int open64(const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const auto mode = static_cast<mode_t>(va_arg(arguments, unsigned));
  va_end(arguments);
  return dpsql::TracedOpen(path, flags, mode);
}

int close(int fd) {
  using Close = int (*)(int);
  static const auto real = dpsql::Real<Close>("close");
  dpsql::SetRole(fd, dpsql::Role::kOther);
  return real(fd);
}
}
