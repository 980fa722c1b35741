#!/usr/bin/env bash
# Runs the stages of `make test` in order, each a target of the Makefile, and prints the time of each.
# It stops at the first that fails.
set -euo pipefail
cd "$(dirname "$0")/.."

# The last one is a run of go test, so that its lines end the output.
stages=(check-tools fmt-check vet check-generated rename-check test-debug test-noverify race client-test bench-test test-default)

times=()
for stage in "${stages[@]}"; do
  printf '\n== %s\n' "$stage"
  begin=$SECONDS
  if ! "${MAKE:-make}" --no-print-directory "$stage"; then
    printf '\nFAILED: make %s (%d s)\n' "$stage" $((SECONDS - begin)) >&2
    exit 1
  fi
  times+=("$(printf '%6d s  %s' $((SECONDS - begin)) "$stage")")
done

printf '\nTime by stage:\n'
printf '%s\n' "${times[@]}"
printf '%6d s  in all\n' "$SECONDS"
