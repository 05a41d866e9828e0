#!/bin/sh
exec jq -c '{modified_input: (.tool_input | .command |= sub("^git "; "git --no-pager "))}'
