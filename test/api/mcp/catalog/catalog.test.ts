import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { catalog } from '../../../../api/mcp/catalog/index.js';
import type { JsonSchema, Tool } from '../../../../api/mcp/define-tool.js';
import { presentTool } from '../../../../api/mcp/mcp-server.js';
import { isOAuthScope } from '../../../../domain/identity/oauth/oauth-scopes.js';

const titled = catalog.map((tool) => [tool.name, tool] as const);

/** The tools that read although their operation is no GET, with the reason. */
const readsByOtherMethod: Record<string, string> = {
  check_workflow_revision: 'it publishes with dryRun, which changes nothing',
};

/** The tools whose answers hold nothing that people wrote. */
const withoutWords = ['get_token_usage', 'get_chat_token_usage'];

/** The tools that show or select tasks of assignments. */
const ofTasks = {
  'task:read': ['get_assignment', 'get_current_task', 'read_assignment_timeline'],
  'task:write': ['select_task'],
};

/** All references in a schema. */
function referencesIn(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  return Object.entries(schema).flatMap(([keyword, value]) =>
    keyword === '$ref' && typeof value === 'string' ? [value] : referencesIn(value),
  );
}

function propertiesOf({ inputSchema }: Tool): Record<string, JsonSchema> {
  return inputSchema.properties as Record<string, JsonSchema>;
}

describe('the catalog of tools', () => {
  it('has a name for each that clients take, and no name twice', () => {
    const names = catalog.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(name).toMatch(/^[a-z]+(_[a-z]+)+$/);
    expect(names.filter(({ length }) => length > 64)).toEqual([]);
  });

  it('has between 30 and 52 tools: more of them make a model choose worse', () => {
    expect(catalog.length).toBeGreaterThan(30);
    expect(catalog.length).toBeLessThan(53);
  });

  it('is listed in at most 196 kB, of which a model gets less than 75 kB', () => {
    const listed = catalog.map(presentTool);
    const forModels = listed.map(({ name, description, inputSchema }) => ({
      name,
      description,
      inputSchema,
    }));
    expect(JSON.stringify({ tools: listed }).length).toBeLessThan(196_000);
    expect(JSON.stringify(forModels).length).toBeLessThan(75_000);
  });

  it('gives nobody a role, so that no text that a model reads can make an admin', () => {
    const giving = catalog.filter(
      (tool) => ['POST', 'PUT'].includes(tool.route.method) && 'memberRoleId' in propertiesOf(tool),
    );
    expect(giving.map(({ name }) => name)).toEqual([]);
  });

  it('names only tools that exist in what it tells models', () => {
    const names = new Set(catalog.map(({ name }) => name));
    const verbs = [...new Set([...names].map((name) => name.split('_')[0]))].join('|');
    const mentioned = catalog.flatMap(({ description }) => [
      ...description.matchAll(new RegExp(`\\b(?:${verbs})_[a-z_]+`, 'g')),
    ]);
    const unknown = mentioned.map(([name]) => name).filter((name) => !names.has(name));
    expect(unknown.filter((name) => name !== 'update_labels')).toEqual([]);
  });

  it('asks for the scopes of tasks where tools show or select tasks of assignments', () => {
    const needing = (scope: 'task:read' | 'task:write') =>
      catalog.filter(({ scopes }) => scopes.includes(scope)).map(({ name }) => name);
    expect(needing('task:read')).toEqual(ofTasks['task:read']);
    expect(needing('task:write')).toEqual(ofTasks['task:write']);
  });
});

describe.each(titled)('the tool %s', (name, tool) => {
  const ajv = new Ajv2020({ strict: false });
  addFormats.default(ajv);

  it('has schemas of objects that stand alone', () => {
    for (const schema of [tool.inputSchema, tool.outputSchema ?? { type: 'object' }]) {
      expect(schema.type).toBe('object');
      expect(ajv.validateSchema(schema), JSON.stringify(ajv.errors)).toBe(true);
      expect(() => ajv.compile(schema)).not.toThrow();
      expect(referencesIn(schema).filter((reference) => !reference.startsWith('#/$defs/'))).toEqual([]);
    }
  });

  it('says what it is in a title, and in at most 700 characters when to use it', () => {
    expect(tool.title.length).toBeLessThanOrEqual(60);
    expect(tool.description.length).toBeGreaterThan(80);
    expect(tool.description.length).toBeLessThanOrEqual(700);
    expect(tool.description).toMatch(/^[A-Z].*\.$/);
  });

  it('describes each argument, or bounds it by values', () => {
    const without = Object.entries(propertiesOf(tool)).filter(
      ([, schema]) => schema.description === undefined && schema.enum === undefined,
    );
    expect(without.map(([argument]) => argument)).toEqual([]);
  });

  it('says by its annotations what its operation does', () => {
    const { readOnlyHint, destructiveHint, openWorldHint } = tool.annotations;
    const reads = tool.route.method === 'GET' || name in readsByOtherMethod;
    expect(readOnlyHint).toBe(reads);
    if (readOnlyHint)
      expect({ destructiveHint, openWorldHint }).toEqual({ destructiveHint: false, openWorldHint: false });
    if (tool.route.method === 'PUT' && !openWorldHint) expect(destructiveHint).toBe(true);
  });

  it('takes a key for repetition if it creates something', () => {
    expect('idempotencyKey' in propertiesOf(tool)).toBe(tool.route.idempotent !== false);
  });

  it('marks what people wrote as data', () => {
    expect(tool.untrusted).toBe(!withoutWords.includes(name));
  });

  it('needs scopes that an OAuth client can have', () => {
    expect(tool.scopes.length).toBeGreaterThan(0);
    expect(tool.scopes.filter((scope) => !isOAuthScope(scope))).toEqual([]);
  });
});
