# Tests on the other databases themselves. Included by tests/CMakeLists.txt, whose names it uses.

# --- the SQL of the other dialects on the databases themselves -----------------------------------
# `make engines` runs these alone.
add_executable(engine_cases engines/engine_cases.cc)
dpsql_test_target(engine_cases)
target_link_libraries(engine_cases PRIVATE dpsql_test_support dpsql_core)
set(DPSQL_SPARK_PYTHON ${Python3_EXECUTABLE} CACHE FILEPATH "A Python that has pyspark")
foreach(engine ${ENGINES})
  if(NOT EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/engines/engine_${engine}.py)
    continue()
  endif()
  set(python ${Python3_EXECUTABLE})
  if(engine STREQUAL spark)
    set(python ${DPSQL_SPARK_PYTHON})
  endif()
  add_test(NAME engines/${engine}
           COMMAND ${python} -B ${CMAKE_CURRENT_SOURCE_DIR}/engines/run.py ${engine} ${BIN})
  set_tests_properties(engines/${engine} PROPERTIES SKIP_RETURN_CODE 77)
endforeach()
set_tests_properties(engines/spark PROPERTIES LABELS servers TIMEOUT 1800)
set_tests_properties(engines/postgresql PROPERTIES TIMEOUT 600)

# The engines of the product on the servers themselves, with `make test ENGINES=all`. The files stand
# in the order of their names: the server dies in the last one.
if(TARGET dpsql_zero_noise)
  file(GLOB spark_sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/engines/spark_*_test.cc)
  add_executable(spark_engine_test EXCLUDE_FROM_ALL ${spark_sources})
  dpsql_test_target(spark_engine_test)
  target_link_libraries(spark_engine_test PRIVATE
    dpsql_zero_noise dpsql_test_support dpsql_core GTest::gmock)
  add_custom_target(dpsql_server_tests DEPENDS spark_engine_test)
endif()
add_test(NAME servers/spark COMMAND ${DPSQL_SPARK_PYTHON} -B
         ${CMAKE_CURRENT_SOURCE_DIR}/engines/spark_server.py ${BIN})

# One server for all that only ask. What is named audit/… runs in `make audit`, where Spark is there.
set(SPARK_FIXTURE ${DPSQL_SPARK_PYTHON} -B ${CMAKE_CURRENT_SOURCE_DIR}/engines/spark_fixture.py)
set(SPARK_STATE ${BIN}/spark_server.json)
add_test(NAME servers/spark_start COMMAND ${SPARK_FIXTURE} start ${SPARK_STATE})
add_test(NAME servers/spark_stop COMMAND ${SPARK_FIXTURE} stop ${SPARK_STATE})
set_tests_properties(servers/spark_start PROPERTIES
  LABELS servers FIXTURES_SETUP spark SKIP_RETURN_CODE 77 TIMEOUT 300)
set_tests_properties(servers/spark_stop PROPERTIES LABELS servers FIXTURES_CLEANUP spark)

function(dpsql_spark_test name)
  add_test(NAME ${name} COMMAND ${SPARK_FIXTURE} with ${SPARK_STATE} ${ARGN}
           WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
  set(label servers)
  if(name MATCHES "^audit/")
    set(label audit)
  endif()
  set_tests_properties(${name} PROPERTIES LABELS ${label} FIXTURES_REQUIRED spark
    RESOURCE_LOCK spark SKIP_RETURN_CODE 77 TIMEOUT 7200)
endfunction()

if(TARGET dpsql_zero_noise)
  dpsql_spark_test(conformance/spark $<TARGET_FILE:golden_runner> on-spark ${conformance_files})
  foreach(number ${CASES_OF_ENGINES})
    dpsql_spark_test(${number}_spark $<TARGET_FILE:golden_runner> on-spark
                     ${CMAKE_CURRENT_SOURCE_DIR}/${number}.test)
  endforeach()
  dpsql_spark_test(neighbours/spark $<TARGET_FILE:random_neighbours>
                   15 1 1 ${BIN}/neighbour-findings spark)
  dpsql_spark_test(audit/neighbours_spark $<TARGET_FILE:random_neighbours>
                   200 2 1 ${BIN}/neighbour-findings spark)
endif()

add_test(NAME servers/adbc_layout COMMAND
         ${CMAKE_CURRENT_SOURCE_DIR}/engines/adbc_layout.sh ${CMAKE_CXX_COMPILER})
set_tests_properties(servers/adbc_layout PROPERTIES LABELS servers SKIP_RETURN_CODE 77)
set_tests_properties(servers/spark PROPERTIES
  LABELS servers SKIP_RETURN_CODE 77 TIMEOUT 1800 RUN_SERIAL ON)

# --- groups leave a server, rows do not --------------------------------------------------------------
add_test(NAME bytes_out/postgresql COMMAND ${Python3_EXECUTABLE} -B
         ${CMAKE_CURRENT_SOURCE_DIR}/engines/bytes_out.py ${PROJECT_BINARY_DIR} postgresql)
add_test(NAME servers/bytes_out COMMAND ${DPSQL_SPARK_PYTHON} -B
         ${CMAKE_CURRENT_SOURCE_DIR}/engines/bytes_out.py ${PROJECT_BINARY_DIR} spark)
set_tests_properties(bytes_out/postgresql PROPERTIES SKIP_RETURN_CODE 77)
set_tests_properties(servers/bytes_out PROPERTIES LABELS servers SKIP_RETURN_CODE 77 TIMEOUT 900)

# --- failures: databases that die, hang or run out of disk in the middle of a question -------------
foreach(engine files postgresql)
  add_test(NAME failures/${engine} COMMAND ${Python3_EXECUTABLE} -B
           ${CMAKE_CURRENT_SOURCE_DIR}/failures/${engine}.py ${PROJECT_BINARY_DIR})
  set_tests_properties(failures/${engine} PROPERTIES SKIP_RETURN_CODE 77)
endforeach()
add_test(NAME servers/failures COMMAND ${DPSQL_SPARK_PYTHON} -B
         ${CMAKE_CURRENT_SOURCE_DIR}/failures/spark.py ${PROJECT_BINARY_DIR})
set_tests_properties(servers/failures PROPERTIES
  LABELS servers SKIP_RETURN_CODE 77 TIMEOUT 900 RUN_SERIAL ON)
