#!/usr/bin/env bash
# Says which of the tools that `make test` needs are missing or too old: all of them at once.
set -euo pipefail

missing=()
need() { missing+=("$1"); }

# major VERSION: the digits before the first dot.
major() { local v=${1#v}; echo "${v%%.*}"; }

if ! command -v go >/dev/null; then
  need "Go 1.26 or newer"
else
  # In this directory the go command may switch to a newer toolchain; where it cannot, it fails.
  version=$(go env GOVERSION 2>/dev/null) || version=$(cd / && GOTOOLCHAIN=local go env GOVERSION)
  minor=$(sed -nE 's/^go1\.([0-9]+).*/\1/p' <<<"$version")
  # A development version has no number and is taken to be new enough.
  if [[ $version == go* && ${minor:-0} -lt 26 ]]; then
    need "Go 1.26 or newer (found $version)"
  fi
fi

cc=$(go env CC 2>/dev/null || echo "${CC:-cc}")
command -v "${cc%% *}" >/dev/null || need "a C compiler, for the race detector (looked for ${cc%% *})"

if ! command -v node >/dev/null; then
  need "Node.js 20 or newer, for the official client"
elif [[ $(major "$(node --version)") -lt 20 ]]; then
  need "Node.js 20 or newer, for the official client (found $(node --version))"
fi

command -v npm >/dev/null || need "npm, for the official client"
command -v make >/dev/null || need "make"

if ((${#missing[@]})); then
  echo "Missing:" >&2
  printf '  %s\n' "${missing[@]}" >&2
  exit 1
fi

# Some tests can do without: say so, since go test does not tell of what passed by being left out.
if ! command -v nginx >/dev/null && [[ ! -x /usr/sbin/nginx ]]; then
  echo "LEFT OUT: nginx is not installed, so nothing will be tried behind it (Debian: apt-get install nginx-light)" >&2
fi
if ! command -v valgrind >/dev/null; then
  echo "LEFT OUT: valgrind is not installed, so no instructions will be counted (Debian: apt-get install valgrind)" >&2
fi
