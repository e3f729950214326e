# The image of every process: api (the default), worker (dist/runtime/main.js), media (dist/media/main.js), migrations. `--target simulators` has the
# simulators instead, for development.
ARG NODE_IMAGE=node:24.11.0-bookworm-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# No package runs a script of its own while the image is built.
RUN npm ci --ignore-scripts
COPY . .
# Compiles, and bundles the workflows: no process bundles at boot.
RUN npm run --silent build

FROM build AS simulators
ENV NODE_ENV=development
USER node
CMD ["node", "dist/tools/simulators/main.js", "carrier"]

FROM build AS compiled
# What is for development only stays out of the image.
RUN rm -rf dist/tools

FROM ${NODE_IMAGE} AS dependencies
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --ignore-scripts

FROM ${NODE_IMAGE}
ENV NODE_ENV=production
WORKDIR /app
COPY --from=dependencies /app/node_modules ./node_modules
COPY --from=compiled /app/dist ./dist
COPY api/http/openapi/page/assets ./api/http/openapi/page/assets
COPY api/html/account/assets ./api/html/account/assets
COPY api/html/sites/assets ./api/html/sites/assets
COPY api/widget/assets ./api/widget/assets
COPY package.json LICENSE* ./
# A volume that is mounted here belongs to the user of the processes.
RUN mkdir -p /var/lib/wes/storage && chown -R node:node /var/lib/wes
USER node
EXPOSE 3000 3002
CMD ["node", "--enable-source-maps", "--max-old-space-size=192", "--max-semi-space-size=16", "--no-allocation-site-pretenuring", "dist/api/main.js"]
