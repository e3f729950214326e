import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { openApiDocument } from '../../../api/http/openapi.js';
import { routes } from '../../../api/resources/index.js';
import { type EventType, eventTypes } from '../../../domain/events/events/event-types.js';
import { samplePayloads } from '../../../domain/events/events/sample-payloads.js';
import { webhookHeaders } from '../../../domain/events/webhooks/sign-webhook.js';

const document = openApiDocument(routes);
const types = Object.keys(eventTypes) as EventType[];
const uuid = '7f9c24e8-3b0a-4c1d-9c0e-2f6d1f6b6a55';

interface HeaderParameter {
  name: string;
  in: string;
  required: boolean;
  schema: { pattern?: string };
}

interface RequestBody {
  content: Record<'application/json', { schema: { $ref: string } }>;
}

const ajv = new Ajv2020({ strict: false });
addFormats.default(ajv);
ajv.addSchema({ $id: 'document', components: document.components });
/** The validation errors of a body under the document’s schema. */
function errorsIn(eventType: EventType, body: object): unknown {
  const requestBody = document.webhooks[eventType]?.post.requestBody as RequestBody | undefined;
  const { $ref = '' } = requestBody?.content['application/json'].schema ?? {};
  const validate = ajv.compile({ $ref: `document${$ref}` });
  validate(body);
  return validate.errors;
}

describe('the webhooks in the OpenAPI document', () => {
  it('cover exactly the event types', () => {
    expect(Object.keys(document.webhooks)).toEqual(types);
    const ids = Object.values(document.webhooks).map(({ post }) => post.operationId);
    expect(new Set(ids).size).toBe(types.length);
  });

  it.each(types)('contain the schema of %s', (eventType) => {
    const head = { id: uuid, createdAt: '2030-01-31T12:00:00.000Z', workspaceUuid: uuid };
    const body = { event: eventType, ...head, ...samplePayloads[eventType] };

    expect(errorsIn(eventType, body)).toBeNull();
    expect(errorsIn(eventType, { ...body, test: true })).toBeNull();
    for (const field of Object.keys(body)) {
      expect(errorsIn(eventType, { ...body, [field]: undefined }), field).not.toBeNull();
    }
    expect(errorsIn(eventType, { ...body, event: 'another' })).not.toBeNull();
  });

  it('describe the sent headers and their format', () => {
    const input = { eventUuid: uuid, body: '{}', at: new Date() };
    const signed = webhookHeaders({ ...input, secrets: ['whsec_c2VjcmV0', 'an older secret'] });
    const unsigned = webhookHeaders({ ...input, secrets: [] });

    for (const eventType of types) {
      const told = document.webhooks[eventType]?.post.parameters as HeaderParameter[];
      expect(told.map(({ name }) => name).sort()).toEqual(Object.keys(signed).sort());
      const always = told.filter(({ required }) => required).map(({ name }) => name);
      expect(always.sort()).toEqual(Object.keys(unsigned).sort());
      for (const { name, schema } of told) expect(signed[name]).toMatch(new RegExp(schema.pattern ?? '.'));
    }
  });

  it('describe how responses are treated', () => {
    for (const { post } of Object.values(document.webhooks)) {
      expect(Object.keys(post.responses).sort()).toEqual(['2XX', '410', 'default']);
    }
  });
});
