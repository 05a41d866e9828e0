# Changes the input of the tool, so that a script cannot run for ever.
jq -c '.tool_input.command
       | select(startswith("./"))
       | {hookSpecificOutput: {tool_input: {command: ("timeout 60 " + .)}}}'
