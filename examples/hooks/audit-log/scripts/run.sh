#!/bin/sh
log=${XDG_STATE_HOME:-$HOME/.local/state}/agent-audit.jsonl
mkdir -p "$(dirname "$log")"
line=$(jq -c '{timestamp, session_id, tool_name, tool_input}') && printf '%s\n' "$line" >> "$log"
