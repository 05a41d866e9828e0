# Adds context when a session starts.
jq -nc '{hookSpecificOutput: {hookEventName: "SessionStart", additionalContext: "House rule: a guest list is done when ./check says so."}}'
