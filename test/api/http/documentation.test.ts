import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { apiPrefix } from '../../../api/http/app.js';
import { errorCodes } from '../../../api/http/error-codes.js';
import { openApiDocument } from '../../../api/http/openapi.js';
import { routes } from '../../../api/resources/index.js';
import { webhookHeaders } from '../../../domain/events/webhooks/sign-webhook.js';
import { type EventType, eventTypes } from '../../../domain/kernel/events/event-types.js';
import { samplePayloads } from '../../../domain/kernel/events/sample-payloads.js';
import { allScopes } from '../../../domain/kernel/scopes.js';
import { useApiOn } from '../../support/api/use-api.js';
import { noDatabase } from '../../support/db/no-database.js';

const api = useApiOn(() => noDatabase);

const document = openApiDocument(routes);
const idempotencyKey = { name: 'Idempotency-Key', in: 'header', required: false };

describe('the OpenAPI document', () => {
  it('is served as generated from the routes', async () => {
    const answer = await api.request('GET', '/openapi.json');
    expect(answer.status).toBe(200);
    expect(answer.headers.get('Content-Type')).toContain('application/json');
    expect(answer.body).toEqual(JSON.parse(JSON.stringify(document)));
  });

  it('describes parameters, responses and security of every route', () => {
    for (const route of routes) {
      const operation = document.paths[route.path]?.[route.method.toLowerCase()];
      const { operationId, tag, summary } = route;
      expect(operation).toMatchObject({ operationId, tags: [tag], summary });
      const told = Object.keys(operation?.responses ?? {});
      expect(told).toEqual(expect.arrayContaining([String(route.response.status), '500']));
      if (route.access.kind === 'member') expect(told).toEqual(expect.arrayContaining(['401', '403', '404']));
      if (route.body !== undefined) expect(told).toEqual(expect.arrayContaining(['400', '413', '415']));
      if (route.access.scope !== undefined)
        expect(operation?.security).toContainEqual({ apiKey: [route.access.scope] });
      if (route.idempotent !== true) continue;
      expect(operation?.parameters).toContainEqual(expect.objectContaining(idempotencyKey));
      expect(told).toEqual(expect.arrayContaining(['409', '422']));
    }
  });

  it('describes every scope', () => {
    for (const scope of allScopes) expect(JSON.stringify(document.info)).toContain(`\`${scope}\``);
  });

  it('contains every referenced component', () => {
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/(\w+)\/([^"]+)"/g)];
    expect(references.length).toBeGreaterThan(0);
    for (const [, kind, name] of references) {
      expect(document.components[kind as 'schemas']).toHaveProperty([name as string]);
    }
    expect(JSON.stringify(document)).not.toMatch(/"\$ref":"(?!#\/components\/)/);
  });

  it('contains only valid schemas', () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    const { schemas } = document.components;
    ajv.addSchema({ $id: 'document', components: { schemas } });
    for (const name of Object.keys(schemas)) {
      expect(() => ajv.compile({ $ref: `document#/components/schemas/${name}` })).not.toThrow();
    }
  });

  it('has only patterns that other languages can read', () => {
    // `[^]` is any character in JavaScript alone; named groups and look-behinds are written differently elsewhere.
    const patterns = [...JSON.stringify(document).matchAll(/"pattern":("(?:[^"\\]|\\.)*")/g)];
    expect(patterns.length).toBeGreaterThan(10);
    for (const [, pattern = ''] of patterns) expect(JSON.parse(pattern)).not.toMatch(/\[\^\]|\(\?<|\\u\{/);
  });

  it('names the schema of every JSON body and answer', () => {
    const unnamed = routes.flatMap((route) => {
      const operation = document.paths[route.path]?.[route.method.toLowerCase()];
      const bodies = [operation?.requestBody, operation?.responses[route.response.status]];
      return bodies.flatMap((body) => {
        const content = (body as { content?: Record<string, { schema: object }> } | undefined)?.content ?? {};
        return Object.entries(content)
          .filter(([type, { schema }]) => /json|multipart/.test(type) && !('$ref' in schema))
          .map(([type]) => `${route.operationId}: ${type}`);
      });
    });
    expect(unnamed).toEqual([]);
  });

  it('describes files as binary, which generators of clients understand', () => {
    expect(document.components.schemas.ImportMembersRequest).toMatchObject({
      required: ['file'],
      properties: { file: { type: 'string', format: 'binary' } },
    });
  });

  it('declares parameters with a default as optional', () => {
    const names = ['page', 'pageSize', 'sortBy', 'sortOrder'];
    expect(document.paths['/workspaces']?.get?.parameters).toMatchObject(
      names.map((name) => ({ name, required: false })),
    );
  });
});

describe('the documentation page', () => {
  it.each([apiPrefix, `${apiPrefix}/`])('is where %s leads', async (path) => {
    const answer = await fetch(api.baseUrl + path, { redirect: 'manual' });
    expect([answer.status, answer.headers.get('Location')]).toEqual([302, `${apiPrefix}/docs`]);
  });

  it.each(['/favicon.ico', `${apiPrefix}/docs/icon.svg`])('has an icon at %s', async (path) => {
    const answer = await fetch(api.baseUrl + path);
    expect([answer.status, answer.headers.get('Content-Type')]).toEqual([200, 'image/svg+xml']);
  });

  it('loads all its resources from the service under a strict content security policy', async () => {
    const page = await api.request<string>('GET', '/docs');
    expect(page.status).toBe(200);
    expect(page.headers.get('Content-Type')).toContain('text/html');
    expect(page.headers.get('Content-Security-Policy')).toContain("default-src 'none'; script-src 'self'");
    expect(page.body).not.toMatch(/(?:src|<link[^>]*href)="https?:|<script>|\sonload=|\sstyle=/);

    const links = page.body.matchAll(/<(?:script|link)[^>]*(?:src|href)="([^"]+)"/g);
    const needed = [...links].map((match) => match[1] ?? '');
    const answers = await Promise.all(needed.map((path) => api.request<string>('GET', `/${path}`)));
    expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200]);
    expect(answers.map((answer) => answer.headers.get('Content-Type')?.split(';')[0])).toEqual([
      'image/svg+xml',
      'text/css',
      expect.stringMatching(/javascript/),
    ]);
  });

  it.each([['/openapi.json'], ['/docs'], ['/docs/page.js'], ['/docs/page.css']])(
    'compresses %s as the client accepts it, with an ETag for each encoding',
    async (path) => {
      const read = async (encoding: string, etag = '') =>
        fetch(`${api.baseUrl}${apiPrefix}${path}`, {
          headers: { 'Accept-Encoding': encoding, ...(etag && { 'If-None-Match': etag }) },
        });
      const answers = await Promise.all(
        ['br, gzip', 'gzip', 'identity', 'br;q=0, *;q=0'].map((one) => read(one)),
      );
      const told = answers.map(({ status, headers }) => [status, headers.get('Content-Encoding')]);
      expect(told).toEqual([
        [200, 'br'],
        [200, 'gzip'],
        [200, null],
        [200, null],
      ]);
      const [br, gzip, plain] = answers.map(({ headers }) => headers.get('ETag') ?? '');
      expect(new Set([br, gzip, plain]).size).toBe(3);
      for (const { headers } of answers) expect(headers.get('Vary')).toBe('Accept-Encoding');
      const texts = await Promise.all(answers.map((answer) => answer.text()));
      expect(new Set(texts).size).toBe(1);

      expect([(await read('br', br)).status, (await read('gzip', br)).status]).toEqual([304, 200]);
    },
  );

  it('has all operations, webhooks, schemas, scopes and error codes as text', async () => {
    const { body } = await api.request<string>('GET', '/docs');
    const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
    const events = Object.values(document.webhooks).map(({ post }) => post);
    const expected = [
      ...[...operations, ...events].map(
        ({ operationId, tags }) => `id="/${encodeURIComponent(tags[0] ?? '')}/${operationId}"`,
      ),
      ...Object.keys(document.components.schemas).map((name) => `id="/schemas/${name}"`),
      ...allScopes.map((scope) => `<code>${scope}</code>`),
      ...errorCodes.map(({ code }) => `<td><code>${code}</code></td>`),
    ];
    expect(expected.filter((text) => !body.includes(text))).toEqual([]);
    expect(links(body).filter((link) => !body.includes(`id="${link}"`))).toEqual([]);
  });
});

/** The places in the page that links lead to. */
function links(page: string): string[] {
  return [...page.matchAll(/href="#([^"]+)"/g)].map((match) => match[1] ?? '');
}

const types = Object.keys(eventTypes) as EventType[];
const uuid = '7f9c24e8-3b0a-4c1d-9c0e-2f6d1f6b6a55';

type HeaderParameter = { name: string; required: boolean; schema: { pattern?: string } };
type RequestBody = { content: Record<'application/json', { schema: { $ref: string } }> };

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

  it('describe the examples in the registry', async () => {
    const { body } = await api.request('GET', '/resources/registry');
    const told: { name: EventType; example: object }[] = body.eventTypes;
    expect(told.map(({ name }) => name)).toEqual(types);
    for (const { name, example } of told) expect(errorsIn(name, example), name).toBeNull();
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
