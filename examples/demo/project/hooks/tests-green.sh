# A gate: the agent may not stop while the tests are red.
if [ ! -e tests-are-green ]; then
  echo 'the tests are red; fix them first' >&2
  exit 2
fi
