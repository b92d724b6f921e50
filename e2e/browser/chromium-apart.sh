#!/bin/sh
# Runs Chromium in a network of its own, in which only the stack under test answers. A sandbox that starts or goes changes
# the machine's interfaces, and Chromium breaks off every request when they change (ERR_NETWORK_CHANGED); here none change.
# What asks for any other host is refused by the kernel, whatever the page tries.
# Needs root, E2E_PORT (where the stack listens) and E2E_DOOR (the socket of forward.mjs on the other side).
set -eu
here=$(dirname "$(realpath "$0")")
if [ "${E2E_APART:-}" = inside ]; then
  # The pair of interfaces makes the browser believe that it is online; on loopback alone it says that it is not.
  ip link set lo up
  ip link add quiet0 type veth peer name quiet1
  ip addr add 192.0.2.1/24 dev quiet0
  ip link set quiet0 up
  ip link set quiet1 up
  node "$here/forward.mjs" "$E2E_PORT" "$E2E_DOOR" </dev/null >/dev/null 2>&1 3>&- 4>&- &
  exec /usr/bin/chromium "$@"
fi
E2E_APART=inside exec unshare --net "$here/chromium-apart.sh" "$@"
