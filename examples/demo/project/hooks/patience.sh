# Rewrites a command so that it cannot run for ever.
command=$(sed -n 's/.*"command": *"\([^"]*\)".*/\1/p')
echo "{\"hookSpecificOutput\": {\"updatedInput\": {\"command\": \"timeout 600 $command\"}}}"
