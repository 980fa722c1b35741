#!/usr/bin/env bash
# Proves `make rename`: renames a copy of the tree, and builds, vets and tests the copy.
set -euo pipefail
cd "$(dirname "$0")/.."

old=$(go list -m)
new=example.org/renamed-$$/streams # not spelt out, so that it is in no file of the tree
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
tar --exclude=./.git --exclude=node_modules -cf - . | tar -xf - -C "$copy"
cd "$copy"

fail() { echo "rename-check: $1" >&2; exit 1; }

"${MAKE:-make}" --no-print-directory rename MODULE="$new"
[[ $(go list -m) == "$new" ]] || fail "go.mod names $(go list -m), want $new"
if left=$(grep -rnIF --exclude-dir=node_modules -e "$old" .); then
  fail "the old path is left:"$'\n'"$left"
fi
"${MAKE:-make}" --no-print-directory fmt-check
go vet ./...
go test -count=1 ./ids ./internal/build ./internal/archtest

# And back: what a rename writes, a rename finds.
"${MAKE:-make}" --no-print-directory rename MODULE="$old"
cd - >/dev/null
diff -r --exclude=.git --exclude=node_modules . "$copy" || fail "renaming back gives another tree"
if "${MAKE:-make}" --no-print-directory rename MODULE='no path' 2>/dev/null; then
  fail "a path with a space was accepted"
fi
