# Headers of the standard library and of packages are parsed once for a build: else they are a third of what a small file
# costs, and seconds of each batch. Only such headers, so that nothing of a checkout's path is in what comes of it, and
# every checkout finds its objects in ccache; CMake's own precompiled headers name a file of the build folder. A missing
# include of one of them shows in the other presets and to clang-tidy, which read each file with what it includes itself.
# Flags of somebody's own would have to be the same for both, so there is none of it beside them.
if(ARENAPROOF_PRESET MATCHES "^(release|asan|fuzz|shadow)$" AND CMAKE_GENERATOR STREQUAL "Ninja"
    AND CMAKE_CXX_COMPILER_ID STREQUAL "Clang" AND CMAKE_BUILD_TYPE MATCHES "^(None)?$" AND NOT CMAKE_CXX_FLAGS
    AND NOT ARENAPROOF_FLAGS_FROM_OUTSIDE AND NOT ARENAPROOF_FILE_BY_FILE)
  set(ARENAPROOF_PRECOMPILES ON)
  # Another compiler does not read what one has written, and a package's files are older than what is built of them.
  execute_process(COMMAND "${CMAKE_CXX_COMPILER}" --version OUTPUT_VARIABLE compiler COMMAND_ERROR_IS_FATAL ANY)
  string(SHA256 digest "${compiler}")
  string(SUBSTRING "${digest}" 0 8 ARENAPROOF_COMPILER_DIGEST)
  if(CCACHE)
    # It keeps nothing of what is compiled this way else; no header of these asks for the time.
    set(CMAKE_CXX_COMPILER_LAUNCHER "${CMAKE_COMMAND}" -E env CCACHE_DEPEND=1 CCACHE_SLOPPINESS=time_macros "${CCACHE}")
  endif()
endif()

# arenaproof_precompile(OUTPUT FILES file... OPTIONS option...): parses what the files of cmake/precompiled/ include, with
# the options of the whole build and these.
function(arenaproof_precompile output)
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
  list(FILTER definitions EXCLUDE REGEX "^ARENAPROOF_")
  list(TRANSFORM definitions PREPEND -D)
  list(TRANSFORM ARG_FILES PREPEND "${CMAKE_SOURCE_DIR}/cmake/precompiled/")
  file(MAKE_DIRECTORY "${CMAKE_BINARY_DIR}/precompiled")
  # What the headers ask to be instantiated is done here, and not again in each file. The result names the file and the
  # folder that the compiler stands in, and tells the file's time: so it reads from a pipe, in one folder for all checkouts.
  add_custom_command(OUTPUT "${output}"
    COMMAND cat ${ARG_FILES} | "${CMAKE_CXX_COMPILER}" -std=c++${CMAKE_CXX_STANDARD} -fPIC ${all_options} ${definitions}
      -fpch-instantiate-templates -Xclang -fno-pch-timestamp -MD -MQ "${output}" -MF "${output}.d"
      -x c++-header - -o "${output}"
    WORKING_DIRECTORY / DEPENDS ${ARG_FILES} DEPFILE "${output}.d" VERBATIM)
endfunction()

# arenaproof_use_precompiled(TARGET device|host|test): by a path that is relative, as the compiler stands in the build
# folder. The compiler refuses it where options of the language or of the instrumentation are others than those it was
# made with; macros it does not compare.
function(arenaproof_use_precompiled target kind)
  if(NOT ARENAPROOF_PRECOMPILES)
    return()
  endif()
  set(name ${kind})
  set(options "")
  if(kind STREQUAL "device")
    set(files device.txt)
    list(APPEND options -fno-exceptions -fno-rtti)
  else()
    set(files host.txt)
    if(kind STREQUAL "test")
      list(APPEND files test.txt)
      list(APPEND options -DGTEST_HAS_PTHREAD=1)
    endif()
  endif()
  if(ARENAPROOF_NOT_OPTIMISED)
    string(APPEND name _not_optimised)
    list(APPEND options -O0)
  endif()
  set(output "${CMAKE_BINARY_DIR}/precompiled/${name}_${ARENAPROOF_COMPILER_DIGEST}.pch")
  if(NOT TARGET arenaproof_precompiled_${name})
    arenaproof_precompile("${output}" FILES ${files} OPTIONS ${options})
    add_custom_target(arenaproof_precompiled_${name} DEPENDS "${output}")
  endif()
  add_dependencies(${target} arenaproof_precompiled_${name})
  get_target_property(sources ${target} SOURCES)
  set_property(SOURCE ${sources} APPEND PROPERTY OBJECT_DEPENDS "${output}")
  # CMake compiles programs with -fPIE and rooms with -fPIC; the last one counts, and one file serves both.
  cmake_path(RELATIVE_PATH output BASE_DIRECTORY "${CMAKE_BINARY_DIR}")
  target_compile_options(${target} PRIVATE -fPIC "SHELL:-include-pch ${output}")
endfunction()
