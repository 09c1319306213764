// Put before the C library, says that every folder lies on the kind of disk that DISK_KIND names.
#include <sys/vfs.h>

#include <cstdlib>

namespace {

void Tell(struct statfs* status) {
  *status = {};
  const char* kind = std::getenv("DISK_KIND");
  status->f_type = static_cast<__fsword_t>(std::strtoul(kind != nullptr ? kind : "0", nullptr, 16));
}

}  // namespace

extern "C" int fstatfs(int file, struct statfs* status) {
  Tell(status);
  return file < 0 ? -1 : 0;
}

extern "C" int statfs(const char*, struct statfs* status) {
  Tell(status);
  return 0;
}
