# What we take from elsewhere. Header-only: Boost.Multiprecision, toml++, nlohmann-json.
# docs/decisions/0001-dependencies.md says why each is here.

find_package(CLI11 REQUIRED)
find_package(OpenSSL REQUIRED COMPONENTS Crypto)
find_package(SQLite3 REQUIRED)
find_package(Threads REQUIRED)
find_package(simdjson REQUIRED)

# The static parser: its many C symbols stay inside our library.
find_library(PG_QUERY_LIBRARY NAMES libpg_query.a pg_query REQUIRED)
find_library(PROTOBUF_C_LIBRARY NAMES protobuf-c REQUIRED)
# The prompt's line editor; the program needs it, the library does not.
find_library(EDIT_LIBRARY NAMES edit REQUIRED)
# Only its header, and only for who calls it: the library is loaded when a server is opened.
find_path(LIBPQ_INCLUDE_DIR libpq-fe.h PATH_SUFFIXES postgresql REQUIRED)
mark_as_advanced(LIBPQ_INCLUDE_DIR)
file(GLOB libpq_callers CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/backend/postgresql*.cc)
set_source_files_properties(${libpq_callers} PROPERTIES INCLUDE_DIRECTORIES ${LIBPQ_INCLUDE_DIR})
mark_as_advanced(PG_QUERY_LIBRARY PROTOBUF_C_LIBRARY EDIT_LIBRARY)

set(DUCKDB_ROOT "" CACHE PATH "The directory with include/duckdb.h and lib/libduckdb.so")
if(NOT DUCKDB_ROOT)
  execute_process(
    COMMAND ${PROJECT_SOURCE_DIR}/tools/bootstrap/bootstrap.sh --print-duckdb-root
    OUTPUT_VARIABLE duckdb_root OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
else()
  set(duckdb_root ${DUCKDB_ROOT})
endif()
file(REAL_PATH ${duckdb_root}/lib/libduckdb.so DPSQL_DUCKDB_LIBRARY)

add_library(duckdb::duckdb SHARED IMPORTED)
set_target_properties(duckdb::duckdb PROPERTIES
  IMPORTED_LOCATION ${duckdb_root}/lib/libduckdb.so
  IMPORTED_SONAME libduckdb.so
  INTERFACE_INCLUDE_DIRECTORIES ${duckdb_root}/include)

add_library(dpsql_third_party INTERFACE)
target_link_libraries(dpsql_third_party INTERFACE
  duckdb::duckdb ${PG_QUERY_LIBRARY} ${PROTOBUF_C_LIBRARY} simdjson::simdjson SQLite::SQLite3
  OpenSSL::Crypto Threads::Threads ${CMAKE_DL_LIBS})
