# Blocks the call with a JSON answer if the text looks like a secret.
jq -c 'if .tool_input | tostring | test("(key|token|password) *="; "i")
       then {decision: "deny", reason: "secrets are kept by people, not in files"}
       else empty end'
