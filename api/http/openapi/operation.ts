import type { TObject, TSchema } from 'typebox';
import { alsoOpenedBy, type Scope, scopes } from '../../../domain/kernel/scopes.js';
import { sessionCookieName } from '../../auth/session-cookie.js';
import type { Access } from '../access.js';
import { pathParameterExamples } from '../demo.js';
import { etagHeader, ifMatchParameter, ifNoneMatchParameter } from '../pipeline/conditional.js';
import { idempotencyKeyParameter } from '../pipeline/idempotency.js';
import type { Route } from '../route.js';
import { type EventSchemas, StreamFailure } from '../streams/event-stream.js';
import { filePart } from '../uploads/receive-form.js';
import type { NamedSchemas } from '../validation/named-schemas.js';
import { requestBodySchema } from '../validation/validation.js';
import type { OpenApiOperation } from './document.js';
import { fileAnswer, fileParameters, otherFileAnswers } from './file-answers.js';
import { parameterMeanings } from './meanings/parameters.js';
import { problems } from './problems.js';

export function operation(route: Route, components: NamedSchemas): OpenApiOperation {
  const parameters = [
    ...parametersOf(route, 'path', components),
    ...parametersOf(route, 'query', components),
    ...(route.idempotent === false ? [] : [idempotencyKeyParameter]),
    ...(route.etag ? [ifNoneMatchParameter] : []),
    ...(route.response.file === undefined ? [] : fileParameters),
    ...(route.ifMatch === undefined ? [] : [ifMatchParameter]),
    ...(route.response.events === undefined ? [] : [lastEventIdParameter]),
  ];
  const told = [route.description, needs(route.access), onceOnly(route)]
    .filter((text) => text !== undefined)
    .join('\n\n');
  return {
    operationId: route.operationId,
    tags: [route.tag],
    summary: route.summary,
    ...(told === '' ? {} : { description: told }),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...requestBodyOf(route, components),
    responses: {
      [route.response.status]: success(route, components),
      ...(route.etag
        ? { 304: { description: 'Nothing has changed since the ETag.', headers: etagHeader } }
        : {}),
      ...(route.response.file === undefined ? {} : otherFileAnswers),
      ...problems(route),
    },
    security: security(route.access),
  };
}

function parametersOf(route: Route, place: 'path' | 'query', components: NamedSchemas): object[] {
  const declared = place === 'path' ? route.params : route.query;
  if (declared === undefined) return [];
  const examples = parameterExamples(route, place);
  const { properties, required = [] } = declared as Pick<TObject, 'properties'> & { required?: string[] };
  return Object.entries(properties).map(([name, property]) => {
    const schema: { description?: string; default?: unknown } = components.refer(property);
    const { description = parameterMeanings[name], ...rest } = schema;
    // A parameter with a default is optional.
    const isRequired = place === 'path' || (required.includes(name) && rest.default === undefined);
    const example = examples[name];
    return {
      name,
      in: place,
      required: isRequired,
      ...(description && { description }),
      ...(example === undefined ? {} : { example }),
      schema: rest,
    };
  });
}

/** The values of the parameters with which the operation works on the demo workspace. */
function parameterExamples({ example }: Route, place: 'path' | 'query'): Readonly<Record<string, unknown>> {
  return place === 'query' ? (example?.query ?? {}) : { ...pathParameterExamples, ...example?.params };
}

const mediaTypes = {
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
  multipart: 'multipart/form-data',
  mail: 'message/rfc822',
  anything: '*/*',
} as const;

function requestBodyOf(route: Route, components: NamedSchemas): { requestBody?: object } {
  if (route.consumes === 'mail') return { requestBody: wholeFile(route) };
  return route.body === undefined ? {} : { requestBody: requestBody(route, route.body, components) };
}

function requestBody(route: Route, body: TSchema, components: NamedSchemas): object {
  const schema = nameOfItsOwn(route, 'Request', withFile(route, requestBodySchema(route, body)));
  const { required = [] } = schema as { required?: string[] };
  const example = bodyExample(route);
  return {
    required: required.length > 0,
    content: {
      [mediaTypes[route.consumes]]: { schema: components.refer(schema), ...(example && { example }) },
    },
  };
}

/** A body that is a file. */
function wholeFile({ file, example }: Route): object {
  const schema = { type: 'string', format: 'binary', description: file?.description };
  return { required: true, content: { [mediaTypes.mail]: { schema, example: example?.file } } };
}

function bodyExample({ example }: Route): object | undefined {
  return example?.file === undefined ? example?.body : { [filePart]: example.file, ...example.body };
}

/** Names the schema after the operation, unless it has a name or is a reference: generated code then has readable types. */
export function nameOfItsOwn(
  { operationId }: Route,
  kind: 'Request' | 'Response' | 'Line',
  schema: TSchema,
): TSchema {
  if ('$id' in schema || '$ref' in schema) return schema;
  return { ...schema, $id: operationId.charAt(0).toUpperCase() + operationId.slice(1) + kind } as TSchema;
}

/** Adds the file to the schema of the fields (https://spec.openapis.org/oas/v3.1.1#considerations-for-file-uploads). */
function withFile({ file }: Route, fields: TSchema): TSchema {
  if (file === undefined) return fields;
  const { properties, required = [] } = fields as { properties?: object; required?: string[] };
  // Generators of clients know this form; `contentMediaType` alone, as of OpenAPI 3.1, gives them no type.
  const part = { type: 'string', format: 'binary', description: file.description };
  return {
    ...fields,
    properties: { [filePart]: part, ...properties },
    required: [filePart, ...required],
  } as TSchema;
}

function success(route: Route, components: NamedSchemas): object {
  const { response, etag } = route;
  const of = (mediaType: string, schema: object, otherwise = '') => {
    return { description: response.description ?? otherwise, content: { [mediaType]: { schema } } };
  };
  if (response.events !== undefined) return of('text/event-stream', eventSchema(response.events, components));
  if (response.stream === 'text/csv') return of('text/csv', { type: 'string' });
  if (response.stream !== undefined) {
    const lines = { oneOf: [response.schema, StreamFailure] } as TSchema;
    return of(response.stream, components.refer(nameOfItsOwn(route, 'Line', lines)));
  }
  if (response.file !== undefined) return fileAnswer(response.description);
  if (response.redirect !== undefined) return { description: response.description, headers: locationHeader };
  if (response.status === 204) return { description: response.description ?? 'Done, without content.' };
  const otherwise = response.status === 201 ? 'Created.' : 'Done.';
  const schema =
    response.contentType === undefined ? nameOfItsOwn(route, 'Response', response.schema) : response.schema;
  const told = of(response.contentType ?? 'application/json', components.refer(schema), otherwise);
  return etag ? { ...told, headers: etagHeader } : told;
}

const locationHeader = {
  Location: { description: 'Where the browser goes', schema: { type: 'string', format: 'uri' } },
};

const lastEventIdParameter = {
  name: 'Last-Event-ID',
  in: 'header',
  required: false,
  description:
    'For a client that reconnects: the id of the last event it received. The stream continues after that event.',
  schema: { type: 'string', maxLength: 100 },
};

function eventSchema(events: EventSchemas, components: NamedSchemas): object {
  const oneOf = Object.entries(events).map(([name, schema]) => ({
    type: 'object',
    properties: {
      id: { type: 'string', description: 'If present, the stream can be resumed after this event' },
      event: { type: 'string', const: name, description: 'The name of the event' },
      data: { ...components.refer(schema), description: (schema as { description?: string }).description },
    },
    required: ['event', 'data'],
  }));
  return { oneOf };
}

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
      'A session, begun with `POST /sessions`. It has the permissions of its member. A write with the session cookie must come from a page of this service: `Origin` or `Sec-Fetch-Site` must say so (otherwise 403 `origin_not_allowed`). If `Authorization` is sent as well, it takes precedence. A workspace that is entered by an identity provider only needs the cookie `__Host-wes_org_session` of that sign-in too (otherwise 403 `sso_required`).',
  },
  visitorToken: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'wvt_…',
    description:
      'The token of a visitor of one public site, made by `POST /s/{workspace_uuid}/{site_uuid}/visitors`. It is good for the chat of this visitor only.',
  },
  carrierSignature: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Twilio-Signature',
    description: "The telephony carrier's signature over the URL and all form fields.",
  },
  inboxSecret: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Inbox-Secret',
    description: 'The secret of the inbox, which whoever hands mail in to it knows.',
  },
  inboxSignature: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Webhook-Signature',
    description:
      'Instead of the secret: `t=<seconds since 1970>,v1=<signature>`. The signature is the HMAC-SHA256 of `<seconds>.<body>` in hexadecimal, with the secret of the inbox as its key, as in the webhooks that the service sends. It is valid for five minutes.',
  },
};

function security({ kind, scope }: Access<unknown>): Record<string, string[]>[] {
  const keys = namesOf(scope).map((name) => ({ apiKey: [name] }));
  const key = scope === undefined ? [{ apiKey: [] }] : keys;
  const session = { session: [] };
  const byKind = {
    public: [],
    visitor: [],
    'site-visitor': [{ visitorToken: [] }],
    optional: [{}, ...key, session],
    account: [...key, session],
    session: [session],
    member: [...key, session],
    carrier: [{ carrierSignature: [] }],
    inbox: [{ inboxSecret: [] }, { inboxSignature: [] }],
  };
  return byKind[kind];
}

function needs({ scope, permission }: Access<unknown>): string | undefined {
  if (scope === undefined) return undefined;
  const role = permission === undefined ? '' : `, and the permission \`${permission}\` in the member's role`;
  const names = namesOf(scope).map((name) => `\`${name}\``);
  return `Needs the scope ${names.join(' or ')} on the credential${role}.`;
}

/** A scope, and the one that opens the same. */
function namesOf(scope: Scope | undefined): Scope[] {
  if (scope === undefined) return [];
  return [scope, alsoOpenedBy[scope]].filter((name) => name !== undefined);
}

function onceOnly({ example }: Route): string | undefined {
  return example?.once === true ? 'The example works once in a fresh demo workspace.' : undefined;
}
