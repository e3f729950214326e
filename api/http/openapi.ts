import type { Route } from './define-route.js';
import { description } from './openapi/description.js';
import { operation } from './openapi/operation.js';
import { problemResponses, referredStatuses } from './openapi/problems.js';
import { securitySchemes } from './openapi/security.js';
import type { OpenApiDocument, OpenApiOperation } from './openapi/types.js';
import { webhooks } from './openapi/webhooks.js';
import { Problem } from './schemas.js';
import { type Tag, tags } from './tags.js';
import { NamedSchemas } from './validation/named-schemas.js';

export type { OpenApiDocument, OpenApiOperation } from './openapi/types.js';

/**
 * Builds the OpenAPI document from the routes and the schemas of events, so that it cannot deviate from what the
 * service accepts, returns and sends.
 */
export function openApiDocument(routes: readonly Route[]): OpenApiDocument {
  const components = new NamedSchemas('#/components/schemas/', { collectAll: true });
  const problem = components.refer(Problem);
  // Answers come first: where a request and an answer use the same part, the answer's schema keeps the plain name.
  for (const { response } of routes) {
    if (response.schema !== undefined) components.refer(response.schema);
    for (const schema of Object.values(response.events ?? {})) components.refer(schema);
  }
  const paths: OpenApiDocument['paths'] = {};
  for (const route of routes) {
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operation(route, components) };
  }
  const told = webhooks(components);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Workspace Engagement Service',
      version: '2.0.0',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      description,
    },
    servers: [{ url: '/api/v2' }],
    tags: tagsOf([...Object.values(paths), ...Object.values(told)]),
    paths,
    webhooks: told,
    components: {
      schemas: components.schemas,
      responses: problemResponses(problem, referredStatuses(paths)),
      securitySchemes,
    },
  };
}

function tagsOf(operations: readonly Record<string, OpenApiOperation>[]): OpenApiDocument['tags'] {
  const used = new Set(operations.flatMap((methods) => Object.values(methods).flatMap((one) => one.tags)));
  return (Object.keys(tags) as Tag[])
    .filter((name) => used.has(name))
    .map((name) => ({ name, description: tags[name] }));
}
