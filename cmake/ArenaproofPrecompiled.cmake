# Headers of the standard library and of packages are parsed once for a build: else they are a third of what a small
# file costs, and seconds of each batch. Only such headers, so that nothing of a checkout's path is in what comes of it, and every checkout finds its
# objects in ccache; CMake's own precompiled headers name a file of the build folder. The other presets and clang-tidy
# read each file with what it includes itself, where a missing include shows.
if(ARENAPROOF_PRESET MATCHES "^(release|asan|fuzz|shadow)$" AND CMAKE_GENERATOR STREQUAL "Ninja"
    AND CMAKE_CXX_COMPILER_ID STREQUAL "Clang" AND NOT ARENAPROOF_FLAGS_FROM_OUTSIDE AND NOT ARENAPROOF_FILE_BY_FILE)
  set(ARENAPROOF_PRECOMPILES ON)
endif()

# arenaproof_precompile(NAME FILES file... OPTIONS option...): the target arenaproof_precompiled_<NAME>, which parses what
# the files of cmake/precompiled/ include, with the options of the whole build and these.
function(arenaproof_precompile name)
  cmake_parse_arguments(ARG "" "" "FILES;OPTIONS" ${ARGN})
  get_property(options DIRECTORY "${CMAKE_SOURCE_DIR}" PROPERTY COMPILE_OPTIONS)
  set(all_options "")
  foreach(option IN LISTS options ARG_OPTIONS)
    string(REGEX REPLACE "^SHELL:" "" option "${option}")
    string(REPLACE " " ";" option "${option}")
    list(APPEND all_options ${option})
  endforeach()
  list(FILTER all_options EXCLUDE REGEX "^-fsanitize-coverage-")  # no part of the language, and of this build folder
  get_property(definitions DIRECTORY "${CMAKE_SOURCE_DIR}" PROPERTY COMPILE_DEFINITIONS)
  if("_GLIBCXX_ASSERTIONS" IN_LIST definitions)
    list(APPEND all_options -D_GLIBCXX_ASSERTIONS)  # the only one of ours that these headers ask for
  endif()
  list(TRANSFORM ARG_FILES PREPEND "${CMAKE_SOURCE_DIR}/cmake/precompiled/")
  file(MAKE_DIRECTORY "${CMAKE_BINARY_DIR}/precompiled")
  set(output "${CMAKE_BINARY_DIR}/precompiled/${name}.pch")
  # What the headers ask to be instantiated is done here, and not again in each file. The result names the file and the
  # folder that the compiler stands in, and tells the file's time: so it reads from a pipe, in one folder for all checkouts.
  add_custom_command(OUTPUT "${output}"
    COMMAND cat ${ARG_FILES} | "${CMAKE_CXX_COMPILER}" -std=c++${CMAKE_CXX_STANDARD} -fPIC ${all_options}
      -fpch-instantiate-templates -Xclang -fno-pch-timestamp -MD -MT "${output}" -MF "${output}.d"
      -x c++-header - -o "${output}"
    WORKING_DIRECTORY / DEPENDS ${ARG_FILES} DEPFILE "${output}.d" COMMENT "Parsing ${name} headers" VERBATIM)
  add_custom_target(arenaproof_precompiled_${name} DEPENDS "${output}")
endfunction()

# arenaproof_use_precompiled(TARGET device|host|test): by a path that is relative, as the compiler stands in the build
# folder. A compiler takes such a file only where the options are the same as those it was made with.
function(arenaproof_use_precompiled target kind)
  if(NOT ARENAPROOF_PRECOMPILES)
    return()
  endif()
  set(name ${kind})
  set(options "")
  if(kind STREQUAL "device")
    set(files device.h)
    list(APPEND options -fno-exceptions -fno-rtti)
  else()
    set(files host.h)
    if(kind STREQUAL "test")
      list(APPEND files test.h)
      list(APPEND options -DGTEST_HAS_PTHREAD=1)
    endif()
  endif()
  if(ARENAPROOF_NOT_OPTIMISED)
    string(APPEND name _not_optimised)
    list(APPEND options -O0)
  endif()
  if(NOT TARGET arenaproof_precompiled_${name})
    arenaproof_precompile(${name} FILES ${files} OPTIONS ${options})
  endif()
  add_dependencies(${target} arenaproof_precompiled_${name})
  # Programs would be compiled for themselves alone otherwise, and not like the rooms.
  target_compile_options(${target} PRIVATE -fPIC "SHELL:-include-pch precompiled/${name}.pch")
endfunction()
