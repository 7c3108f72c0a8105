# Benchmarks: one program a file of bench/, named bench-STEM.
file(GLOB CUZK_BENCHES CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/bench/*.c)
foreach(source ${CUZK_BENCHES})
  get_filename_component(stem ${source} NAME_WE)
  string(REPLACE "_" "-" program ${stem})
  add_executable(bench-${program} ${source})
  target_link_libraries(bench-${program} PRIVATE cuzk_internal)
endforeach()
