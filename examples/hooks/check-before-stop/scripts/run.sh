#!/bin/sh
event=$(cat)
[ -x ./check ] || exit 0
if output=$(./check 2>&1); then exit 0; fi

refusals=$(printf '%s' "$event" | jq '.block_count // 0')
if [ "$refusals" -ge 2 ]; then
  jq -nc '{log: "./check still fails after two refusals; letting it stop"}'
  exit 0
fi
printf './check fails; fix it before you stop:\n%s\n' "$output" | tail -n 20 >&2
exit 2
