# build/dpsql sees the public headers and the shared library, nothing else.

dpsql_sources(DPSQL_CLI_SOURCES apps/cli)
if(DPSQL_CLI_SOURCES)
  # Compiled once, for the product and for the tests' program without noise.
  add_library(dpsql_cli_objects OBJECT ${DPSQL_CLI_SOURCES})
  target_include_directories(dpsql_cli_objects PRIVATE ${PROJECT_SOURCE_DIR}/apps/cli)
  target_link_libraries(dpsql_cli_objects PRIVATE dpsql_flags dpsql_shared CLI11::CLI11)
  add_executable(dpsql_cli $<TARGET_OBJECTS:dpsql_cli_objects>)
  set_target_properties(dpsql_cli PROPERTIES
    OUTPUT_NAME dpsql
    RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
  target_link_libraries(dpsql_cli PRIVATE dpsql_flags dpsql_shared ${EDIT_LIBRARY})
endif()

# build/tools/duckdb-load makes databases for the demo and the tests; never installed.
add_executable(duckdb-load ${PROJECT_SOURCE_DIR}/tools/demo/load.cc)
set_target_properties(duckdb-load PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tools)
target_link_libraries(duckdb-load PRIVATE dpsql_flags duckdb::duckdb)

# build/tools/reference prints the tables of docs/reference; never installed.
add_executable(reference ${PROJECT_SOURCE_DIR}/tools/docs/reference.cc)
set_target_properties(reference PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tools)
target_link_libraries(reference PRIVATE dpsql_flags dpsql_core)
