# The image rhumbatron/app:local of docker-compose.yml: web, sandboxd and docker-proxy, built from this checkout.
# A file extra-ca.crt at the top of the checkout, if there is one, holds certificates that npm trusts while it installs.
ARG NODE_IMAGE=node:20-bookworm-slim
FROM ${NODE_IMAGE}
WORKDIR /app
ENV NEXT_TELEMETRY_DISABLED=1 CHECKPOINT_DISABLE=1
COPY package.json package-lock.json .npmrc extra-ca.crt* ./
RUN if [ -f extra-ca.crt ]; then export NODE_EXTRA_CA_CERTS=/app/extra-ca.crt; fi && npm ci --include=dev
COPY . .
RUN npm run build && chmod -R a+rX /app
ENV NODE_ENV=production
ENTRYPOINT ["node"]
