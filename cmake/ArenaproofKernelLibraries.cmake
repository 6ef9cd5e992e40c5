# The flags of kernels/vendor/build_flags.inc whose lines begin with ARENAPROOF_<kind>_FLAG.
function(arenaproof_read_build_flags variable kind)
  set(flags "")
  set(file "${CMAKE_SOURCE_DIR}/kernels/vendor/build_flags.inc")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${file}")
  file(STRINGS "${file}" lines REGEX "^ARENAPROOF_${kind}_FLAG")
  foreach(line IN LISTS lines)
    string(REGEX REPLACE ".*\"(.*)\".*" "SHELL:\\1" flag "${line}")
    list(APPEND flags "${flag}")
  endforeach()
  set(${variable} "${flags}" PARENT_SCOPE)
endfunction()

# arenaproof_kernel_library(NAME [SHARED] BUILD plain|shadow|asan SOURCES file... [DEFINITIONS word...]): a shared library
# of kernels from outside, lib<NAME>.so in the folder's build folder, compiled as a user compiles it: with none of this
# preset's flags. It is linked by itself and loaded locally, so that no inline function of another build gets into it.
# SHARED: others link to it.
function(arenaproof_kernel_library name)
  cmake_parse_arguments(ARG "SHARED" "BUILD" "SOURCES;DEFINITIONS" ${ARGN})
  set(kind MODULE)
  if(ARG_SHARED)
    set(kind SHARED)
  endif()
  add_library(${name} ${kind} ${ARG_SOURCES})
  set_target_properties(${name} PROPERTIES COMPILE_DEFINITIONS "" COMPILE_OPTIONS "" LINK_OPTIONS "")
  target_include_directories(${name} PRIVATE "${CMAKE_SOURCE_DIR}")
  target_compile_definitions(${name} PRIVATE ${ARG_DEFINITIONS})
  target_compile_options(${name} PRIVATE ${ARENAPROOF_WARNINGS} -O2 -g1 -ffp-contract=off)
  target_link_options(${name} PRIVATE -fuse-ld=lld-19)
  if(NOT ARG_BUILD STREQUAL "plain")
    string(TOUPPER "${ARG_BUILD}" instrument)
    arenaproof_read_build_flags(flags ${instrument})
    target_compile_options(${name} PRIVATE ${flags})
    if(ARG_BUILD STREQUAL "asan")
      target_link_options(${name} PRIVATE ${flags})  # the others are for the compiler alone, and it would warn of them
    endif()
    file(STRINGS "${CMAKE_SOURCE_DIR}/sanitizers/hooks/wrapped_calls.inc" lines
      REGEX "^ARENAPROOF_(COMPARING|WRAPPED)_CALL")
    foreach(line IN LISTS lines)
      string(REGEX REPLACE ".*\\(([a-z]+)\\)" "\\1" call "${line}")
      target_link_options(${name} PRIVATE "LINKER:--wrap=${call}")
    endforeach()
  endif()
endfunction()
