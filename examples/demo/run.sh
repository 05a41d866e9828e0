#!/bin/sh
# Plays a session of an agent step by step. The model's answers are recorded; its tools and the hooks are real.
# It works in a copy of project/ with its own home directory, and fails unless the result is as expected.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
grapnel=${GRAPNEL:-$here/../../build/grapnel}
agent=$(dirname "$(readlink -f "$grapnel")")/../examples/example_demo
if [ ! -x "$grapnel" ] || [ ! -x "$agent" ]; then
  echo "the demo is not built yet; run \`make demo\`" >&2
  exit 1
fi

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cp -RL "$here/project" "$scratch/party"
cd "$scratch/party"
export HOME="$scratch" XDG_STATE_HOME="$scratch/state" XDG_CONFIG_HOME="$scratch/config" XDG_RUNTIME_DIR="$scratch"
export LC_ALL=C
unset GRAPNEL_DISABLE GRAPNEL_TIMEOUT GRAPNEL_CONFIG GEMINI_CLI_HOME

unexpected() {
  printf '\nThis was not expected: %s.\n' "$1" >&2
  exit 1
}

cat <<'END'
Hooks are what people attach to an AI agent: they watch it, correct it, stop it. Every agent has its own format for them.
Here is a guest list with hooks in four formats, and an agent that runs them all, plus two functions of its own. The
model's words are recorded; hooks, tools and files are real. A project's hooks run only after you have trusted them:

  $ grapnel trust --yes                  (in short)
END
"$grapnel" trust --yes > "$scratch/trusted"
awk '/^[^ ]+  not trusted/ { name = $1 } $1 == "source" { printf "  %-19s %s\n", name, $2 }' "$scratch/trusted"
tail -n 1 "$scratch/trusted" | sed "s|$scratch|~|; s/\. .*/./; s/^/  /"

! ./check >/dev/null || unexpected 'the check passes before the work is done'
"$agent" "$here/session.replay" 'Invite Ann, Carl and Zoe.' || unexpected 'the session failed'

[ -d hooks ] || unexpected 'the dangerous command ran'
[ ! -e .env ] || unexpected 'a secret was written'
sort -c guests.list || unexpected 'the list was not formatted'
./check || unexpected 'the agent stopped before the check passed'
guests=$(paste -s -d ' ' guests.list)
[ "$guests" = 'Ann Bob Carl Dora Zoe' ] || unexpected "the guests are $guests"

cat <<END

It is all true, and was looked up just now: every file is still there, no .env was written, ./check passes, and
guests.list reads: $guests

Where to look next
  examples/demo              the project, its hooks, and the program that told this
  docs/writing-hooks.md      which event, which answer, seven hooks to start from
  docs/agent.md              the agent: models, tools, permissions, conversations
  docs/embedding.md          hooks in a program of yours
  README.md, docs/README.md  everything else
and what to try
  build/grapnel agent hello                              an agent to play with; needs no key
  build/grapnel list --project examples/demo/project     which hooks there are, when they run, and from where
  build/grapnel check examples/demo/project/broken.json  mistakes are found before they matter
END
