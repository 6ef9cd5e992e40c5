#!/bin/bash -eu
# Builds every fuzz target for ClusterFuzzLite and OSS-Fuzz, as their documentation asks. Taken from outside: SRC (this
# repository is in SRC/arenaproof), WORK (for what lies between), OUT (targets, seed corpora, dictionaries, options),
# CXX, CXXFLAGS, LIB_FUZZING_ENGINE, SANITIZER.
case "${SANITIZER:=address}" in
  address) preset=fuzz ;;
  undefined | coverage | introspector | none) preset=fuzz-plain ;;
  *)
    echo "build.sh: SANITIZER is '$SANITIZER'; address, undefined, coverage, introspector or none would be right" >&2
    exit 2
    ;;
esac
for needed in SRC WORK OUT CXX LIB_FUZZING_ENGINE; do
  if [[ -z "${!needed:-}" ]]; then
    echo "build.sh: $needed is not set; the base image of ClusterFuzzLite and OSS-Fuzz sets it" >&2
    exit 2
  fi
done

build="$WORK/arenaproof-$SANITIZER"
cd -P "$SRC/arenaproof"  # without links: what is compiled is the same wherever SRC is, and a compiler cache knows it
cmake -S . -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=None -DCMAKE_CXX_COMPILER="$CXX" -DARENAPROOF_PRESET="$preset" \
  -DARENAPROOF_FLAGS_FROM_OUTSIDE=ON -DLIB_FUZZING_ENGINE="$LIB_FUZZING_ENGINE"
cmake --build "$build" --target fuzz_targets

for source in fuzz/fuzz_*.cc; do
  target="$(basename "$source" .cc)"
  cp "$build/fuzz/$target" "$OUT/"
  for companion in dict options; do
    [[ ! -f "fuzz/$target.$companion" ]] || cp "fuzz/$target.$companion" "$OUT/"
  done
  rm -f "$OUT/${target}_seed_corpus.zip"
  for corpus in "corpus/$target" "corpus/regressions/$target"; do
    [[ ! -d "$corpus" ]] || zip -q -j -r "$OUT/${target}_seed_corpus.zip" "$corpus"
  done
done
