# The rooms together (dpsql_core), the product's entropy and noise (dpsql_production), and the
# shared library that is both. Tests link dpsql_core with a noise of their own choice.

# Shared where a room changes often and programs are many: tests/mutants links it once for all.
set(DPSQL_CORE_LIBRARY STATIC CACHE STRING "STATIC or SHARED")
mark_as_advanced(DPSQL_CORE_LIBRARY)
add_library(dpsql_core ${DPSQL_CORE_LIBRARY} ${DPSQL_ROOM_OBJECTS})
set_target_properties(dpsql_core PROPERTIES LINKER_LANGUAGE CXX)
target_include_directories(dpsql_core PUBLIC
  ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/include)
target_link_libraries(dpsql_core PUBLIC dpsql_third_party)

dpsql_sources(production_sources src/noise/production)
if(production_sources)
  dpsql_objects(dpsql_production ${production_sources})
  set(production_objects $<TARGET_OBJECTS:dpsql_production>)
else()
  add_library(dpsql_production INTERFACE)
endif()

set(export_map ${PROJECT_SOURCE_DIR}/cmake/dpsql.map)
add_library(dpsql_shared SHARED ${DPSQL_ROOM_OBJECTS} ${production_objects})
set_target_properties(dpsql_shared PROPERTIES
  OUTPUT_NAME dpsql
  EXPORT_NAME dpsql
  VERSION ${PROJECT_VERSION}
  SOVERSION ${PROJECT_VERSION_MAJOR}
  LINKER_LANGUAGE CXX
  LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib
  LINK_DEPENDS ${export_map})
target_compile_features(dpsql_shared INTERFACE cxx_std_20)
target_include_directories(dpsql_shared INTERFACE
  $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:include>)
target_link_libraries(dpsql_shared PRIVATE $<BUILD_INTERFACE:dpsql_third_party>)
target_link_options(dpsql_shared PRIVATE
  LINKER:--version-script=${export_map} LINKER:--exclude-libs,ALL LINKER:--no-undefined)
add_library(dpsql::dpsql ALIAS dpsql_shared)
