# Blocks the call: exit status 2 denies it, and standard error is the reason. The matcher in the settings has already
# checked the command.
echo 'name the files you want to remove' >&2
exit 2
