# Adds context to every prompt.
echo '{"hookSpecificOutput": {"additionalContext": "House rules: small commits, tests first."}}'
