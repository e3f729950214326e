import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { openApiDocument } from '../../../api/http/openapi.js';
import { routes } from '../../../api/resources/index.js';
import { allScopes } from '../../../domain/kernel/scopes.js';
import { useApiOn } from '../../support/api/use-api.js';
import { noDatabase } from '../../support/db/no-database.js';

const api = useApiOn(() => noDatabase);

const document = openApiDocument(routes);

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
      expect(operation).toMatchObject({
        operationId: route.operationId,
        tags: [route.tag],
        summary: route.summary,
      });
      const told = Object.keys(operation?.responses ?? {});
      expect(told).toEqual(expect.arrayContaining([String(route.response.status), '500']));
      if (route.access.kind === 'member') expect(told).toEqual(expect.arrayContaining(['401', '403', '404']));
      if (route.body !== undefined) expect(told).toEqual(expect.arrayContaining(['400', '413', '415']));
      if (route.access.scope !== undefined)
        expect(operation?.security).toContainEqual({ apiKey: [route.access.scope] });
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

  it('declares parameters with a default as optional', () => {
    const parameters = document.paths['/workspaces']?.get?.parameters as {
      name: string;
      required: boolean;
    }[];
    expect(parameters.map(({ name, required }) => [name, required])).toEqual([
      ['page', false],
      ['pageSize', false],
      ['sortBy', false],
      ['sortOrder', false],
    ]);
  });
});

describe('the documentation page', () => {
  it('loads all its resources from the service under a strict content security policy', async () => {
    const page = await api.request<string>('GET', '/docs');
    expect(page.status).toBe(200);
    expect(page.headers.get('Content-Type')).toContain('text/html');
    expect(page.headers.get('Content-Security-Policy')).toContain("default-src 'none'; script-src 'self'");
    expect(page.body).not.toMatch(/https?:\/\/|<script>|onload=|style=/);

    const needed = [...page.body.matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => match[1] ?? '');
    expect(needed).toHaveLength(3);
    const answers = await Promise.all(needed.map((path) => api.request<string>('GET', `/${path}`)));
    expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200]);
    expect(answers.map((answer) => answer.headers.get('Content-Type')?.split(';')[0])).toEqual([
      'text/css',
      expect.stringMatching(/javascript/),
      expect.stringMatching(/javascript/),
    ]);
    expect(answers[2]?.body).toContain("url: 'openapi.json'");
  });
});
