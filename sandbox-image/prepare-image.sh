# Run once while the image is built, beside an optional extra-ca.crt.
set -eu
here=$(dirname "$0")

missing=""
for pair in git:git jq:jq curl:curl nc:netcat-openbsd setpriv:util-linux ps:procps update-ca-certificates:ca-certificates; do
  command -v "${pair%%:*}" > /dev/null || missing="$missing ${pair#*:}"
done
# A download goes through a proxy that signs anew only when its certificate is known first.
if [ -n "$missing" ]; then
  if [ -s "$here/extra-ca.crt" ] && [ -d /etc/ssl/certs ]; then cat "$here/extra-ca.crt" >> /etc/ssl/certs/ca-certificates.crt; fi
  apt-get update
  apt-get install -y --no-install-recommends $missing
  rm -rf /var/lib/apt/lists/*
fi

# Trust: the system's bundle and ours, under one name that does not change.
update-ca-certificates > /dev/null
if [ -s "$here/extra-ca.crt" ]; then
  printf '\n' >> /etc/ssl/certs/ca-certificates.crt
  cat "$here/extra-ca.crt" >> /etc/ssl/certs/ca-certificates.crt
fi
ln -sf ca-certificates.crt /etc/ssl/certs/rhumbatron-ca.crt

# Nothing here gains rights by being run, and nothing of the system can be changed by a Run.
find / -xdev -type f -perm /6000 -exec chmod ug-s {} +
find / -xdev -type d -perm -0002 ! -path /tmp ! -path /var/tmp ! -path '/proc/*' -exec chmod o-w {} +
find / -xdev -type f -perm -0002 ! -path '/proc/*' -exec chmod o-w {} +
rm -rf /etc/ssl/private /etc/ssh/ssh_host_* /root/.ssh /home/* /root/.bun
command -v git-lfs > /dev/null && { echo "git-lfs is in the base" >&2; exit 1; }

install -d -o root -g root -m 0755 /workspace /opt/rhumbatron /var/lib/rhumbatron /var/lib/rhumbatron/runs
install -d -o root -g root -m 0700 /var/lib/rhumbatron/commands
chmod 1777 /tmp /var/tmp
# gVisor would put a file system in memory over an empty /tmp.
install -d -o root -g root -m 0700 /tmp/.rhumbatron
# bun puts this folder first into the PATH of every script, makes it when it is not there, and does not look whose it is.
# Made here, it is root's, and no Run can lay a program of its own before those of another.
bun_node="/tmp/bun-node-$(bun --revision | sed 's/^.*+//' | cut -c1-9)"
install -d -o root -g root -m 0755 "$bun_node"
ln -s /usr/local/bin/bun "$bun_node/node"
ln -s /usr/local/bin/bun "$bun_node/bun"
chmod 0755 / /home
chmod 0700 /root
