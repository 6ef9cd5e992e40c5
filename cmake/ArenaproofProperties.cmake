# arenaproof_properties(PROGRAM SOURCES file... LINK lib... SEED number MAX_SUCCESS count): RapidCheck properties as a
# program, and as a test with a fixed seed, named after it. Other seeds: RC_PARAMS="seed=... max_success=...". Under
# AddressSanitizer a case takes much longer, and a tenth as many are run.
function(arenaproof_properties program)
  cmake_parse_arguments(ARG "" "SEED;MAX_SUCCESS" "SOURCES;LINK" ${ARGN})
  arenaproof_executable(${program} SOURCES ${ARG_SOURCES}
    LINK ${ARG_LINK} rapidcheck rapidcheck_gtest GTest::gtest GTest::gtest_main)
  string(REGEX REPLACE "^arenaproof-" "" test "${program}")
  string(REPLACE "-" "_" test "${test}")
  add_test(NAME ${test} COMMAND ${program})
  set(cases ${ARG_MAX_SUCCESS})
  if(ARENAPROOF_PRESET STREQUAL "asan")
    math(EXPR cases "(${cases} + 9) / 10")
  endif()
  set_tests_properties(${test} PROPERTIES
    ENVIRONMENT "RC_PARAMS=seed=${ARG_SEED} max_success=${cases}")
endfunction()
