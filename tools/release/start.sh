#!/bin/sh
# Commands of archives and packages, one copy for each: `bin/parca` runs `cmd/parca/main.js`, even
# through symbolic links, with the Node in the package.
self=$(readlink -f -- "$0")
at=$(dirname -- "$self")/..
# Compiled code must not be written to the folder in which the program is installed.
: "${NODE_COMPILE_CACHE:=${XDG_CACHE_HOME:-${HOME:-/nonexistent}/.cache}/parca-ts}"
export NODE_COMPILE_CACHE
exec "$at/runtime/node" "$at/cmd/$(basename -- "$self")/main.js" "$@"
