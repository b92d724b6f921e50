# The image rhumbatron/service:local, in which git and egress run: the sandbox base, git, and our two bundles.
#
# Build
#   Context: a directory that holds exactly egress.js and git.js, as the build writes them to dist/ (platform node,
#   format esm, target node20, every package bundled), and, if there is one, extra-ca.crt: certificates in PEM that imports
#   trust beside the system's. egress itself speaks no TLS. A bundle needs this banner, because some packages call require:
#     import { createRequire } from "node:module"; const require = createRequire(import.meta.url);
#   docker build -f scripts/images/service.Dockerfile -t rhumbatron/service:local [--build-arg BASE=<image>] <context>
#   Never --pull. No network is needed (--network none does) when the base has git 2.39 or later and certificates.
#
# Run, both services
#   User          as set here (65532), cap-drop ALL, no cap-add, security-opt no-new-privileges, init, restart unless-stopped
#   Root          read-only, tmpfs /tmp:size=16m
#   Sysctl        net.ipv4.ip_forward=0, so that no packet passes from one sandbox network to another network
#   Limits        memory 512 MiB without swap, pids 256, nofile 16384 (egress holds two sockets a connection)
#   Network       started on the ordinary network alone; sandboxd attaches the sandbox networks afterwards. The ordinary
#                 network must be the only one with a default route: that is how a service finds its control address
#   Environment   SERVICE_PUBLIC_KEY: the public Ed25519 key as JWK JSON, without "d"
#   Ports         the control port is published on 127.0.0.1 of the host only; the port for sandboxes is not published,
#                 except git's 8080, which web reaches on 127.0.0.1 too
#   Stop          SIGTERM, ends within a second
#
#   egress        command /app/egress.js    sandboxes 3128, control 3129
#                 STATE_DIR=/var/lib/rhumbatron/egress, a named volume there (a new one takes this image's owner)
#   git           command /app/git.js       sandboxes and web 8080, control 8081
#                 REPOSITORIES_DIR=/var/lib/rhumbatron/git, a named volume there, or a directory owned by 65532:65532
ARG BASE=oven/bun:1.3.14-debian
FROM ${BASE}

USER root
COPY git.js extra-ca.crt* /tmp/image/
# The glob lets extra-ca.crt be absent; git.js is there only because a COPY needs a file that is.
# A download goes through a proxy that signs anew only when its certificate is known first.
RUN extra=/tmp/image/extra-ca.crt; bundle=/etc/ssl/certs/ca-certificates.crt; \
    if ! command -v git >/dev/null || ! [ -s "$bundle" ]; then \
      if [ -s "$extra" ] && [ -d /etc/ssl/certs ]; then cat "$extra" >> "$bundle"; fi; \
      apt-get update && apt-get install -y --no-install-recommends git ca-certificates && rm -rf /var/lib/apt/lists/* || exit 1; \
    fi; \
    update-ca-certificates >/dev/null || exit 1; \
    if [ -s "$extra" ]; then printf '\n' >> "$bundle" && cat "$extra" >> "$bundle" || exit 1; fi; \
    rm -rf /tmp/image
RUN echo 'rhumbatron:x:65532:65532::/nonexistent:/usr/sbin/nologin' >> /etc/passwd \
    && echo 'rhumbatron:x:65532:' >> /etc/group \
    && mkdir -p /app /var/lib/rhumbatron/egress /var/lib/rhumbatron/git \
    && chown 65532:65532 /var/lib/rhumbatron/egress /var/lib/rhumbatron/git \
    && chmod 0700 /var/lib/rhumbatron/egress /var/lib/rhumbatron/git
COPY egress.js git.js /app/

# bun keeps transpiled files on disk unless told otherwise; the root is read-only.
ENV BUN_RUNTIME_TRANSPILER_CACHE_PATH=0 \
    STATE_DIR=/var/lib/rhumbatron/egress \
    REPOSITORIES_DIR=/var/lib/rhumbatron/git
USER 65532:65532
WORKDIR /
ENTRYPOINT ["bun"]
