#!/bin/sh
echo 'This would destroy a whole directory or disk. Name the files, or ask a person to run it.' >&2
exit 2
