#!/bin/sh
# Builds and runs a program with nothing but pkg-config:  build.sh PKG_CONFIG_DIR PROGRAM OUTPUT CXX [FLAG...]
set -eu
dir=$1 program=$2 output=$3
shift 3
export PKG_CONFIG_PATH="$dir"
# shellcheck disable=SC2046
"$@" -std=c++23 $(pkg-config --cflags grapnel) -o "$output" "$program" $(pkg-config --static --libs grapnel)
HOME=$dir "$output"
