# Denies writing files that hold secrets: status 2 blocks, standard error is the reason.
if grep -q '"file_path": *"[^"]*\.env"'; then
  echo 'files with secrets are written by people' >&2
  exit 2
fi
