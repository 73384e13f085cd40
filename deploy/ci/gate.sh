#!/usr/bin/env bash
# Profiles a command in this checkout and in a checkout of the base, in turns, and checks the budget.
# docs/ci.md explains the variables; the exit code is that of `parcatool check`.
set -euo pipefail

command_line=${GATE_COMMAND:?set GATE_COMMAND to the command to profile}
folder=${GATE_FOLDER:-.}
output=${GATE_OUTPUT:-profile-gate}
read -ra parcatool <<<"${GATE_PARCATOOL:-parcatool}"
read -ra check_flags <<<"${GATE_CHECK_FLAGS:-}"
# The command is quoted as in a shell.
words=()
eval "words=($command_line)"

# The base is on the branch that the change goes to; without one, it is the commit before this one.
if [ -n "${GATE_BASE:-}" ]; then target=$GATE_BASE
elif [ -n "${GITHUB_BASE_REF:-}" ]; then target=origin/$GITHUB_BASE_REF
elif [ -n "${CI_MERGE_REQUEST_DIFF_BASE_SHA:-}" ]; then target=$CI_MERGE_REQUEST_DIFF_BASE_SHA
else target=HEAD^
fi
if ! base=$(git merge-base HEAD "$target"); then
  echo "gate: $target is not in this clone: fetch all of it (fetch-depth: 0, or GIT_DEPTH: 0)" >&2
  exit 1
fi

scratch=$(mktemp -d)
checkout=$scratch/base
trap 'git worktree remove --force "$checkout" || true; rm -rf "$scratch"' EXIT
git worktree add --quiet --detach "$checkout" "$base"

# The checkout of the base has only the files in git, so both checkouts are prepared.
if [ -n "${GATE_PREPARE:-}" ]; then
  for place in "$checkout/$folder" "$folder"; do (cd "$place" && bash -e -c "$GATE_PREPARE") >&2; done
fi

rm -rf "$output/profiles"
mkdir -p "$output"
"${parcatool[@]}" record --runs="${GATE_RUNS:-10}" --with="${GATE_WITH:-auto}" \
  --folder="base=$checkout/$folder" --folder="new=$folder" --target="$output/profiles" \
  -- "${words[@]}" >"$output/profiles.txt"

code=0
"${parcatool[@]}" check \
  --base="$output/profiles/base-*" --new="$output/profiles/new-*" --unclear="${GATE_UNCLEAR:-pass}" \
  --report="markdown=$output/check.md" --report="junit=$output/check.xml" \
  --report="sarif=$output/check.sarif" --report="json=$output/check.json" \
  --report="github=$output/annotations.txt" "${check_flags[@]}" || code=$?

# Only a check with a result (passed, failed or unclear) has reports.
if [ "$code" = 0 ] || [ "$code" = 4 ] || [ "$code" = 5 ]; then
  if [ -n "${GITHUB_STEP_SUMMARY:-}" ]; then cat "$output/check.md" >>"$GITHUB_STEP_SUMMARY"; fi
  if [ "${GITHUB_ACTIONS:-}" = true ]; then cat "$output/annotations.txt"; fi
fi
exit "$code"
