#!/bin/bash
# Plays the first day of a fleet on this computer: a server on loopback, three machines in temporary homes, a policy, a
# server that is killed. Everything is real and is removed at the end. It fails unless the result is as expected.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
grapnel=$(readlink -f "${GRAPNEL:-$here/../../build/grapnel}")
if [[ ! -x $grapnel || ! -x $(dirname "$grapnel")/grapnel-fleet ]]; then
  echo 'the fleet is not built yet; run `make fleet-demo`' >&2
  exit 1
fi

scratch=$(mktemp -d)
export XDG_RUNTIME_DIR=$scratch GRAPNEL_SERVE=off LC_ALL=C
unset XDG_STATE_HOME XDG_CONFIG_HOME GRAPNEL_CONFIG GRAPNEL_DISABLE

# at NAME COMMAND...: runs a command where NAME is at home.
at() {
  local home=$scratch/$1
  shift
  mkdir -p "$home"
  (cd "$home" && HOME=$home "$@")
}
say() { printf '\n%s\n' "$1"; }
finish() {
  at office "$grapnel" fleet down >/dev/null 2>&1 || true
  for machine in ann bob ci; do at "$machine" "$grapnel" fleet leave --yes >/dev/null 2>&1 || true; done
  rm -rf "$scratch"
}
trap finish EXIT
unexpected() {
  printf '\nThis was not expected: %s.\n' "$1" >&2
  exit 1
}

# An agent on a machine is about to run a command.
calls() {
  printf '{"hook_event_name": "BeforeTool", "tool_name": "run_shell_command", "tool_input": {"command": "%s"}}' "$2" |
    at "$1" "$grapnel" fire --as gemini 2>/dev/null
}
# Waits until a machine has a version of the policy.
has_version() {
  for _ in $(seq 300); do
    [[ $(at "$1" "$grapnel" fleet status --json | jq .policy.version) == "$2" ]] && return 0
    sleep 0.1
  done
  unexpected "$1 did not get version $2 of the policy"
}

say 'The office makes a fleet: keys, a NATS server with TLS on this computer, and a collector.'
at office "$grapnel" fleet init --listen 127.0.0.1:0 | sed "s|$scratch|~|g; s/^/  /"

say 'Three machines join with a token that expires.'
for machine in ann bob ci; do
  at "$machine" "$grapnel" fleet join "$(at office "$grapnel" fleet token --expires 10m)" | sed 's/^/  /'
done

say 'Without a policy, agents do what they like.'
for machine in ann bob; do calls "$machine" 'git push --force' | sed "s/^/  $machine: /"; done
for machine in ann bob ci; do at "$machine" "$grapnel" fleet flush --wait 60s >/dev/null; done

say 'The office writes a policy. Its tests run, and what really happened is played against it before anybody gets it.'
cp -R "$here/policy" "$scratch/no-force"
at office "$grapnel" fleet push "$scratch/no-force" --yes | sed "s|$scratch|~|g; s/^/  /"
for machine in ann bob ci; do has_version "$machine" 1; done

say 'Now the same command is denied on every machine.'
for machine in ann bob ci; do
  answer=$(calls "$machine" 'git push --force' || true)
  [[ $answer == *'"deny"'* ]] || unexpected "$machine was not stopped"
  echo "  $machine: $answer"
done

say 'The server is killed. Policies hold as before, and records wait on their machines.'
kill -9 "$(cat "$scratch/office/.config/grapnel/fleet/server/nats.pid")"
for _ in 1 2 3; do
  [[ $(calls ann 'git push --force' || true) == *'"deny"'* ]] || unexpected 'a decision changed without the server'
done
at ann "$grapnel" fleet flush --wait 1s | sed 's/^/  ann: /' || true

say 'It comes back, and nothing is missing.'
at office "$grapnel" fleet up >/dev/null
for machine in ann bob ci; do at "$machine" "$grapnel" fleet flush --wait 60s >/dev/null || unexpected "$machine could not send"; done
at office "$grapnel" fleet log --verdict deny | sed 's/^/  /'
written=$(cat "$scratch"/{ann,bob,ci}/.local/state/grapnel/records.jsonl | wc -l)
stored=$(at office "$grapnel" fleet status --json | jq .records)
[[ $written == "$stored" ]] || unexpected "$written records were written and $stored are stored"
echo "  $written records were written on three machines, and the central store has $stored."

say 'A stolen machine is cut off, and the policy goes with those who leave.'
at office "$grapnel" fleet revoke "$(at bob "$grapnel" fleet status --json | jq -r .machine)" | sed 's/^/  /'
at ci "$grapnel" fleet leave --yes | sed 's/^/  /'
[[ $(calls ci 'git push --force' || true) != *'"deny"'* ]] || unexpected 'the policy stayed after leaving'
say 'All of this was looked up just now. The servers end, and the temporary homes are removed.'
