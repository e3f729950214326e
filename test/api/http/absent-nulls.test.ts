import Type from 'typebox';
import { describe, expect, it } from 'vitest';
import { dropAbsentNulls } from '../../../api/http/validation/schema-rules.js';
import { CreateChatRequest } from '../../../api/resources/conversations/chats/schemas.js';
import { WorkflowTaskInput } from '../../../api/resources/definitions/workflow-revisions/schemas.js';

const without = (schema: object, value: unknown) => {
  dropAbsentNulls(schema, value);
  return value;
};

describe('removal of nulls from a request body', () => {
  it('treats null for an optional field as absent', () => {
    expect(without(CreateChatRequest, { channel: 'web-chat', title: null, memberId: null })).toEqual({
      channel: 'web-chat',
    });
  });

  it('keeps null where it is allowed or required, and inside free objects', () => {
    const schema = Type.Object({
      emptied: Type.Optional(Type.Union([Type.String(), Type.Null()])),
      required: Type.String(),
      anything: Type.Optional(Type.Unknown()),
      free: Type.Record(Type.String(), Type.Unknown()),
    });
    const body = { emptied: null, required: null, anything: null, free: { value: null }, unknown: null };

    expect(without(schema, structuredClone(body))).toEqual(body);
  });

  it('works in arrays, intersections and the matching alternative of a union', () => {
    const size = Type.Optional(Type.Integer());
    const sizeOrNull = Type.Optional(Type.Union([Type.Integer(), Type.Null()]));
    const schema = Type.Object({
      items: Type.Array(
        Type.Union([
          Type.Object({ kind: Type.Literal('a'), size }),
          Type.Object({ kind: Type.Literal('b'), size: sizeOrNull }),
        ]),
      ),
      whole: Type.Intersect([Type.Object({ one: Type.Optional(Type.String()) }), Type.Object({})]),
    });

    const [a, b] = [{ kind: 'a' }, { kind: 'b', size: null }];
    const body = { items: [{ ...a, size: null }, b], whole: { one: null } };
    expect(without(schema, body)).toEqual({ items: [a, b], whole: {} });
  });

  it('works at any depth of a recursive schema', () => {
    const task = { name: 'Inner', taskType: 'conclude', autoNext: null };

    expect(without(WorkflowTaskInput, { name: 'Root', taskType: 'message', children: [task] })).toEqual({
      name: 'Root',
      taskType: 'message',
      children: [{ name: 'Inner', taskType: 'conclude' }],
    });
  });
});
