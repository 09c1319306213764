# The language, the warnings and the optimisation that every target shares.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE RelWithDebInfo CACHE STRING "" FORCE)
endif()
set(CMAKE_CXX_FLAGS_RELWITHDEBINFO "-O2 -g1 -DNDEBUG")

find_program(CCACHE ccache)
mark_as_advanced(CCACHE)
if(CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE})
  if(NOT DEFINED ENV{CCACHE_BASEDIR})  # clones and builds share what they compile alike
    set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env
      CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=1 ${CCACHE})
    add_compile_options(-fdebug-prefix-map=${PROJECT_SOURCE_DIR}=.)
  endif()
endif()

add_library(dpsql_flags INTERFACE)
target_compile_options(dpsql_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wnon-virtual-dtor -Woverloaded-virtual -Werror
  -Wno-missing-field-initializers  # options are designated initialisers, the rest are defaults
  # Proofs speak of single operations: a*b+c must not become one fused operation on some machines.
  -ffp-contract=off
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>)  # GCC 12 reports it inside std::string's operator+
target_compile_definitions(dpsql_flags INTERFACE _GLIBCXX_ASSERTIONS
  DPSQL_VERSION="${PROJECT_VERSION}")

# GCC computes several numbers at a time at this level only.
set_source_files_properties(
  src/backend/encode_steps.cc src/backend/unit_cells_add.cc src/backend/value_codes.cc
  PROPERTIES COMPILE_OPTIONS -O3)

# Everything is instrumented, not only the two programs: libFuzzer follows branches, and the
# sanitizers see only code that was compiled for them. `make fuzz` builds it, with clang.
option(DPSQL_FUZZ "Build for libFuzzer with address and undefined behaviour checks" OFF)
if(DPSQL_FUZZ)
  set(sanitizers address,undefined)
  add_compile_options(-O1 -fno-omit-frame-pointer -fno-sanitize-recover=undefined
    -fsanitize=fuzzer-no-link,${sanitizers})
  add_link_options(-fsanitize=${sanitizers})
endif()

# `make sanitize` builds it, with gcc: "address,undefined", or "thread". A finding ends the program.
set(DPSQL_SANITIZE "" CACHE STRING "Sanitizers to build everything with")
if(DPSQL_SANITIZE)
  add_compile_options(-O1 -fno-omit-frame-pointer -fno-sanitize-recover=all
    -fsanitize=${DPSQL_SANITIZE}
    -Wno-maybe-uninitialized)  # GCC 12 reports it inside std::regex, with sanitizers only
  add_link_options(-fsanitize=${DPSQL_SANITIZE})
endif()

# `make coverage` builds it. Only the rooms are counted (DpsqlRooms.cmake), so only they are built so.
option(DPSQL_COVERAGE "Count how often each line of the rooms runs" OFF)
if(DPSQL_COVERAGE)
  add_link_options(--coverage)
endif()
