# Tests: every tests/FOLDER/test_NAME.c is a cmocka program and a CTest of the name FOLDER.NAME. tests/support holds what
# they share. A test file's first lines may name CTest labels in a comment "LABELS: slow tsan".
#   slow     not in the default run
#   tsan     part of the thread sanitizer set
#   levels   run once for each CPU level (CUZK_CPU); skipped where the machine lacks it
# A test that includes a header of the server is linked with it; without CUZK_SERVER it is not built.
# Files named test_*avx512ifma*.c are compiled for that level, and built for x86-64 only.
# Files of tests/programs include the source of a program that they test.
# Files named test_*gmp.c check against GMP; test_*cancel.c see every loop of the pool (support/cancel_at.h).
pkg_check_modules(CMOCKA REQUIRED IMPORTED_TARGET cmocka)
pkg_check_modules(GMP REQUIRED IMPORTED_TARGET gmp)
file(GLOB support_sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tests/support/*.c)
add_library(cuzk_test_support STATIC ${support_sources} ${CMAKE_SOURCE_DIR}/tests/support/support.h)
set_target_properties(cuzk_test_support PROPERTIES LINKER_LANGUAGE C)
target_include_directories(cuzk_test_support PUBLIC ${CMAKE_SOURCE_DIR}/tests)
target_compile_definitions(cuzk_test_support PUBLIC CUZK_TEST_VECTORS="${CMAKE_SOURCE_DIR}/tests/vectors"
  CUZK_SOURCE_DIR="${CMAKE_SOURCE_DIR}" CUZK_BINARY_DIR="${CMAKE_BINARY_DIR}")
target_link_libraries(cuzk_test_support PUBLIC cuzk_internal PkgConfig::CMOCKA)

# gRPC is not instrumented: what the thread sanitizer sees of it is half the story.
set(SERVER_TEST_ENVIRONMENT
  "TSAN_OPTIONS=ignore_noninstrumented_modules=1:suppressions=${CMAKE_SOURCE_DIR}/tests/support/tsan.supp")

file(GLOB test_sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tests/*/test_*.c)
foreach(source ${test_sources})
  get_filename_component(stem ${source} NAME_WE)
  get_filename_component(folder ${source} DIRECTORY)
  get_filename_component(folder ${folder} NAME)
  string(REGEX REPLACE "^test_" "" name ${stem})
  if(name MATCHES "avx512ifma" AND NOT CUZK_X86)
    continue()
  endif()
  cuzk_uses_server(uses_server ${source})
  if(uses_server AND NOT CUZK_SERVER)
    continue()
  endif()
  set(target test_${folder}_${name})
  add_executable(${target} ${source})
  target_link_libraries(${target} PRIVATE cuzk_test_support)
  if(uses_server)
    target_link_libraries(${target} PRIVATE cuzk_server)
  endif()
  if(folder STREQUAL "programs")
    target_include_directories(${target} PRIVATE ${CMAKE_SOURCE_DIR}/programs)
  endif()
  if(name MATCHES "gmp$")
    target_link_libraries(${target} PRIVATE PkgConfig::GMP)
  endif()
  if(name MATCHES "avx512ifma")
    set_source_files_properties(${source} PROPERTIES COMPILE_OPTIONS "${AVX512IFMA_FLAGS}")
  endif()
  if(name MATCHES "cancel$")
    target_link_options(${target} PRIVATE -Wl,--wrap=cuzk_pool_run)
  endif()
  file(STRINGS ${source} label_line LIMIT_COUNT 1 REGEX "LABELS:")
  set(labels ${folder})
  if(label_line)
    string(REGEX REPLACE ".*LABELS:[ ]*([a-z0-9 ]*).*" "\\1" extra "${label_line}")
    separate_arguments(extra)
    list(APPEND labels ${extra})
  endif()
  if("levels" IN_LIST labels)
    set(levels portable)
    if(CUZK_X86)
      list(APPEND levels adx avx512ifma)
    endif()
    target_sources(${target} PRIVATE ${CMAKE_SOURCE_DIR}/tests/support/level_guard.c)
    foreach(level ${levels})
      add_test(NAME ${folder}.${name}.${level} COMMAND ${target})
      set_tests_properties(${folder}.${name}.${level} PROPERTIES LABELS "${labels}" ENVIRONMENT CUZK_CPU=${level} TIMEOUT 900
        SKIP_RETURN_CODE 77)
    endforeach()
  else()
    add_test(NAME ${folder}.${name} COMMAND ${target})
    set_tests_properties(${folder}.${name} PROPERTIES LABELS "${labels}" TIMEOUT 900 SKIP_RETURN_CODE 77)
    if(uses_server)
      set_tests_properties(${folder}.${name} PROPERTIES ENVIRONMENT "${SERVER_TEST_ENVIRONMENT}")
    endif()
    if("slow" IN_LIST labels)
      set_tests_properties(${folder}.${name} PROPERTIES TIMEOUT 5400)
    endif()
  endif()
endforeach()

# Each public header alone, as C and as C++.
find_program(CUZK_CXX NAMES c++ g++ clang++)
foreach(header cuzk.h cuzk_unstable.h)
  add_test(NAME header.${header}.c COMMAND ${CMAKE_C_COMPILER} -std=c11 -Wall -Wextra -Werror -pedantic -fsyntax-only
    -x c ${CMAKE_SOURCE_DIR}/include/${header})
  if(CUZK_CXX)
    add_test(NAME header.${header}.cxx COMMAND ${CUZK_CXX} -std=c++11 -Wall -Wextra -Werror -pedantic -fsyntax-only
      -x c++ ${CMAKE_SOURCE_DIR}/include/${header})
  endif()
endforeach()

# The program on real requests. The parameters are made once in a build tree: 1.8 GB, two minutes of CPU time.
set(CUZK_TEST_PARAMS ${CMAKE_BINARY_DIR}/test-params CACHE PATH "Where the tests keep the parameters they make")
foreach(action setup proofs verify invalid usage r1cs)
  add_test(NAME e2e.${action} COMMAND ${Python3_EXECUTABLE} ${CMAKE_SOURCE_DIR}/tests/e2e/test_porep.py ${action}
    $<TARGET_FILE:cuzk_program> ${CMAKE_SOURCE_DIR}/tests/vectors ${CUZK_TEST_PARAMS})
  set_tests_properties(e2e.${action} PROPERTIES TIMEOUT 1800 LABELS "e2e")
endforeach()
set_tests_properties(e2e.setup PROPERTIES FIXTURES_SETUP params LABELS "e2e;heavy" PROCESSORS 2)
set_tests_properties(e2e.proofs PROPERTIES FIXTURES_REQUIRED params LABELS "e2e;heavy" PROCESSORS 2)
set_tests_properties(e2e.verify PROPERTIES FIXTURES_REQUIRED params LABELS "e2e;heavy")
set_tests_properties(e2e.r1cs PROPERTIES LABELS "e2e;slow" TIMEOUT 5400)
foreach(action aggregates refusals)
  add_test(NAME e2e.aggregate_${action} COMMAND ${Python3_EXECUTABLE} ${CMAKE_SOURCE_DIR}/tests/e2e/test_aggregate.py
    ${action} $<TARGET_FILE:cuzk_program> ${CMAKE_SOURCE_DIR}/tests/vectors)
  set_tests_properties(e2e.aggregate_${action} PROPERTIES TIMEOUT 600 LABELS "e2e")
endforeach()

if(CUZK_SYNTH_BENCH)
  foreach(action shape digests indexes usage)
    add_test(NAME e2e.bench_${action} COMMAND ${Python3_EXECUTABLE} ${CMAKE_SOURCE_DIR}/tests/e2e/test_bench.py ${action}
      $<TARGET_FILE:cuzk-bench_program> ${CMAKE_SOURCE_DIR}/tests/vectors)
    set_tests_properties(e2e.bench_${action} PROPERTIES TIMEOUT 600 LABELS "e2e")
  endforeach()
endif()

add_test(NAME e2e.bench_proofs COMMAND ${Python3_EXECUTABLE} ${CMAKE_SOURCE_DIR}/tests/e2e/test_bench.py proofs
  $<TARGET_FILE:cuzk-bench_program> ${CMAKE_SOURCE_DIR}/tests/vectors)
set_tests_properties(e2e.bench_proofs PROPERTIES TIMEOUT 600 LABELS "e2e")
if(CUZK_SERVER)
  foreach(action requests shapes json failures verify many large tls usage)
    add_test(NAME e2e.bench_client_${action} COMMAND /usr/bin/python3 ${CMAKE_SOURCE_DIR}/tests/e2e/test_bench_client.py ${action}
      $<TARGET_FILE:cuzk-bench_program> ${CMAKE_SOURCE_DIR}/tests/vectors ${PROTO_PYTHON})
    set_tests_properties(e2e.bench_client_${action} PROPERTIES TIMEOUT 600 LABELS "e2e" SKIP_RETURN_CODE 77)
  endforeach()
  add_executable(fake-server ${CMAKE_SOURCE_DIR}/tests/server/fake_server.c)
  target_link_libraries(fake-server PRIVATE cuzk_server)
  # The packaged gRPC client is the system's Python's.
  foreach(action calls large identity cancelling slow stalled fatal pings sockets draining crowded oversize contract tls compression)
    add_test(NAME e2e.server_${action} COMMAND /usr/bin/python3 ${CMAKE_SOURCE_DIR}/tests/e2e/test_server.py ${action}
      $<TARGET_FILE:fake-server> ${PROTO_PYTHON})
    set_tests_properties(e2e.server_${action} PROPERTIES TIMEOUT 300 LABELS "e2e;tsan"
      ENVIRONMENT "${SERVER_TEST_ENVIRONMENT}")
  endforeach()
  # Clients of other languages, where their libraries can be had.
  foreach(language go js)
    add_test(NAME e2e.client_${language} COMMAND /usr/bin/python3 ${CMAKE_SOURCE_DIR}/tests/e2e/test_foreign_clients.py
      ${language} $<TARGET_FILE:fake-server> ${PROTO_PYTHON} ${CMAKE_BINARY_DIR})
    set_tests_properties(e2e.client_${language} PROPERTIES TIMEOUT 900 LABELS "e2e;foreign" SKIP_RETURN_CODE 77)
  endforeach()
  set_tests_properties(e2e.server_fatal PROPERTIES LABELS "e2e")
  # They measure memory, of which sanitizers keep much.
  set_tests_properties(e2e.server_large e2e.server_oversize PROPERTIES LABELS "e2e;heavy")
endif()

add_test(NAME e2e.plan COMMAND ${Python3_EXECUTABLE} ${CMAKE_SOURCE_DIR}/tests/e2e/test_plan.py
  $<TARGET_FILE:cuzk_program> ${CMAKE_SOURCE_DIR}/tests/vectors)
set_tests_properties(e2e.plan PROPERTIES TIMEOUT 600 LABELS "e2e")
add_test(NAME e2e.fabricate COMMAND ${Python3_EXECUTABLE} ${CMAKE_SOURCE_DIR}/tests/e2e/test_fabricate.py
  $<TARGET_FILE:cuzk_program>)
set_tests_properties(e2e.fabricate PROPERTIES TIMEOUT 900 LABELS "e2e")
foreach(action setup_post setup_update proofs_post proofs_update tiers_post verify invalid usage circuits
    r1cs)
  add_test(NAME e2e.kinds_${action} COMMAND ${Python3_EXECUTABLE} ${CMAKE_SOURCE_DIR}/tests/e2e/test_kinds.py ${action}
    $<TARGET_FILE:cuzk_program> ${CMAKE_SOURCE_DIR}/tests/vectors ${CUZK_TEST_PARAMS})
  set_tests_properties(e2e.kinds_${action} PROPERTIES TIMEOUT 1800 LABELS "e2e")
endforeach()
# Proofs of every kind through the engine, with faults; the test alone makes parameters of PoSt only.
add_test(NAME engine.service_all COMMAND test_engine_service)
set_tests_properties(engine.service_all PROPERTIES ENVIRONMENT CUZK_PARAMS=${CUZK_TEST_PARAMS} TIMEOUT 1800
  LABELS "engine;heavy" FIXTURES_REQUIRED "params;post_params;update_params" PROCESSORS 2)
foreach(kind post update)
  set_tests_properties(e2e.kinds_setup_${kind} PROPERTIES FIXTURES_SETUP ${kind}_params LABELS "e2e;heavy" PROCESSORS 2)
  set_tests_properties(e2e.kinds_proofs_${kind} PROPERTIES FIXTURES_REQUIRED ${kind}_params LABELS "e2e;heavy" PROCESSORS 2)
endforeach()
set_tests_properties(e2e.kinds_tiers_post PROPERTIES FIXTURES_REQUIRED post_params LABELS "e2e;heavy" PROCESSORS 2)
set_tests_properties(e2e.kinds_r1cs PROPERTIES LABELS "e2e;slow" TIMEOUT 7200)
if(CUZK_SERVER)
  foreach(action proofs refusals)
    add_test(NAME e2e.bench_daemon_${action} COMMAND ${Python3_EXECUTABLE} ${CMAKE_SOURCE_DIR}/tests/e2e/test_bench_daemon.py
      ${action} $<TARGET_FILE:cuzk-bench_program> $<TARGET_FILE:cuzk-daemon_program> ${CMAKE_SOURCE_DIR}/tests/vectors
      ${CUZK_TEST_PARAMS})
    set_tests_properties(e2e.bench_daemon_${action} PROPERTIES LABELS "e2e;heavy" TIMEOUT 1800 PROCESSORS 2
      FIXTURES_REQUIRED "params;post_params;update_params")
  endforeach()
endif()

if(CUZK_SERVER)
  foreach(action inputs files ids turns killed published)
    add_test(NAME e2e.daemon_proofs_${action} COMMAND /usr/bin/python3 ${CMAKE_SOURCE_DIR}/tests/e2e/test_daemon_proofs.py
      ${action} $<TARGET_FILE:cuzk-daemon_program> ${PROTO_PYTHON} ${CMAKE_SOURCE_DIR}/tests/vectors ${CUZK_TEST_PARAMS})
    set_tests_properties(e2e.daemon_proofs_${action} PROPERTIES LABELS "e2e;heavy" TIMEOUT 1800 PROCESSORS 2
      FIXTURES_REQUIRED "params;post_params;update_params")
  endforeach()
  foreach(action urgent alike ended killed)
    add_test(NAME e2e.replay_${action} COMMAND /usr/bin/python3 ${CMAKE_SOURCE_DIR}/tests/e2e/test_replay.py ${action}
      $<TARGET_FILE:fake-server> ${PROTO_PYTHON})
    set_tests_properties(e2e.replay_${action} PROPERTIES TIMEOUT 300 LABELS "e2e;tsan"
      ENVIRONMENT "${SERVER_TEST_ENVIRONMENT}")
  endforeach()
  # Many proofs with faults among them: made-up ones and real ones; a short form of each, and all.
  foreach(form short all)
    set(made_up_n 500)
    set(real_n 5)
    if(form STREQUAL "all")
      set(made_up_n 10000)
      set(real_n 200)
    endif()
    add_test(NAME e2e.soak_made_up_${form} COMMAND /usr/bin/python3 ${CMAKE_SOURCE_DIR}/tests/e2e/test_soak.py made_up
      $<TARGET_FILE:fake-server> ${PROTO_PYTHON} ${made_up_n})
    set_tests_properties(e2e.soak_made_up_${form} PROPERTIES LABELS "e2e" TIMEOUT 300
      ENVIRONMENT "${SERVER_TEST_ENVIRONMENT}")
    add_test(NAME e2e.soak_real_${form} COMMAND /usr/bin/python3 ${CMAKE_SOURCE_DIR}/tests/e2e/test_soak.py real
      $<TARGET_FILE:cuzk-daemon_program> ${PROTO_PYTHON} ${real_n} ${CMAKE_SOURCE_DIR}/tests/vectors ${CUZK_TEST_PARAMS})
    set_tests_properties(e2e.soak_real_${form} PROPERTIES LABELS "e2e;heavy" TIMEOUT 1800 PROCESSORS 2
      FIXTURES_REQUIRED post_params)
  endforeach()
  set_tests_properties(e2e.soak_made_up_all e2e.soak_real_all PROPERTIES LABELS "e2e;slow" TIMEOUT 5400)
endif()

if(CUZK_SERVER)
  # The page in a browser, over made-up work. Skipped where there is none.
  add_executable(dashboard_fixture ${CMAKE_SOURCE_DIR}/tests/e2e/dashboard_fixture.c)
  target_link_libraries(dashboard_fixture PRIVATE cuzk_server)
  add_test(NAME e2e.dashboard COMMAND ${Python3_EXECUTABLE} ${CMAKE_SOURCE_DIR}/tests/e2e/test_dashboard.py
    $<TARGET_FILE:dashboard_fixture> ${CMAKE_BINARY_DIR}/dashboard)
  set_tests_properties(e2e.dashboard PROPERTIES TIMEOUT 300 LABELS "e2e;browser" SKIP_RETURN_CODE 77)
  add_test(NAME e2e.daemon COMMAND ${Python3_EXECUTABLE} ${CMAKE_SOURCE_DIR}/tests/e2e/test_daemon.py
    $<TARGET_FILE:cuzk-daemon_program>)
  set_tests_properties(e2e.daemon PROPERTIES TIMEOUT 300 LABELS "e2e" ENVIRONMENT "${SERVER_TEST_ENVIRONMENT}")
endif()
