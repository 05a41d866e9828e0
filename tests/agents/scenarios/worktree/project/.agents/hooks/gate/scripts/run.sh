#!/bin/sh
# Not by its name: a file that a hook names is part of what is trusted.
ls "$AGENT_WORK_DIR" | grep -q '^gate[.]' && exit 0
echo "The gate is not open." >&2
exit 2
