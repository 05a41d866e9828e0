#!/bin/sh
# Installs Grapnel for you alone, or takes it away again. It needs no root and nothing but a POSIX shell.
#   ./install.sh [--prefix DIR]              installs into DIR (~/.local)
#   ./install.sh --uninstall [--prefix DIR]  removes what it installed, and nothing else
# A list of the installed files is kept in DIR/share/grapnel/installed-files; beside it is a copy of this script.
set -eu

fail() {
  echo "install.sh: $*" >&2
  exit 1
}

usage() {
  sed -n 's/^#   //p' "$0"
}

# make_directory DIR: makes it, and notes each directory that was not there.
make_directory() {
  [ -d "$1" ] && return 0
  make_directory "$(dirname "$1")"
  mkdir "$1" || fail "cannot make $1; name another place with --prefix DIR"
  echo "directory $1" >>"$list.new"
}

# put FILE TARGET: replaces the target in one step, so that a running grapnel is not disturbed.
put() {
  make_directory "$(dirname "$2")"
  cp -p "$1" "$2.new$$" && mv -f "$2.new$$" "$2" || fail "cannot write $2"
  echo "file $2" >>"$list.new"
}

install_all() {
  [ -x "$here/bin/grapnel-engine" ] || fail "bin/ is missing beside this script; unpack the whole archive, then run it there"
  "$here/bin/grapnel-engine" --version >/dev/null 2>&1 || fail "these programs do not run on this machine ($(uname -sm)); take the archive for it"
  list=$(mktemp "${TMPDIR:-/tmp}/grapnel.XXXXXX")
  : >"$list.new"
  make_directory "$prefix/share/grapnel"
  (cd "$here" && find bin share -type f | sort) >"$list"
  while IFS= read -r file; do put "$here/$file" "$prefix/$file"; done <"$list"
  put "$here/install.sh" "$prefix/share/grapnel/install.sh"
  echo "file $kept" >>"$list.new"
  # What an earlier version installed and this one does not have goes away; directories it made stay noted.
  if [ -f "$kept" ]; then
    while IFS= read -r line; do
      if grep -qxF "$line" "$list.new"; then continue; fi
      case $line in
        "file "*) rm -f "${line#file }" ;;
        "directory "*) echo "$line" >>"$list.new" ;;
      esac
    done <"$kept"
  fi
  mv "$list.new" "$kept"
  rm -f "$list"

  echo "Installed $("$prefix/bin/grapnel" --version) into $prefix:"
  echo "  programs     $(cd "$here/bin" && echo *) in $prefix/bin"
  echo "  man page     $prefix/share/man/man1/grapnel.1"
  echo "  completions  bash, zsh and fish, below $prefix/share"
  echo "  to remove    $prefix/share/grapnel/install.sh --uninstall$prefix_words"
  case ":$PATH:" in
    *":$prefix/bin:"*) ;;
    *) echo "$prefix/bin is not in your PATH. Add to your shell's start file:  export PATH=\"$prefix/bin:\$PATH\"" ;;
  esac
  echo "zsh finds the completion if its start file says, before compinit:  fpath=($prefix/share/zsh/site-functions \$fpath)"
  echo "Next: 'grapnel init' in a project, or 'grapnel install claude'."
}

# The agents whose settings call the program that is about to go.
still_called_by() {
  record=${XDG_STATE_HOME:-$HOME/.local/state}/grapnel/bridge/installed.json
  [ -f "$record" ] || return 0
  tr ',{' '\n\n' <"$record" | sed -n 's/.*"agent" *: *"\([a-z-]*\)".*/\1/p' | sort -u
}

uninstall_all() {
  [ -f "$kept" ] || fail "nothing of Grapnel was installed into $prefix by this script (there is no $kept)"
  for agent in $(still_called_by); do
    echo "$agent still calls grapnel. Before you remove it, run: grapnel uninstall $agent --yes" >&2
    called=yes
  done
  [ -z "${called-}" ] || fail "nothing was removed"
  removed=0
  work=$(mktemp "${TMPDIR:-/tmp}/grapnel.XXXXXX")
  cp "$kept" "$work"
  while IFS= read -r line; do
    case $line in "file "*) rm -f "${line#file }" && removed=$((removed + 1)) ;; esac
  done <"$work"
  # The innermost directory first; one that holds something of somebody else stays.
  sed -n 's/^directory //p' "$work" | sort -r | while IFS= read -r directory; do rmdir "$directory" 2>/dev/null || true; done
  rm -f "$work"
  echo "Removed Grapnel from $prefix ($removed files)."
  state=${XDG_STATE_HOME:-$HOME/.local/state}/grapnel
  if [ -d "$state" ]; then
    echo "Your records, trust and switches are kept in $state; your rules in ~/.config/grapnel and ~/.agents."
    echo "To remove the records as well: rm -r '$state'"
  fi
}

[ -n "${HOME-}" ] || fail "HOME is not set; say where with --prefix DIR"
here=$(cd "$(dirname "$0")" && pwd)
prefix=$HOME/.local
prefix_words=
action=install_all
while [ $# -gt 0 ]; do
  case $1 in
    --prefix) [ $# -ge 2 ] || fail "--prefix needs a directory"; prefix=$2; shift ;;
    --prefix=*) prefix=${1#--prefix=} ;;
    --uninstall) action=uninstall_all ;;
    -h | --help) usage; exit 0 ;;
    *) usage >&2; fail "unknown word: $1" ;;
  esac
  shift
done
case $prefix in
  /*) ;;
  *) prefix=$(pwd)/$prefix ;;
esac
prefix=${prefix%/}
[ "$prefix" = "$HOME/.local" ] || prefix_words=" --prefix $prefix"
kept=$prefix/share/grapnel/installed-files
$action
