# Compiler flags are set here for a whole build and nowhere for one file: the linker keeps one copy of an inline
# function, and the copy of a differently built file would blind an instrument without a word.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
if(ARENAPROOF_PRESET STREQUAL "cortex-m")
  # No loader fills in a table of addresses there, and start-up code runs before memory is as a program expects it.
  set(CMAKE_POSITION_INDEPENDENT_CODE OFF)
else()
  set(CMAKE_POSITION_INDEPENDENT_CODE ON)
endif()

find_program(CCACHE ccache)
if(CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER "${CCACHE}")
endif()

# The golden values are of plain IEEE arithmetic in source order.
add_compile_options(-ffp-contract=off -fno-omit-frame-pointer)
add_compile_definitions(ARENAPROOF_PRESET_NAME="${ARENAPROOF_PRESET}")
# Fuzzing engines of other people bring compiler, sanitizers and coverage themselves (.clusterfuzzlite/build.sh): CXXFLAGS
# has them, LIB_FUZZING_ENGINE the engine, and here stands only what our code asks for beside them.
option(ARENAPROOF_FLAGS_FROM_OUTSIDE "CXXFLAGS brings sanitizers and coverage; fuzz targets only" OFF)
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang" AND NOT ARENAPROOF_FLAGS_FROM_OUTSIDE)
  add_link_options(-fuse-ld=lld-19)
endif()

# No vptr check: rooms for devices have no RTTI, so it would call every object of theirs invalid.
set(ARENAPROOF_ASAN_FLAGS -fsanitize=address,undefined -fno-sanitize=vptr -fno-sanitize-recover=undefined
  -fsanitize-recover=address)
if(ARENAPROOF_FLAGS_FROM_OUTSIDE)
  set(ARENAPROOF_ASAN_FLAGS -fsanitize-recover=address)
endif()

if(ARENAPROOF_PRESET STREQUAL "release")
  add_compile_options(-O2 -g1)
elseif(ARENAPROOF_PRESET STREQUAL "asan" OR ARENAPROOF_PRESET STREQUAL "fuzz")
  # Recoverable reports let a checker go on after the first; halt_on_error, on by default, still stops tests.
  add_compile_options(-g1 ${ARENAPROOF_ASAN_FLAGS})
  add_compile_definitions(ARENAPROOF_ASAN=1 _GLIBCXX_ASSERTIONS)
  add_link_options(${ARENAPROOF_ASAN_FLAGS})
  if(ARENAPROOF_PRESET STREQUAL "fuzz")
    # Relative: the compiler stands in the build folder, and an absolute path would part the objects of two checkouts.
    file(RELATIVE_PATH ignored "${CMAKE_BINARY_DIR}" "${CMAKE_SOURCE_DIR}/fuzz/coverage_ignored.txt")
    # O2: a tenth more executions. What it would optimise away, and locals used after their function's return, are seen
    # when the preset asan replays the corpora.
    if(NOT ARENAPROOF_FLAGS_FROM_OUTSIDE)
      add_compile_options(-O2 -fsanitize=fuzzer-no-link -fno-sanitize-coverage=indirect-calls,stack-depth
        -fsanitize-address-use-after-return=never)
    endif()
    add_compile_options(-fsanitize-coverage-ignorelist=${ignored})
    add_compile_definitions(ARENAPROOF_FUZZ=1)
  else()
    add_compile_options(-O1)
  endif()
elseif(ARENAPROOF_PRESET STREQUAL "fuzz-plain")
  # For UndefinedBehaviorSanitizer alone, for coverage, for engines without sanitizer: nobody sees closed bytes, so
  # invariants, certifier and oracles decide alone.
  add_compile_options(-fno-sanitize=vptr)
  add_compile_definitions(ARENAPROOF_FUZZ=1 ARENAPROOF_CHECK_INVARIANTS=1)
  if(NOT ARENAPROOF_FLAGS_FROM_OUTSIDE)
    add_compile_options(-O2 -g1 -fsanitize=fuzzer-no-link)
  endif()
elseif(ARENAPROOF_PRESET STREQUAL "shadow")
  # Links no sanitizer runtime: the hooks are our own (sanitizers/hooks). O2, so that the hooks see the accesses that
  # the optimiser really makes, vector ones included.
  add_compile_options(-O2 -g1 -fsanitize=kernel-address
    "SHELL:-mllvm -asan-instrumentation-with-call-threshold=0" "SHELL:-mllvm -asan-globals=0"
    "SHELL:-mllvm -asan-stack=0" "SHELL:-mllvm -asan-kernel-mem-intrinsic-prefix=1"
    # Else a write to what was just read has no hook: to AddressSanitizer the two are one, here they have two rights.
    "SHELL:-mllvm -asan-opt-same-temp=0")
  add_compile_definitions(ARENAPROOF_SHADOW=1)
elseif(ARENAPROOF_PRESET STREQUAL "coverage")
  # The folder is named, so that a compiler cache gives no object whose counters are of another checkout's files.
  add_compile_options(-O1 -g1 -fprofile-instr-generate -fcoverage-mapping
    "-fcoverage-compilation-dir=${CMAKE_BINARY_DIR}")
  add_link_options(-fprofile-instr-generate -fcoverage-mapping)
elseif(ARENAPROOF_PRESET STREQUAL "valgrind")
  add_compile_options(-O1 -g -gdwarf-4)
elseif(ARENAPROOF_PRESET STREQUAL "gcc")
  # The second opinion on every input of the corpora: another compiler's checks, and its own order of evaluation. No
  # instrument: GCC 12 tests only the begin of a packed access of 3 or 16 bytes, which the self-test of one notices.
  add_compile_options(-O1 -g1 ${ARENAPROOF_ASAN_FLAGS})
  add_compile_definitions(_GLIBCXX_ASSERTIONS)
  add_link_options(${ARENAPROOF_ASAN_FLAGS})
elseif(ARENAPROOF_PRESET STREQUAL "x86-32")
  # The ARM EABI aligns 8-byte types to 8 where 32-bit x86 by itself aligns them to 4; floats without extra precision.
  # GCC: clang's -malign-double does not compile the standard library's headers.
  add_compile_options(-O2 -g1 -m32 -malign-double -msse2 -mfpmath=sse)
  add_link_options(-m32)
elseif(ARENAPROOF_PRESET STREQUAL "cortex-m")
  # A microcontroller with a floating point unit for single precision.
  add_compile_options(-Os -mcpu=cortex-m4 -mthumb -mfloat-abi=hard -mfpu=fpv4-sp-d16 -ffunction-sections -fdata-sections)
  # The asserts of the headers we use print, and printing allocates.
  add_compile_definitions(NDEBUG)
  add_link_options(-mcpu=cortex-m4 -mthumb -mfloat-abi=hard -mfpu=fpv4-sp-d16 -Wl,--gc-sections)
else()
  message(FATAL_ERROR "ARENAPROOF_PRESET is '${ARENAPROOF_PRESET}'; it has to be one of release, asan, shadow, fuzz, fuzz-plain, coverage, valgrind, gcc, x86-32, cortex-m")
endif()
