#!/usr/bin/env bash
# Generates again what is generated and fails when that changes a file: a table or a page was edited
# by hand, or its source was changed without `make generate`.
set -euo pipefail
cd "$(dirname "$0")/.."

sums() {
  find . \( -name .git -o -name node_modules \) -prune -o -type f -exec sha256sum {} + | sort -k 2
}

before=$(sums)
"${MAKE:-make}" --no-print-directory generate
after=$(sums)

if [[ $before != "$after" ]]; then
  echo "These files were out of date; they are generated anew, review and commit them:" >&2
  { diff <(echo "$before") <(echo "$after") || true; } | sed -nE 's/^> [0-9a-f]+ +\.\//  /p' >&2
  exit 1
fi
