# dpsql_room(<name>) compiles src/<name>/*.cc once, without its tests. Which room may include which
# is checked by tools/tidy.

set(DPSQL_ROOM_OBJECTS "")

# Sets <variable> to the sources in <directory> that are no tests. A new file is found by itself.
function(dpsql_sources variable directory)
  file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${directory}/*.cc)
  list(FILTER sources EXCLUDE REGEX "_test\\.cc$")
  set(${variable} ${sources} PARENT_SCOPE)
endfunction()

# An object library that may see the rooms.
function(dpsql_objects target)
  add_library(${target} OBJECT ${ARGN})
  target_include_directories(${target} PUBLIC
    ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/include)
  target_link_libraries(${target} PRIVATE dpsql_flags PUBLIC dpsql_third_party)
  if(DPSQL_COVERAGE)  # unoptimised, so that each line is its own; counters of threads add up
    target_compile_options(${target} PRIVATE -O0 --coverage -fprofile-update=atomic)
  endif()
endfunction()

macro(dpsql_room name)
  dpsql_sources(dpsql_${name}_sources src/${name})
  if(dpsql_${name}_sources)
    dpsql_objects(dpsql_${name} ${dpsql_${name}_sources})
    list(APPEND DPSQL_ROOM_OBJECTS $<TARGET_OBJECTS:dpsql_${name}>)
  endif()
endmacro()
