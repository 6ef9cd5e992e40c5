# From here on a target's files are compiled several at once: most of the work is the headers of libraries, and it is done
# once for a batch. So names in unnamed namespaces have to differ within a target: one file's would clash with another's,
# or hide what that one means. The preset x86-32 and clang-tidy compile file by file, where a missing include shows. What
# an instrument watches (core, kernels) and the instruments are in no batch: their objects are those of a user.
macro(arenaproof_compile_in_batches)
  if(ARENAPROOF_PRESET MATCHES "^(release|asan|fuzz|fuzz-plain|shadow|coverage|valgrind|gcc)$" AND NOT ARENAPROOF_FILE_BY_FILE)
    set(ARENAPROOF_MOST_FILES_OF_A_BATCH 16)
  endif()
endmacro()

# For folders whose code starts processes, draws, compares and prints. Where every access is instrumented, leaving out the
# optimiser more than halves the time that its compiling takes, and costs its runs less.
macro(arenaproof_do_not_optimise_instrumented)
  if(ARENAPROOF_PRESET MATCHES "^(asan|shadow)$")
    set(ARENAPROOF_NOT_OPTIMISED ON)
  endif()
endmacro()

# What every target of ours is compiled with beside the flags of the whole build.
function(arenaproof_set_compile_options name device link)
  set(kind host)
  if(device)
    set(kind device)
  elseif(link MATCHES "GTest|rapidcheck")
    set(kind test)
  endif()
  target_compile_options(${name} PRIVATE ${ARENAPROOF_WARNINGS})
  if(device)
    target_compile_options(${name} PRIVATE -fno-exceptions -fno-rtti)
  elseif(ARENAPROOF_PRESET STREQUAL "x86-32")
    target_compile_options(${name} PRIVATE -Wno-conversion)  # host programs, whose 64-bit numbers have 64 bits to go to
  endif()
  if(ARENAPROOF_NOT_OPTIMISED)
    target_compile_options(${name} PRIVATE -O0)
  endif()
  arenaproof_use_precompiled(${name} ${kind})
endfunction()

# arenaproof_in_batches(VARIABLE NAME file...): the sources of the target NAME when it is made of these files. CMake's own
# unity builds include by absolute paths: no other checkout, and so not the scratch tree of ./dev faults, would find their
# objects in ccache.
function(arenaproof_in_batches variable name)
  set(${variable} ${ARGN} PARENT_SCOPE)
  list(LENGTH ARGN count)
  if(NOT ARENAPROOF_MOST_FILES_OF_A_BATCH OR count LESS 2 OR ARGN MATCHES "\\$<")
    return()
  endif()
  set(batches)
  math(EXPR batch_count "(${count} + ${ARENAPROOF_MOST_FILES_OF_A_BATCH} - 1) / ${ARENAPROOF_MOST_FILES_OF_A_BATCH}")
  foreach(batch RANGE 1 ${batch_count})
    math(EXPR begin "${count} * (${batch} - 1) / ${batch_count}")
    math(EXPR length "${count} * ${batch} / ${batch_count} - ${begin}")
    list(SUBLIST ARGN ${begin} ${length} files)
    set(includes "")
    foreach(file IN LISTS files)
      get_filename_component(file "${file}" ABSOLUTE)
      file(RELATIVE_PATH file "${CMAKE_SOURCE_DIR}" "${file}")
      string(APPEND includes "#include \"${file}\"\n")
    endforeach()
    file(CONFIGURE OUTPUT "${CMAKE_CURRENT_BINARY_DIR}/${name}_batch_${batch}.cc" CONTENT "${includes}" @ONLY)
    list(APPEND batches "${CMAKE_CURRENT_BINARY_DIR}/${name}_batch_${batch}.cc")
  endforeach()
  # They stay sources, as the test of the rooms reads them.
  set_source_files_properties(${ARGN} PROPERTIES HEADER_FILE_ONLY ON)
  set(${variable} ${batches} ${ARGN} PARENT_SCOPE)
endfunction()

# Our own code is held to these; headers of packages are system headers and are not.
set(ARENAPROOF_WARNINGS -Wall -Wextra -Wconversion -Wshadow -Werror)
if(ARENAPROOF_FLAGS_FROM_OUTSIDE)
  list(REMOVE_ITEM ARENAPROOF_WARNINGS -Werror)  # whatever compiler it is, a new warning of it stops nobody's fuzzing
endif()
if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  # Two that GCC takes further: a macro inside its own argument, and the test library's own ifs.
  list(APPEND ARENAPROOF_WARNINGS -Wno-shadow -Wno-dangling-else)
endif()
if(ARENAPROOF_PRESET STREQUAL "gcc")
  list(APPEND ARENAPROOF_WARNINGS -Wno-maybe-uninitialized)  # says so of much that its own checks were put into
endif()

# arenaproof_library(NAME [DEVICE] LINK lib...): a room of the house from the .cc files of its folder. DEVICE rooms run
# on microcontrollers: no exceptions, no RTTI.
function(arenaproof_library name)
  cmake_parse_arguments(ARG "DEVICE" "" "LINK;SOURCES" ${ARGN})
  if("SOURCES" IN_LIST ARG_KEYWORDS_MISSING_VALUES)
    message(FATAL_ERROR "${name}: SOURCES names no file; leave it out to take the folder's")
  endif()
  if(NOT ARG_SOURCES)
    file(GLOB ARG_SOURCES CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/*.cc")
  endif()
  if(ARG_SOURCES)
    arenaproof_in_batches(sources ${name} ${ARG_SOURCES})
    add_library(${name} STATIC ${sources})
    target_include_directories(${name} PUBLIC "$<BUILD_INTERFACE:${CMAKE_SOURCE_DIR}>")
    target_link_libraries(${name} PUBLIC ${ARG_LINK})
    arenaproof_set_compile_options(${name} "${ARG_DEVICE}" "${ARG_LINK}")
  else()
    add_library(${name} INTERFACE)
    target_include_directories(${name} INTERFACE "$<BUILD_INTERFACE:${CMAKE_SOURCE_DIR}>")
    target_link_libraries(${name} INTERFACE ${ARG_LINK})
  endif()
endfunction()

# arenaproof_executable(NAME SOURCES file... LINK lib...)
function(arenaproof_executable name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINK" ${ARGN})
  arenaproof_in_batches(sources ${name} ${ARG_SOURCES})
  add_executable(${name} ${sources})
  target_link_libraries(${name} PRIVATE ${ARG_LINK})
  arenaproof_set_compile_options(${name} OFF "${ARG_LINK}")
endfunction()
