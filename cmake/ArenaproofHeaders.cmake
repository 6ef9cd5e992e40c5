# arenaproof_find_headers(VARIABLE FILE): the folder to include FILE ("gemmlowp/fixedpoint/fixedpoint.h") from, for a
# library that is headers only. A cross compiler must not see the other headers of the host's folder, so it gets a folder
# of its own with links.
function(arenaproof_find_headers variable file)
  if(NOT CMAKE_CROSSCOMPILING)
    find_path(${variable} "${file}" REQUIRED)
    return()
  endif()
  find_path(host_folder_of_${variable} "${file}" PATHS /usr/include REQUIRED NO_CMAKE_FIND_ROOT_PATH)
  string(REGEX REPLACE "/.*" "" package "${file}")
  file(MAKE_DIRECTORY "${CMAKE_BINARY_DIR}/host_headers")
  file(CREATE_LINK "${host_folder_of_${variable}}/${package}" "${CMAKE_BINARY_DIR}/host_headers/${package}" SYMBOLIC)
  set(${variable} "${CMAKE_BINARY_DIR}/host_headers" PARENT_SCOPE)
endfunction()
