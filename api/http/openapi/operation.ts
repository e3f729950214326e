import type { TSchema } from 'typebox';
import type { Route } from '../define-route.js';
import { idempotencyKeyParameter } from '../pipeline/idempotency.js';
import type { EventSchemas } from '../streams/event-stream.js';
import { StreamFailure } from '../streams/stream-declaration.js';
import { filePart } from '../uploads/read-multipart.js';
import type { NamedSchemas } from '../validation/named-schemas.js';
import { requestBodySchema } from '../validation/validation.js';
import { problems } from './problems.js';
import { needs, security } from './security.js';
import type { OpenApiOperation } from './types.js';

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
