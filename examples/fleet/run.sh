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
export GRAPNEL_SERVE=off LC_ALL=C
unset XDG_STATE_HOME XDG_CONFIG_HOME GRAPNEL_CONFIG GRAPNEL_DISABLE

# at NAME COMMAND...: runs a command where NAME is at home.
at() {
  local home=$scratch/$1
  shift
  mkdir -p -m 700 "$home" "$home/run"
  (cd "$home" && HOME=$home XDG_RUNTIME_DIR=$home/run "$@")
}
say() { printf '\n%s\n' "$1"; }
finish() {
  [[ -z ${worker:-} ]] || kill "$worker" 2>/dev/null || true
  [[ -z ${approver:-} ]] || kill "$approver" 2>/dev/null || true
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
# Codex on a machine is about to publish a package; it cannot ask by itself.
publishes() {
  printf '{"hook_event_name": "PreToolUse", "session_id": "s", "tool_name": "Bash", "tool_input": {"command": "npm publish"}}' |
    at "$1" "$grapnel" fire --as codex 2>/dev/null
}
# An agent on a machine has run a command.
reports() {
  printf '{"hook_event_name": "AfterTool", "tool_name": "run_shell_command", "tool_input": {"command": "%s"}, "tool_response": {"llmContent": "ok"}}' "$2" |
    at "$1" "$grapnel" fire --as gemini >/dev/null 2>&1 || unexpected "$1 could not go on"
}
# Runs a command again and again until it succeeds.
wait_for() {
  local what=$1
  shift
  for _ in $(seq 300); do
    "$@" >/dev/null 2>&1 && return 0
    sleep 0.1
  done
  unexpected "$what"
}
# The id of the question that waits.
question() { at boss "$grapnel" fleet approve --json | jq -er '.waiting[0].id'; }
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

say 'A hook asks on one machine, and a person at another computer answers.'
at boss "$grapnel" fleet join "$(at office "$grapnel" fleet token --role approver --name boss)" | sed 's/^/  /'
HOME=$scratch/boss XDG_RUNTIME_DIR=$scratch/boss/run "$grapnel" fleet approve --follow --json >/dev/null 2>&1 &
approver=$!
wait_for 'ann did not hear of the approver' compgen -G "$scratch/ann/run/grapnel/asks/listeners/fleet-*"
publishes ann >"$scratch/answer" &
asking=$!
wait_for 'nobody heard the question' question
at boss "$grapnel" fleet approve | sed "s|$scratch|~|g; s/^/  /"
at boss "$grapnel" fleet approve "$(question)" --once --yes | sed 's/^/  boss: /'
wait "$asking" || unexpected 'the call was not allowed'
[[ $(cat "$scratch/answer") != *'"deny"'* ]] || unexpected 'the call was not allowed'
at ann "$grapnel" why last | sed -n 's/^person/  ann: person/p'
kill "$approver"
wait "$approver" 2>/dev/null || true
approver=

say 'The server is killed. Policies hold as before, and records wait on their machines.'
kill -9 "$(cat "$scratch/office/.config/grapnel/fleet/server/nats.pid")"
for _ in 1 2 3; do
  [[ $(calls ann 'git push --force' || true) == *'"deny"'* ]] || unexpected 'a decision changed without the server'
done
at ann "$grapnel" fleet flush --wait 1s | sed 's/^/  ann: /' || true

reports bob 'npm publish'
echo '  bob: a hook is wanted on a worker; only the journal of bob has it now'

say 'It comes back, and nothing is missing.'
at office "$grapnel" fleet up >/dev/null
for machine in ann bob ci; do at "$machine" "$grapnel" fleet flush --wait 60s >/dev/null || unexpected "$machine could not send"; done
at office "$grapnel" fleet log --verdict deny | sed 's/^/  /'
written=$(cat "$scratch"/{ann,bob,ci}/.local/state/grapnel/records.jsonl | wc -l)
stored=$(at office "$grapnel" fleet status --json | jq .records)
[[ $written == "$stored" ]] || unexpected "$written records were written and $stored are stored"
echo "  $written records were written on three machines, and the central store has $stored."

say 'A worker runs what bob wanted before, with a key that says which job it is.'
at crew "$grapnel" fleet join "$(at office "$grapnel" fleet token --role worker --name crew)" >/dev/null
HOME=$scratch/crew XDG_RUNTIME_DIR=$scratch/crew/run LEDGER=$scratch/ledger "$grapnel" fleet worker >/dev/null 2>&1 &
worker=$!
wait_for 'the job did not run' test -s "$scratch/ledger"
sed 's/^/  /' "$scratch/ledger"
at office "$grapnel" fleet dead | sed 's/^/  /'

say 'A stolen machine is cut off, and the policy goes with those who leave.'
at office "$grapnel" fleet revoke "$(at bob "$grapnel" fleet status --json | jq -r .machine)" | sed 's/^/  /'
at ci "$grapnel" fleet leave --yes | sed 's/^/  /'
[[ $(calls ci 'git push --force' || true) != *'"deny"'* ]] || unexpected 'the policy stayed after leaving'
say 'All of this was looked up just now. The servers end, and the temporary homes are removed.'
