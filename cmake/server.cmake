# The server: gRPC and HTTP, configuration, and the client that cuzk-bench uses. Not part of libcuzk. Its files are
# src/server, and what nothing else needs of other folders (CUZK_SERVER_SOURCES, set in CMakeLists.txt).
find_program(PROTOC NAMES protoc REQUIRED)
find_program(PROTOC_C NAMES protoc-c REQUIRED)
pkg_check_modules(GRPC REQUIRED IMPORTED_TARGET grpc)
pkg_check_modules(PROTOBUF_C REQUIRED IMPORTED_TARGET libprotobuf-c)
pkg_check_modules(MICROHTTPD REQUIRED IMPORTED_TARGET libmicrohttpd)
pkg_check_modules(TOMLPLUSPLUS REQUIRED tomlplusplus) # its headers alone: see codec/toml.cc

set(PROTO_DIR ${CMAKE_SOURCE_DIR}/proto)
set(PROTO_FILES cuzk/v1/proving grpc/health/v1/health grpc/reflection/v1/reflection grpc/reflection/v1alpha/reflection)
set(PROTO_OUT ${GENERATED}/proto)
set(PROTO_PYTHON ${GENERATED}/proto_python)
file(MAKE_DIRECTORY ${PROTO_OUT} ${PROTO_PYTHON})

# The older version of reflection has the same messages and calls in another package.
set(PROTO_MADE ${GENERATED}/proto_source)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROTO_DIR}/grpc/reflection/v1/reflection.proto)
file(READ ${PROTO_DIR}/grpc/reflection/v1/reflection.proto reflection)
string(REPLACE "package grpc.reflection.v1;" "package grpc.reflection.v1alpha;" reflection "${reflection}")
file(CONFIGURE OUTPUT ${PROTO_MADE}/grpc/reflection/v1alpha/reflection.proto CONTENT "${reflection}" @ONLY)

# Messages as C; those of one version of reflection serve for both.
foreach(proto ${PROTO_FILES})
  if(proto MATCHES "v1alpha")
    list(APPEND proto_sources ${PROTO_MADE}/${proto}.proto)
    continue()
  endif()
  list(APPEND proto_sources ${PROTO_DIR}/${proto}.proto)
  add_custom_command(OUTPUT ${PROTO_OUT}/${proto}.pb-c.c ${PROTO_OUT}/${proto}.pb-c.h
    COMMAND ${PROTOC_C} -I ${PROTO_DIR} --c_out=${PROTO_OUT} ${PROTO_DIR}/${proto}.proto
    DEPENDS ${PROTO_DIR}/${proto}.proto VERBATIM)
  list(APPEND PROTO_C_SOURCES ${PROTO_OUT}/${proto}.pb-c.c)
endforeach()
set_source_files_properties(${PROTO_C_SOURCES} PROPERTIES COMPILE_OPTIONS -w)

# Everything as data, for reflection.
add_custom_command(OUTPUT ${GENERATED}/descriptors.c
  COMMAND ${PROTOC} -I ${PROTO_DIR} -I ${PROTO_MADE} --include_imports --descriptor_set_out=${GENERATED}/descriptors.bin ${proto_sources}
  COMMAND ${Python3_EXECUTABLE} ${CMAKE_SOURCE_DIR}/scripts/gen_descriptors.py ${GENERATED}/descriptors.bin
    ${GENERATED}/descriptors.c
  DEPENDS ${proto_sources} ${CMAKE_SOURCE_DIR}/scripts/gen_descriptors.py VERBATIM)

# Messages as Python, for tests.
foreach(proto ${PROTO_FILES})
  list(APPEND proto_python ${PROTO_PYTHON}/${proto}_pb2.py)
endforeach()
add_custom_command(OUTPUT ${proto_python}
  COMMAND ${PROTOC} -I ${PROTO_DIR} -I ${PROTO_MADE} --python_out=${PROTO_PYTHON} ${proto_sources}
  DEPENDS ${proto_sources} VERBATIM)

# The page that HTTP serves.
set(DASHBOARD_DIR ${CMAKE_SOURCE_DIR}/src/server/dashboard)
set(DASHBOARD_FILES ${DASHBOARD_DIR}/index.html ${DASHBOARD_DIR}/dashboard.css ${DASHBOARD_DIR}/dashboard.js)
add_custom_command(OUTPUT ${GENERATED}/dashboard_files.c
  COMMAND ${Python3_EXECUTABLE} ${CMAKE_SOURCE_DIR}/scripts/gen_dashboard.py ${GENERATED}/dashboard_files.c
    ${DASHBOARD_FILES}
  DEPENDS ${DASHBOARD_FILES} ${CMAKE_SOURCE_DIR}/scripts/gen_dashboard.py VERBATIM)

add_library(cuzk_server STATIC ${CUZK_SERVER_SOURCES} ${PROTO_C_SOURCES} ${GENERATED}/descriptors.c
  ${GENERATED}/dashboard_files.c)
target_include_directories(cuzk_server SYSTEM PUBLIC ${PROTO_OUT} PRIVATE ${TOMLPLUSPLUS_INCLUDE_DIRS})
# pkg-config lists what gRPC itself is made of, too: only what is used is to be needed.
target_link_options(cuzk_server INTERFACE -Wl,--as-needed)
target_link_libraries(cuzk_server PUBLIC cuzk_internal PkgConfig::GRPC PkgConfig::PROTOBUF_C PkgConfig::MICROHTTPD)
if(CUZK_TESTS)
  add_custom_target(cuzk_proto_python ALL DEPENDS ${proto_python})
endif()
