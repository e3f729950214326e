import Type, { type TSchema } from 'typebox';
import { describe, expect, it } from 'vitest';
import { Nullable, Picked, Timestamp } from '../../../api/http/schemas.js';
import { compileSerialiser, serialiserOf } from '../../../api/http/serialise.js';
import { routes } from '../../../api/resources/index.js';

const at = new Date('2030-01-31T12:00:00.123Z');
const write = (schema: TSchema, answer: unknown) => compileSerialiser(schema)(answer);

const Topic = Type.Object({
  id: Type.Integer(),
  name: Nullable(Type.String()),
  note: Type.Optional(Type.String()),
  gone: Type.Optional(Nullable(Type.String())),
  at: Timestamp,
});

describe('the serialiser of an answer', () => {
  it('writes the declared fields in their order, and no others', () => {
    const row = { secret: 'x', at, name: 'One', id: 1, workspaceId: 7 };
    expect(write(Topic, row)).toBe('{"id":1,"name":"One","at":"2030-01-31T12:00:00.123Z"}');
    expect(write(Picked({ id: Type.Integer() }), row)).toBe('{"id":1}');
  });

  it('leaves out an optional field that is null, unless null is one of its values', () => {
    const row = { id: 1, name: null, note: null, gone: null, at };
    expect(JSON.parse(write(Topic, row))).toEqual({ id: 1, name: null, gone: null, at: at.toISOString() });
  });

  it('writes a time that is text already as it is', () => {
    expect(write(Timestamp, at.toISOString())).toBe(JSON.stringify(at));
  });

  it.each([
    ['text', Type.String(), 'a "b" \\ \n \u2028 \ud800 é \u{1f600}'],
    ['a number', Type.Number(), -0.5],
    ['true', Type.Boolean(), true],
    ['a list', Type.Array(Type.String()), ['a', 'b']],
    ['an empty list', Type.Array(Type.String()), []],
    ['a record', Type.Record(Type.String(), Type.Integer()), { a: 1, 'b"': 2 }],
    ['anything', Type.Unknown(), { a: [{ b: null }], at }],
    ['an empty object', Type.Object({}), {}],
  ])('writes %s like JSON.stringify', (_what, schema, value) => {
    expect(write(schema, value)).toBe(JSON.stringify(value));
  });

  it('writes rows in lists and in a schema that refers to itself', () => {
    const Tree = Type.Cyclic(
      { Tree: Picked({ id: Type.Integer(), at: Timestamp, children: Type.Array(Type.Ref('Tree')) }) },
      'Tree',
    );
    const leaf = { id: 2, at, children: [], secret: 1 };
    const shown = { id: 2, at: at.toISOString(), children: [] };
    const row = { id: 1, at, children: [leaf, leaf], secret: 1 };
    const whole = { id: 1, at: at.toISOString(), children: [shown, shown] };
    expect(JSON.parse(write(Type.Array(Tree), [row]))).toEqual([whole]);
    expect(JSON.parse(write(Type.Object({ tree: Type.Optional(Tree) }), { tree: row }))).toEqual({
      tree: whole,
    });
    expect(write(Type.Object({ tree: Type.Optional(Tree) }), { tree: null })).toBe('{}');
  });

  it('tells alternatives apart by type, constants and required fields', () => {
    const Line = Type.Union([
      Type.Object({ type: Type.Literal('one'), n: Type.Integer() }),
      Type.Object({ type: Type.Literal('two'), text: Type.String() }),
      Type.Object({ only: Type.Integer() }),
      Type.Array(Type.Integer()),
      Type.String(),
      Type.Null(),
    ]);
    const rest = { secret: 1 };
    expect(write(Line, { type: 'two', text: 'a', ...rest })).toBe('{"type":"two","text":"a"}');
    expect(write(Line, { type: 'one', n: 1, ...rest })).toBe('{"type":"one","n":1}');
    expect(write(Line, { only: 1, ...rest })).toBe('{"only":1}');
    expect([[1, 2], 'x', null].map((value) => write(Line, value))).toEqual(['[1,2]', '"x"', 'null']);
    expect(() => write(Line, rest)).toThrow('no alternative');
  });

  it('does not know schemas that it would not write as declared', () => {
    expect(() => compileSerialiser({ allOf: [Topic] } as TSchema)).toThrow('allOf');
  });

  it('knows the schemas of all routes', () => {
    for (const route of routes) expect(serialiserOf(route)).toBeTypeOf('function');
  });
});
