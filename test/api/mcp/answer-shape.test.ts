import Type from 'typebox';
import { describe, expect, it } from 'vitest';
import { answerShape } from '../../../api/mcp/answer-shape.js';

const File = Type.Object({
  title: Type.String({ description: 'What it is called', maxLength: 200 }),
  cdnUrl: Type.String(),
});
const Task = Type.Cyclic(
  {
    Task: Type.Object({ name: Type.String(), cdnUrl: Type.String(), children: Type.Array(Type.Ref('Task')) }),
  },
  'Task',
);

describe('the shape of an answer for AI clients', () => {
  it('has the fields with their types, without texts and bounds', () => {
    expect(answerShape(File).schema).toEqual({
      type: 'object',
      required: ['title', 'cdnUrl'],
      properties: { title: { type: 'string' }, cdnUrl: { type: 'string' } },
    });
  });

  it('is an object also for a list', () => {
    const { schema, of } = answerShape(Type.Array(Type.Integer()));
    expect(schema).toMatchObject({ type: 'object', properties: { items: { type: 'array' } } });
    expect(of([1, 2])).toEqual({ items: [1, 2] });
  });

  it('lacks the fields that are dropped, in lists, alternatives and trees', () => {
    const Answer = Type.Object({
      files: Type.Array(File),
      other: Type.Union([File, Type.Null()]),
      root: Task,
    });
    const { schema, of } = answerShape(Answer, ['cdnUrl']);
    expect(JSON.stringify(schema)).not.toContain('cdnUrl');
    const file = { title: 'Leaflet', cdnUrl: 'http://files/1?signature=x' };
    const leaf = { name: 'Leaf', cdnUrl: 'x', children: [] };
    const root = { name: 'Root', cdnUrl: 'x', children: [leaf] };
    expect(of({ files: [file], other: file, root })).toEqual({
      files: [{ title: 'Leaflet' }],
      other: { title: 'Leaflet' },
      root: { name: 'Root', children: [{ name: 'Leaf', children: [] }] },
    });
    expect(of({ files: [], other: null, root: leaf })).toMatchObject({ other: null });
  });

  it('keeps fields that people named themselves, though they are called like one that is dropped', () => {
    const Answer = Type.Object({
      cdnUrl: Type.String(),
      fieldValues: Type.Record(Type.String(), Type.Unknown()),
    });
    const { of } = answerShape(Answer, ['cdnUrl']);
    const fieldValues = { cdnUrl: 'of the person', inner: [{ cdnUrl: 'too' }] };
    expect(of({ cdnUrl: 'x', fieldValues })).toEqual({ fieldValues });
  });
});
