# Blocks in JSON: a text that looks like a secret does not get into a file.
jq -c 'if .tool_input | tostring | test("(key|token|password) *="; "i")
       then {decision: "deny", reason: "secrets are kept by people, not in files"}
       else empty end'
