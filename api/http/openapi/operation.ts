import type { TSchema } from 'typebox';
import { scopes } from '../../../domain/kernel/scopes.js';
import { sessionCookieName } from '../../auth/session-cookie.js';
import type { Access } from '../access.js';
import type { Route } from '../define-route.js';
import type { OpenApiOperation } from '../openapi.js';
import { idempotencyKeyParameter } from '../pipeline/idempotency.js';
import { type EventSchemas, StreamFailure } from '../streams/event-stream.js';
import { filePart } from '../uploads/read-multipart.js';
import type { NamedSchemas } from '../validation/named-schemas.js';
import { requestBodySchema } from '../validation/validation.js';
import { problems } from './problems.js';

/** Describes a route as an OpenAPI operation. */
export function operation(route: Route, components: NamedSchemas): OpenApiOperation {
  const parameters = [
    ...parametersOf(route.params, 'path', components),
    ...(route.query === undefined ? [] : parametersOf(route.query, 'query', components)),
    ...(route.idempotent ? [idempotencyKeyParameter] : []),
    ...(route.response.events === undefined ? [] : [lastEventIdParameter]),
  ];
  const told = [route.description, needs(route.access)].filter((text) => text !== undefined).join('\n\n');
  return {
    operationId: route.operationId,
    tags: [route.tag],
    summary: route.summary,
    ...(told === '' ? {} : { description: told }),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(route.body === undefined ? {} : { requestBody: requestBody(route, route.body, components) }),
    responses: { [route.response.status]: success(route, components), ...problems(route) },
    security: security(route.access),
  };
}

function parametersOf(schema: TSchema, place: 'path' | 'query', components: NamedSchemas): object[] {
  const { properties, required = [] } = schema as {
    properties: Record<string, TSchema>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, property]) => {
    const { description: text, ...rest } = components.refer(property) as {
      description?: string;
      default?: unknown;
    };
    return {
      name,
      in: place,
      // A parameter with a default is optional.
      required: place === 'path' || (required.includes(name) && rest.default === undefined),
      ...(text === undefined ? {} : { description: text }),
      schema: rest,
    };
  });
}

const mediaTypes = {
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
  multipart: 'multipart/form-data',
} as const;

function requestBody(route: Route, body: TSchema, components: NamedSchemas): object {
  const schema = withFile(route, requestBodySchema(route, body));
  const { required = [] } = schema as { required?: string[] };
  return {
    required: required.length > 0,
    content: { [mediaTypes[route.consumes]]: { schema: components.refer(schema) } },
  };
}

/** Adds the file to the schema of the fields (https://spec.openapis.org/oas/v3.1.1#considerations-for-file-uploads). */
function withFile({ file }: Route, fields: TSchema): TSchema {
  if (file === undefined) return fields;
  const { properties, required = [] } = fields as { properties?: object; required?: string[] };
  const part = { description: file.description, contentMediaType: 'application/octet-stream' };
  return {
    ...fields,
    properties: { [filePart]: part, ...properties },
    required: [filePart, ...required],
  } as TSchema;
}

function success({ response }: Route, components: NamedSchemas): object {
  if (response.events !== undefined) {
    const content = { 'text/event-stream': { schema: eventSchema(response.events, components) } };
    return { description: response.description, content };
  }
  if (response.stream === 'text/csv') {
    const content = { 'text/csv': { schema: { type: 'string' } } };
    return { description: response.description, content };
  }
  if (response.stream !== undefined) {
    const oneOf = [response.schema, StreamFailure].map((line) => components.refer(line));
    return { description: response.description, content: { [response.stream]: { schema: { oneOf } } } };
  }
  if (response.status === 204) return { description: response.description ?? 'Done, without content.' };
  const content = {
    [response.contentType ?? 'application/json']: { schema: components.refer(response.schema) },
  };
  return { description: response.description ?? (response.status === 201 ? 'Created.' : 'Done.'), content };
}

const lastEventIdParameter = {
  name: 'Last-Event-ID',
  in: 'header',
  required: false,
  description:
    'For a client that reconnects: the id of the last event it received. The stream continues after that event.',
  schema: { type: 'string', maxLength: 100 },
};

/** One event of a stream, by its fields; `data` is JSON in one line. */
function eventSchema(events: EventSchemas, components: NamedSchemas): object {
  const oneOf = Object.entries(events).map(([name, schema]) => ({
    type: 'object',
    properties: {
      id: { type: 'string', description: 'If present, the stream can be resumed after this event' },
      event: { type: 'string', const: name },
      data: components.refer(schema),
    },
    required: ['event', 'data'],
  }));
  return { oneOf };
}

/** The ways in which callers authenticate. */
export const securitySchemes = {
  apiKey: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'wes_…',
    description: 'An API key. Each operation names the scope that the key must have.',
    'x-scopes': scopes,
  },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: sessionCookieName,
    description:
      'A session, begun with `POST /sessions`. It has the permissions of its member. A write with the session cookie must come from a page of this service: `Origin` or `Sec-Fetch-Site` must say so (otherwise 403 `origin_not_allowed`). If `Authorization` is sent as well, it takes precedence.',
  },
  carrierSignature: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Twilio-Signature',
    description: "The telephony carrier's signature over the URL and all form fields.",
  },
};

/** The security schemes that an operation accepts. */
function security({ kind, scope }: Access<unknown>): Record<string, string[]>[] {
  const key = { apiKey: scope === undefined ? [] : [scope] };
  const session = { session: [] };
  const byKind = {
    public: [],
    visitor: [],
    optional: [{}, key, session],
    account: [key, session],
    session: [session],
    member: [key, session],
    carrier: [{ carrierSignature: [] }],
  };
  return byKind[kind];
}

/** Describes the scope and permission that a caller needs. */
function needs({ scope, permission }: Access<unknown>): string | undefined {
  if (scope === undefined) return undefined;
  const role = permission === undefined ? '' : `, and the permission \`${permission}\` in the member's role`;
  return `Needs the scope \`${scope}\` on the credential${role}.`;
}
