# arenaproof_kernels(NAME SOURCES file... [DEFINITIONS word...] [OPTIONS flag...]): a library of kernels in each build that
# instruments need, plain, shadow and asan, by the target NAME. NAME_KERNELS is the word for `arenaproof check --kernels=`.
# The sources are C; they include "kernels/vendor/kernel_abi.h". With other flags than those given here only what the
# command itself asks for is compiled (arenaproof flags), so OPTIONS are to be those of the shipped library.
function(arenaproof_kernels name)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEFINITIONS;OPTIONS" ${ARGN})
  if(NOT CMAKE_C_COMPILER_ID STREQUAL "Clang")
    message(FATAL_ERROR "arenaproof_kernels: the flags of instruments are clang's, and the C compiler is "
      "'${CMAKE_C_COMPILER}'; -DCMAKE_C_COMPILER=clang-19 would be right")
  endif()
  get_target_property(includes arenaproof::kernel_abi INTERFACE_INCLUDE_DIRECTORIES)
  list(TRANSFORM includes PREPEND -I)
  list(TRANSFORM ARG_DEFINITIONS PREPEND -D)
  list(TRANSFORM ARG_SOURCES PREPEND "${CMAKE_CURRENT_SOURCE_DIR}/")
  get_target_property(program arenaproof::arenaproof LOCATION)
  foreach(build plain shadow asan)
    execute_process(COMMAND "${program}" flags --${build} OUTPUT_VARIABLE words COMMAND_ERROR_IS_FATAL ANY)
    separate_arguments(flags UNIX_COMMAND "${words}")
    set(library "${CMAKE_CURRENT_BINARY_DIR}/lib${name}-${build}.so")
    add_custom_command(OUTPUT "${library}" DEPENDS ${ARG_SOURCES} VERBATIM
      COMMAND "${CMAKE_C_COMPILER}" -O2 ${ARG_OPTIONS} ${ARG_DEFINITIONS} ${includes} ${flags} ${ARG_SOURCES} -o "${library}" -lm)
    list(APPEND libraries "${library}")
    list(APPEND kernels "${build}:${library}")
  endforeach()
  add_custom_target(${name} ALL DEPENDS ${libraries})
  list(JOIN kernels "," kernels)
  set(${name}_KERNELS "${kernels}" PARENT_SCOPE)
endfunction()
