#include "backend/postgresql_library.h"

#include <dlfcn.h>

#include <optional>
#include <string>

#include "backend/loaded_library.h"

namespace dpsql {
namespace {

template <typename Function>
bool Find(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  return function != nullptr;
}

std::optional<LibPq> Load() {
  void* const library = dlopen("libpq.so.5", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return std::nullopt;
  LibPq found;
  bool complete = true;
#define DPSQL_LIBPQ_FIND(name) complete = Find(library, #name, found.name) && complete;
  DPSQL_LIBPQ_FUNCTIONS(DPSQL_LIBPQ_FIND)
#undef DPSQL_LIBPQ_FIND
  return complete ? std::optional(found) : std::nullopt;
}

}  // namespace

const LibPq* LoadLibPq() {
  static const std::optional<LibPq> kLibrary = Load();
  return kLibrary ? &*kLibrary : nullptr;
}

std::optional<LoadedLibrary> LibPqLibrary() {
  const LibPq* const library = LoadLibPq();
  if (library == nullptr) return std::nullopt;
  const int version = library->PQlibVersion();  // 150004 is 15.4
  Dl_info info{};
  const bool found = dladdr(reinterpret_cast<const void*>(library->PQlibVersion), &info) != 0;
  return LoadedLibrary{
      .version = std::to_string(version / 10000) + "." + std::to_string(version % 10000),
      .path = found && info.dli_fname != nullptr ? info.dli_fname : ""};
}

}  // namespace dpsql
