#!/bin/sh
set -eu
file=$(jq -r '.tool_input.path')
[ -f "$file" ] || exit 0
sort -c -- "$file" 2>/dev/null && exit 0
sort -o "$file" -- "$file"
jq -nc --arg file "$file" '{additional_context: ($file + " was sorted; read it again before you edit it.")}'
