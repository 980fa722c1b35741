#!/usr/bin/env bash
# rename.sh MODULE gives the module another path: in go.mod, in every import and in every text that
# names it. The directory that it works on is the current one.
set -euo pipefail

new=${1:-}
if [[ ! $new =~ ^[A-Za-z0-9._~-]+(/[A-Za-z0-9._~-]+)*$ ]]; then
  echo "rename: $(printf '%q' "$new") is no module path; use: make rename MODULE=example.com/agui" >&2
  exit 2
fi
old=$(go list -m)
if [[ $old == "$new" ]]; then
  echo "The module's path is $new already."
  exit 0
fi

# The path as a whole: not as the end of a longer host name, nor as the beginning of a longer element.
before='(^|[^[:alnum:]._~-])'
after='($|[^[:alnum:]_~-])'
pattern="$before${old//./\\.}$after"

files=()
while IFS= read -r -d '' file; do files+=("$file"); done < <(
  grep -rlIZE --exclude-dir=.git --exclude-dir=node_modules -e "$pattern" .
)
# Twice: two paths may share the character between them.
sed -i -E -e "s#$pattern#\1$new\2#g" -e "s#$pattern#\1$new\2#g" "${files[@]}"

gofiles=()
for file in "${files[@]}"; do
  if [[ $file == *.go ]]; then gofiles+=("$file"); fi
done
# A block of imports is sorted by path.
if ((${#gofiles[@]})); then "$(go env GOROOT)/bin/gofmt" -w "${gofiles[@]}"; fi

echo "Renamed $old to $new in ${#files[@]} files."
