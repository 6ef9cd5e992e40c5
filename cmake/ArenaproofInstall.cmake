# What `cmake --install build/release` puts below a prefix, and what cpack packs: all of it is listed here. Nothing that
# is installed knows where: the prefix may be moved. The components headers and documents need nothing to be built: the
# test what_is_installed looks through them at every change.

# Rooms for others, from the ground up, by their targets. Each is installed as an archive and with its headers.
set(ARENAPROOF_INSTALLED_ROOMS
  hooks base arena schema model planner host_planner kernel_interface storage planning interpreter embedding
  kernel_abi kernels_reference kernels_aligned kernels
  planted_access device_instrument violation_report instrument layout event_checks
  model_builder)
# Instruments with a worker of their own, from the build trees beside this one.
set(ARENAPROOF_INSTALLED_WORKERS release shadow asan)
# Packages of which parts are compiled into the programs: their licences come along.
set(ARENAPROOF_COMPILED_IN nlohmann-json3-dev libcli11-dev libflatbuffers-dev libgemmlowp-dev libclang-rt-19-dev)

set(ARENAPROOF_PACKAGE_FOLDER lib/cmake/arenaproof)
set(ARENAPROOF_DOCUMENT_FOLDER share/doc/arenaproof)

# The worker of a preset, in its build tree.
function(arenaproof_worker_of variable preset)
  cmake_path(GET CMAKE_BINARY_DIR PARENT_PATH builds)
  set(${variable} "${builds}/${preset}/tools/worker/arenaproof-worker" PARENT_SCOPE)
endfunction()

# Builds all that is installed, the workers of the other presets too.
function(arenaproof_build_what_is_installed)
  cmake_path(GET CMAKE_BINARY_DIR PARENT_PATH builds)
  set(commands "")
  foreach(preset IN LISTS ARENAPROOF_INSTALLED_WORKERS)
    if(NOT preset STREQUAL ARENAPROOF_PRESET)
      list(APPEND commands
        COMMAND "${CMAKE_COMMAND}" --preset ${preset} -B "${builds}/${preset}"
        COMMAND "${CMAKE_COMMAND}" --build "${builds}/${preset}" --target arenaproof-worker)
    endif()
  endforeach()
  add_custom_target(arenaproof-installed ${commands} WORKING_DIRECTORY "${CMAKE_SOURCE_DIR}" USES_TERMINAL)
  add_dependencies(arenaproof-installed arenaproof arenaproof-worker ${ARGN})
endfunction()

function(arenaproof_install)
  if(NOT ARENAPROOF_PRESET STREQUAL "release")
    install(CODE "message(FATAL_ERROR \"the preset 'release' is what is installed, with the workers of others\")")
    return()
  endif()
  set(workers "")
  foreach(preset IN LISTS ARENAPROOF_INSTALLED_WORKERS)
    arenaproof_worker_of(worker ${preset})
    list(APPEND workers "${worker}")
  endforeach()
  list(TRANSFORM ARENAPROOF_INSTALLED_ROOMS PREPEND arenaproof_ OUTPUT_VARIABLE targets)

  # All or nothing: what is not built is said before anything is written.
  set(built ${workers} "$<TARGET_FILE:arenaproof>")
  foreach(target IN LISTS targets)
    get_target_property(type ${target} TYPE)
    if(type STREQUAL "STATIC_LIBRARY")
      list(APPEND built "$<TARGET_FILE:${target}>")
    endif()
  endforeach()
  install(CODE "foreach(file ${built})
    if(NOT EXISTS \"\${file}\")
      message(FATAL_ERROR \"there is no \${file}; the target arenaproof-installed builds it\")
    endif()
  endforeach()")

  # Programs.
  install(TARGETS arenaproof EXPORT arenaproof DESTINATION bin)
  foreach(preset worker IN ZIP_LISTS ARENAPROOF_INSTALLED_WORKERS workers)
    install(PROGRAMS "${worker}" DESTINATION libexec/arenaproof RENAME arenaproof-worker-${preset})
    # CMake strips its own targets only.
    install(CODE "if(CMAKE_INSTALL_DO_STRIP)
      execute_process(COMMAND \"${CMAKE_STRIP}\"
        \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/libexec/arenaproof/arenaproof-worker-${preset}\" COMMAND_ERROR_IS_FATAL ANY)
    endif()")
  endforeach()

  # Rooms: archives, headers, and how CMake and pkg-config find them.
  set(archives "")
  foreach(room IN LISTS ARENAPROOF_INSTALLED_ROOMS)
    set(target arenaproof_${room})
    set_target_properties(${target} PROPERTIES EXPORT_NAME ${room})
    install(TARGETS ${target} EXPORT arenaproof ARCHIVE DESTINATION lib/arenaproof INCLUDES DESTINATION include/arenaproof)
    get_target_property(folder ${target} SOURCE_DIR)
    cmake_path(RELATIVE_PATH folder BASE_DIRECTORY "${CMAKE_SOURCE_DIR}")
    file(GLOB headers CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/${folder}/*.h" "${CMAKE_SOURCE_DIR}/${folder}/*.inc")
    install(FILES ${headers} DESTINATION include/arenaproof/${folder} COMPONENT headers)
    get_target_property(type ${target} TYPE)
    if(type STREQUAL "STATIC_LIBRARY")
      string(PREPEND archives "-l${target} ")  # who needs a room stands in front of it
    endif()
  endforeach()
  # A source that others compile with their headers: no target of this build has it.
  install(DIRECTORY kernels/bridge_tflm DESTINATION include/arenaproof/kernels COMPONENT headers)
  include(CMakePackageConfigHelpers)
  configure_file(cmake/installed/arenaproof.pc.in "${CMAKE_BINARY_DIR}/installed/arenaproof.pc" @ONLY)
  write_basic_package_version_file("${CMAKE_BINARY_DIR}/installed/arenaproofConfigVersion.cmake"
    COMPATIBILITY SameMinorVersion)
  install(EXPORT arenaproof NAMESPACE arenaproof:: FILE arenaproofTargets.cmake DESTINATION ${ARENAPROOF_PACKAGE_FOLDER})
  install(FILES cmake/installed/arenaproofConfig.cmake cmake/installed/arenaproofKernels.cmake
    "${CMAKE_BINARY_DIR}/installed/arenaproofConfigVersion.cmake" DESTINATION ${ARENAPROOF_PACKAGE_FOLDER})
  install(FILES "${CMAKE_BINARY_DIR}/installed/arenaproof.pc" DESTINATION lib/pkgconfig)

  # What people read, and what their shell does.
  install(FILES LICENSE README.md CHANGELOG.md DESTINATION ${ARENAPROOF_DOCUMENT_FOLDER} COMPONENT documents)
  foreach(package IN LISTS ARENAPROOF_COMPILED_IN)
    install(FILES /usr/share/doc/${package}/copyright DESTINATION ${ARENAPROOF_DOCUMENT_FOLDER}/compiled_in RENAME ${package})
  endforeach()
  install(DIRECTORY docs DESTINATION ${ARENAPROOF_DOCUMENT_FOLDER} COMPONENT documents)
  # The examples that the pages link, where the pages look for them.
  install(DIRECTORY tests/consumer DESTINATION ${ARENAPROOF_DOCUMENT_FOLDER}/tests COMPONENT documents)
  install(FILES tests/embedding/sine_support.cc tests/embedding/sine_support.h
    DESTINATION ${ARENAPROOF_DOCUMENT_FOLDER}/tests/embedding COMPONENT documents)
  install(FILES cmake/installed/completion.bash DESTINATION share/bash-completion/completions RENAME arenaproof
    COMPONENT documents)

  arenaproof_build_what_is_installed(${targets})
  arenaproof_pack()
endfunction()

# cpack -G DEB: the same files, and what they need of the system.
macro(arenaproof_pack)
  set(CPACK_PACKAGE_CONTACT "The authors of arenaproof")
  set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "Proving ground for tensor-arena allocators")
  set(CPACK_PACKAGE_DESCRIPTION "Runs the operators of a .tflite model with only their own operands open, and reports each
access beside them with operator, tensor and distance; plans arenas with proven bounds; the runtime itself as archives.")
  set(CPACK_RESOURCE_FILE_LICENSE "${CMAKE_SOURCE_DIR}/LICENSE")
  set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
  set(CPACK_STRIP_FILES ON)
  set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
  set(CPACK_DEBIAN_PACKAGE_SECTION devel)
  set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
  set(CPACK_DEBIAN_PACKAGE_SUGGESTS "clang-19, libclang-rt-19-dev, valgrind")  # for libraries of kernels
  include(CPack)
endmacro()
