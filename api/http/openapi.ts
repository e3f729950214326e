import type { TSchema } from 'typebox';
import { scopes } from '../../domain/scopes.js';
import { sessionCookieName } from '../auth/session-cookie.js';
import type { Access } from './access.js';
import type { Route } from './define-route.js';
import type { EventSchemas } from './event-stream.js';
import { idempotencyKeyParameter } from './idempotency.js';
import { NamedSchemas } from './named-schemas.js';
import { parameterNames } from './path-parameters.js';
import { isLimited } from './rate-limits/admit.js';
import { Problem } from './schemas.js';
import { StreamFailure } from './streams/stream-declaration.js';
import { type Tag, tags } from './tags.js';
import { filePart } from './uploads/read-multipart.js';
import { requestBodySchema } from './validation.js';

/** An OpenAPI 3.1 document, as far as we look into it. */
export interface OpenApiDocument {
  openapi: string;
  info: object;
  servers: object[];
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, OpenApiOperation>>;
  components: Record<'schemas' | 'responses' | 'securitySchemes', Record<string, object>>;
}

export interface OpenApiOperation {
  operationId: string;
  tags: string[];
  summary: string;
  description?: string;
  parameters?: object[];
  requestBody?: object;
  responses: Record<string, object>;
  security: Record<string, string[]>[];
}

/** The document of the service, out of its routes: it cannot be out of step with them. */
export function openApiDocument(routes: readonly Route[]): OpenApiDocument {
  const components = new NamedSchemas('#/components/schemas/', { collectAll: true });
  const problem = components.refer(Problem);
  // Answers first: where a request has a part of theirs, the plain name is the answer's.
  for (const { response } of routes) {
    if (response.schema !== undefined) components.refer(response.schema);
    for (const schema of Object.values(response.events ?? {})) components.refer(schema);
  }
  const paths: OpenApiDocument['paths'] = {};
  for (const route of routes) {
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operation(route, components) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Workspace Engagement Service',
      version: '2.0.0',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      description,
    },
    servers: [{ url: '/api/v2' }],
    tags: tagsOf(routes),
    paths,
    components: {
      schemas: components.schemas,
      responses: problemResponses(problem, referredStatuses(paths)),
      securitySchemes,
    },
  };
}

const statuses: Record<number, string> = {
  400: 'A field, a parameter or a combination of them is not acceptable; `errors` points at each.',
  401: 'Credentials are missing or not valid.',
  403: 'The credential lacks the scope, or the member the permission, that `detail` names.',
  404: 'No such thing, or not in this workspace.',
  405: 'The address exists, but not with this method; `Allow` names those it has.',
  409: 'The thing is in a state that does not allow this, or something else holds what has to be unique; or a request with the `Idempotency-Key` is under way, or its answer was not kept.',
  413: 'The body is larger than 1 MiB, or what is uploaded larger than the operation says.',
  415: 'The body is of another media type than the one named here.',
  422: 'The request is understood and cannot be done, such as another one under the same `Idempotency-Key`.',
  429: 'Too many requests, or refused credentials; `Retry-After` tells when to try again.',
  500: 'The database cannot be reached (`database_unavailable`, with `Retry-After`), or something failed on our side.',
  503: 'What has to answer now cannot be reached; `Retry-After` tells when to try again.',
};

const keyConflicts = 'Or a request with the `Idempotency-Key` is under way, or its answer was not kept.';
const problemType = 'application/problem+json';

const scopeTable = Object.entries(scopes)
  .map(([scope, meaning]) => `| \`${scope}\` | ${meaning} |`)
  .join('\n');

const description = `Keeps an organisation in touch with its members over SMS, voice, web chat and email.

Errors are \`application/problem+json\` (RFC 9457) with a stable \`code\`, the \`requestId\` that is in our log as well,
and \`errors\`: a JSON pointer and a message for each field that is wrong.

Statuses beyond those of the interface specification: ${[405, 409, 413, 415, 422, 429, 503]
  .map((status) => `**${status}** ${statuses[status]}`)
  .join(' ')}

### Repeating requests

An operation that lists the header \`Idempotency-Key\` is carried out once for each key, for 24 hours, by credential
and path. Repeated, it answers as it did the first time, with \`Idempotency-Replayed: true\`; while the first is under
way 409 \`idempotency_key_in_use\`, with another body 422 \`idempotency_key_reused\`, and where the answer held a secret
or a data record that was deleted since 409 \`idempotency_answer_not_kept\`. What was refused or failed is not kept: repeated, it is tried again.

### Rate limits

\`RateLimit-Policy\` tells the quotas a request counted in (\`q\` requests in \`w\` seconds) and \`RateLimit\` what is left
of them (\`r\` requests until \`t\` seconds from now): those of the credential and of the workspace, or of the address
for callers without credentials.

### Scopes and permissions

As a scope, each cuts an API key down to what it names. As a permission, it raises a role above what members may do
with their own things.

| Name | Meaning |
|---|---|
${scopeTable}
`;

const securitySchemes = {
  apiKey: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'wes_…',
    description: 'An API key. An operation names the scope the key has to have.',
    'x-scopes': scopes,
  },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: sessionCookieName,
    description:
      'A session, begun by `POST /sessions`. It may do what its member may. Changes are made with it from pages of this service only: `Origin` or `Sec-Fetch-Site` has to say so (else 403 `origin_not_allowed`). Where `Authorization` is sent as well, that counts.',
  },
  carrierSignature: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Twilio-Signature',
    description: "The telephony carrier's signature over the address and all fields.",
  },
};

function operation(route: Route, components: NamedSchemas): OpenApiOperation {
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
      // What has a default is filled in.
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

/** The schema of the fields, and the file beside them (https://spec.openapis.org/oas/v3.1.1#considerations-for-file-uploads). */
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
  if (response.status === 204)
    return { description: response.description ?? 'Done; there is nothing to tell.' };
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
    'Of a client that comes back: the id of the last event it has seen. What came after it follows.',
  schema: { type: 'string', maxLength: 100 },
};

/** One event of a stream, as its fields; `data` is JSON in one line. */
function eventSchema(events: EventSchemas, components: NamedSchemas): object {
  const oneOf = Object.entries(events).map(([name, schema]) => ({
    type: 'object',
    properties: {
      id: { type: 'string', description: 'Where there is one, the stream can be resumed after it' },
      event: { type: 'string', const: name },
      data: components.refer(schema),
    },
    required: ['event', 'data'],
  }));
  return { oneOf };
}

/** Which errors a route can give follows from what it declares; the rest it names itself. */
function problems(route: Route): Record<string, object> {
  const { kind, scope } = route.access;
  const inPath = parameterNames(route.path);
  const possible = [
    ...(route.body !== undefined || route.query !== undefined || inPath.some(isChecked) ? [400] : []),
    ...(route.idempotent ? [409, 422] : []),
    ...(isLimited(route) ? [429] : []),
    ...(kind === 'public' || kind === 'visitor' ? [] : [401]),
    ...(scope === undefined && !['member', 'visitor', 'session'].includes(kind) ? [] : [403]),
    ...(inPath.length === 0 ? [] : [404]),
    ...(route.body === undefined ? [] : [413, 415]),
    500,
  ];
  // Everything can be asked for in a way it cannot be asked for.
  if (!possible.some((status) => status < 500)) possible.unshift(405);
  const told = possible.map((status) => [status, { $ref: `#/components/responses/${responseName(status)}` }]);
  const named = Object.entries(route.errors).map(([status, text = '']) => [
    status,
    {
      description: route.idempotent && status === '409' ? `${text} ${keyConflicts}` : text,
      content: { [problemType]: { schema: { $ref: '#/components/schemas/Problem' } } },
    },
  ]);
  return Object.fromEntries([...told, ...named]);
}

/** Whatever stands for the workspace is looked for, and not there. */
function isChecked(parameter: string): boolean {
  return parameter !== 'workspace_uuid';
}

function problemResponses(problem: object, referred: ReadonlySet<string>): Record<string, object> {
  const responses = Object.entries(statuses).map(([status, text]): [string, object] => [
    responseName(Number(status)),
    { description: text, content: { [problemType]: { schema: problem } } },
  ]);
  return Object.fromEntries(responses.filter(([name]) => referred.has(name)));
}

function referredStatuses(paths: OpenApiDocument['paths']): ReadonlySet<string> {
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  const references = operations.flatMap(({ responses }) =>
    Object.values(responses).map((response) => ('$ref' in response ? String(response.$ref) : '')),
  );
  return new Set(references.map((reference) => reference.replace('#/components/responses/', '')));
}

function tagsOf(routes: readonly Route[]): OpenApiDocument['tags'] {
  const used = new Set(routes.map(({ tag }) => tag));
  return (Object.keys(tags) as Tag[])
    .filter((name) => used.has(name))
    .map((name) => ({ name, description: tags[name] }));
}

function responseName(status: number): string {
  return `Problem${status}`;
}

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

function needs({ scope, permission }: Access<unknown>): string | undefined {
  if (scope === undefined) return undefined;
  const role = permission === undefined ? '' : `, and the permission \`${permission}\` in the member's role`;
  return `Needs the scope \`${scope}\` on the credential${role}.`;
}
