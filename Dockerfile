# syntax=docker/dockerfile:1

# The package, built as `npm pack` does it.
FROM node:24-slim AS package
WORKDIR /build
COPY package.json package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY . .
RUN npm pack --silent \
  && mkdir /package /data \
  && tar -xzf gatehouse-*.tgz -C /package --strip-components=1 --exclude=package/bin

# What it needs at run time, in the versions of the lock. The embedded PostgreSQL stays out: a
# container is given a DATABASE_URL. So does what only people and compilers read, half of the rest, but
# for licences.
FROM node:24-slim AS dependencies
WORKDIR /dependencies
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --omit=optional --ignore-scripts --no-audit --no-fund \
  && find node_modules -type f -regex '.*\.\(map\|md\|[cm]?ts\)' ! -iname 'licen*' -delete

# Node and the libraries that it needs: no shell, no package manager.
FROM gcr.io/distroless/nodejs24-debian13:nonroot
WORKDIR /srv/gatehouse
COPY --from=dependencies /dependencies/node_modules node_modules
COPY --from=package /package .
# The one folder that it may write; MCP servers keep things there.
COPY --from=package --chown=65532:65532 /data /data
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 GATEHOUSE_DATA_DIR=/data
VOLUME /data
EXPOSE 3000
# By number, so that Kubernetes can see that it is not root.
USER 65532:65532
# A node that migrates a large database answers when it is done.
HEALTHCHECK --interval=30s --timeout=10s --start-period=30m --start-interval=2s \
  CMD ["/nodejs/bin/node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["/nodejs/bin/node", "/srv/gatehouse/dist/service/src/main.js"]
CMD ["serve"]
