# Blocks: status 2 does, and standard error is the reason. The matcher in the settings has found the command already.
echo 'name the files you want to remove' >&2
exit 2
