# find_package(arenaproof): the command as arenaproof::arenaproof, rooms of the runtime as arenaproof::embedding,
# arenaproof::kernels_reference, arenaproof::instrument, ..., and arenaproof_kernels() for libraries of kernels.
include("${CMAKE_CURRENT_LIST_DIR}/arenaproofTargets.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/arenaproofKernels.cmake")
