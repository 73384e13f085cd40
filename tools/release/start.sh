#!/bin/sh
# The commands of archives and packages, one copy each: `bin/parca` runs `cmd/parca/main.js`, also
# through symbolic links, with the Node that came with it.
self=$(readlink -f -- "$0")
at=$(dirname -- "$self")/..
# Compiled code must not be written to where the program is installed.
: "${NODE_COMPILE_CACHE:=${XDG_CACHE_HOME:-${HOME:-/nonexistent}/.cache}/parca-ts}"
export NODE_COMPILE_CACHE
exec "$at/runtime/node" "$at/cmd/$(basename -- "$self")/main.js" "$@"
