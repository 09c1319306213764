# An installed tree can be moved: every path in it is relative.

include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/dpsql)
file(RELATIVE_PATH bin_to_lib /${CMAKE_INSTALL_BINDIR} /${CMAKE_INSTALL_LIBDIR})
file(RELATIVE_PATH DPSQL_PC_PREFIX /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)

set_target_properties(dpsql_shared PROPERTIES INSTALL_RPATH "$ORIGIN/dpsql")
install(TARGETS dpsql_shared EXPORT dpsql LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(FILES ${DPSQL_DUCKDB_LIBRARY} RENAME libduckdb.so
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/dpsql)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/dpsql DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
        FILES_MATCHING PATTERN "*.h")
if(TARGET dpsql_cli)
  set_target_properties(dpsql_cli PROPERTIES INSTALL_RPATH "$ORIGIN/${bin_to_lib}")
  install(TARGETS dpsql_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  install(FILES ${PROJECT_SOURCE_DIR}/docs/man/dpsql.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
  set(completions ${PROJECT_SOURCE_DIR}/completions)
  install(FILES ${completions}/dpsql.bash RENAME dpsql
          DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
  install(FILES ${completions}/_dpsql DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
  install(FILES ${completions}/dpsql.fish
          DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
endif()

install(EXPORT dpsql NAMESPACE dpsql:: FILE dpsql-targets.cmake DESTINATION ${package_dir})
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/dpsql-config.cmake.in
  ${PROJECT_BINARY_DIR}/package/dpsql-config.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/package/dpsql-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/package/dpsql-config.cmake
              ${PROJECT_BINARY_DIR}/package/dpsql-config-version.cmake
        DESTINATION ${package_dir})

configure_file(${PROJECT_SOURCE_DIR}/cmake/dpsql.pc.in ${PROJECT_BINARY_DIR}/package/dpsql.pc
               @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/package/dpsql.pc
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
