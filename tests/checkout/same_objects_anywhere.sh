#!/usr/bin/env bash
# Configures a copy of the tree below a folder whose name could be taken for a file's and that has a space in it: it has
# to consist of the same objects as the given build, since a pattern that looks at absolute paths once moved main() into
# a library.
#
#   same_objects_anywhere.sh SOURCE_FOLDER BUILD_FOLDER PRESET
set -euo pipefail
source_folder="$1" build_folder="$2" preset="$3"

scratch="$(mktemp -d)"
trap 'rm -rf "$scratch"' EXIT
copy="$scratch/check run describe/main"
mkdir -p "$copy"
tar -C "$source_folder" --exclude=./build --exclude=./.git -cf - . | tar -C "$copy" -xf -
(cd "$copy" && cmake --preset "$preset" >"$scratch/configure.log" 2>&1) || {
  cat "$scratch/configure.log"
  exit 1
}

objects_of() { # BUILD_FOLDER
  ninja -C "$1" -t targets all 2>/dev/null | sed -n 's/^\(.*\.o\): .*/\1/p' | sort
}
objects_of "$build_folder" >"$scratch/here.txt"
objects_of "$copy/build/$preset" >"$scratch/there.txt"
[[ -s "$scratch/here.txt" ]] || { echo "$build_folder has no objects to compare with"; exit 1; }
diff "$scratch/here.txt" "$scratch/there.txt" || {
  echo "a checkout at '$copy' would be built from other objects than this one (< here, > there)"
  exit 1
}
# Precompiled headers are part of what a compiler cache knows an object by.
ninja -C "$build_folder" -t targets all 2>/dev/null | sed -n 's/^\(precompiled\/host_[0-9a-f]*\.pch\): .*/\1/p' |
  sort -u >"$scratch/precompiled.txt"
if [[ ! -s "$scratch/precompiled.txt" ]] && grep -q -e "-include-pch" "$build_folder/build.ninja"; then
  echo "$build_folder is built with precompiled headers, and has none that could be compared"
  exit 1
fi
while read -r name; do
  here="$build_folder/$name"
  [[ -e "$here" ]] || { echo "$here is not built"; exit 1; }
  ninja -C "$copy/build/$preset" "$name" >"$scratch/precompile.log" 2>&1 || {
    cat "$scratch/precompile.log"
    exit 1
  }
  cmp "$here" "$copy/build/$preset/$name" || { echo "the headers of '$copy' are precompiled to something else"; exit 1; }
done <"$scratch/precompiled.txt"
echo "$(wc -l <"$scratch/here.txt") objects, the same here and there"
