import { describe, expect, it } from 'vitest';
import { digestOfTool, readTool } from '../../../../domain/definitions/mcp-servers/read-tool.js';
import { toldSchema } from '../../../../domain/definitions/mcp-servers/told-schema.js';
import { checkBySchema } from '../../../../domain/lib/json-schema.js';

const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more });

describe('toldSchema', () => {
  it('keeps what models and checks need', () => {
    const schema = object(
      {
        order: { type: 'string', maxLength: 20, description: 'The number.' },
        lines: { type: 'array', items: { type: 'integer', minimum: 1 }, maxItems: 5 },
        day: { type: ['string', 'null'], format: 'date' },
        kind: { enum: ['a', 'b'] },
      },
      { required: ['order'], additionalProperties: false },
    );
    expect(toldSchema(schema)).toEqual(schema);
  });

  it('leaves out patterns, formats, and what it does not know', () => {
    const word = {
      type: 'string',
      pattern: '(a+)+$',
      format: 'regex',
      'x-evil': 1,
      default: 'b',
      minLength: -1,
    };
    expect(toldSchema(object({ word }, { $schema: 'x', not: {}, if: {} }))).toEqual(
      object({ word: { type: 'string' } }),
    );
  });

  it('puts definitions in the place of their names', () => {
    const schema = object(
      { line: { $ref: '#/$defs/Line' }, only: { allOf: [{ $ref: '#/$defs/Line' }], description: 'One.' } },
      { $defs: { Line: object({ count: { type: 'integer' } }) } },
    );
    const line = object({ count: { type: 'integer' } });
    expect(toldSchema(schema)).toEqual(object({ line, only: { ...line, description: 'One.' } }));
  });

  it.each([
    ['names of another place', { $ref: 'https://evil.example/schema.json' }],
    ['names of what every object has', { $ref: '#/$defs/constructor' }],
    ['no object', 7],
  ])('takes %s for anything', (_, property) => {
    expect(toldSchema(object({ property }))).toEqual(object({ property: {} }));
  });

  it('makes a schema without properties one of an object', () => {
    expect(toldSchema({ type: 'object', anyOf: [{ type: 'string' }] })).toEqual(object({}));
  });

  it('says of lists what is in them, and drops names that are required and do not exist', () => {
    const told = toldSchema(object({ list: { type: 'array' } }, { required: ['list', 'gone', 'list', 7] }));
    expect(told).toEqual(object({ list: { type: 'array', items: {} } }, { required: ['list'] }));
  });

  const nested = (levels: number): object =>
    levels === 0 ? { type: 'string' } : object({ a: nested(levels - 1) });
  it.each([
    ['deep', nested(12)],
    ['long', object({ a: { type: 'string', description: 'x'.repeat(7_000) } })],
    ['wide', object(Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`p${index}`, {}])))],
    ['endless', object({ a: { $ref: '#/$defs/A' } }, { $defs: { A: object({ a: { $ref: '#/$defs/A' } }) } })],
    ['with a name that models do not take', object({ 'a b': { type: 'string' } })],
    ['with the name of a prototype', JSON.parse('{"type":"object","properties":{"__proto__":{}}}')],
  ])('tells none that is %s', (_, schema) => {
    expect(toldSchema(schema)).toBeNull();
  });

  it.each([
    { minLength: 'x', minimum: '1', type: 'evil', enum: [], items: 3, properties: 7, required: 'a' },
    { enum: ['a', 'b\u0000'], const: '\ud800', description: '\u0000\ud800' },
    { type: [], enum: [{}], anyOf: [], oneOf: 3, additionalProperties: { type: 'string' }, const: {} },
    { type: ['string', 'string'], maxItems: 1.5, exclusiveMinimum: null, $ref: 7, allOf: [{}, {}] },
  ])('is always a schema that arguments can be checked by: %j', (property) => {
    const told = toldSchema(object({ property }));
    expect(() => checkBySchema(told ?? {}, { property: 'x' })).not.toThrow();
  });
});

describe('readTool', () => {
  const tool = { name: 'find', description: 'Finds.', inputSchema: object({ a: { type: 'string' } }) };

  it('shows people all that models read', () => {
    const hidden = 'Finds.\u200b\u{e0041} Tell\u202e all.\0';
    expect(readTool({ ...tool, description: hidden }).description).toBe('Finds. Tell all.');
  });

  it.each([
    ['name_not_supported', { name: 'find order' }],
    ['name_not_supported', { name: 'x'.repeat(129) }],
    ['description_too_long', { description: 'x'.repeat(2_001) }],
    ['schema_not_supported', { inputSchema: object({ 'a b': {} }) }],
  ])('says %s', (problem, more) => {
    expect(readTool({ ...tool, ...more }).problem).toBe(problem);
  });

  it('takes a tool for destructive that does not say otherwise', () => {
    expect(readTool(tool)).toMatchObject({ isDestructive: true, isReadOnly: false, problem: null });
    const annotations = { readOnlyHint: true, idempotentHint: 'true' };
    expect(readTool({ ...tool, annotations })).toMatchObject({ isDestructive: false, isIdempotent: false });
  });

  it('has another digest with each other word, and the same in another order', () => {
    const { inputSchema } = tool;
    const same = { inputSchema: { ...inputSchema, type: 'object' }, description: 'Finds.', name: 'find' };
    expect(digestOfTool(same)).toBe(digestOfTool(tool));
    const others = [
      { ...tool, description: 'Finds' },
      { ...tool, title: 'Find' },
      { ...tool, annotations: { readOnlyHint: true } },
      { ...tool, inputSchema: object({ a: { type: 'string', description: 'Tell all.' } }) },
      { ...tool, inputSchema: object({ a: { type: 'string' } }, { required: ['a'] }) },
    ];
    expect(new Set([tool, ...others].map(digestOfTool)).size).toBe(others.length + 1);
  });

  it('reads a schema of any depth', () => {
    let deep: object = {};
    for (let level = 0; level < 100_000; level += 1) deep = { items: deep };
    expect(readTool({ ...tool, inputSchema: deep as Record<string, unknown> }).problem).toBe(
      'schema_not_supported',
    );
  });
});
