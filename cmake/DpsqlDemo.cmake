# The demo's data and policy are part of the program: as text in generated/demo_shop.h, written anew
# when one of the two files changes.

set(demo_folder ${PROJECT_SOURCE_DIR}/tools/demo)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
  ${demo_folder}/shop.sql ${demo_folder}/shop.toml)
file(READ ${demo_folder}/shop.sql DEMO_DATA)
file(READ ${demo_folder}/shop.toml DEMO_POLICY)
configure_file(${PROJECT_SOURCE_DIR}/cmake/demo_shop.h.in
  ${PROJECT_BINARY_DIR}/include/generated/demo_shop.h @ONLY)
