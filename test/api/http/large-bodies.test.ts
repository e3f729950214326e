import Type, { type TSchema } from 'typebox';
import { describe, expect, it } from 'vitest';
import { publicAccess } from '../../../api/http/access.js';
import { defineRoute } from '../../../api/http/define-route.js';
import { hasTooManyValues, maxJsonValues } from '../../../api/http/read-body.js';
import { SendMessageRequest } from '../../../api/resources/conversations/messages/schemas.js';
import { CreateRevisionRequest } from '../../../api/resources/definitions/workflow-revisions/schemas.js';
import { CreateDataTypeRequest } from '../../../api/resources/records/data-types/schemas.js';
import { useApiOn } from '../../support/api/use-api.js';
import { noDatabase } from '../../support/db/no-database.js';
import { processorMsOf } from '../../support/lib/processor-ms.js';

const route = (name: string, body: TSchema) =>
  defineRoute({
    operationId: name,
    method: 'POST',
    path: `/${name}`,
    tag: 'Health' as const,
    summary: name,
    access: publicAccess(),
    body,
    response: { status: 200, schema: Type.Object({}) },
    handler: async () => ({}),
  });

const api = useApiOn(() => noDatabase, {
  routes: [
    route('messages', SendMessageRequest),
    route('types', CreateDataTypeRequest),
    route('revisions', CreateRevisionRequest),
    route('words', Type.Object({ words: Type.Array(Type.Union([Type.String(), Type.Null()])) })),
  ],
});

/** A body of 1 MiB at most with as many repetitions as the value limit allows, padded with blanks. */
const filled = (item: string, around: (items: string) => string): string => {
  const values = 1 + (item.match(/[,:[{]/g) ?? []).length;
  const count = Math.floor(Math.min(1_040_000 / (item.length + 1), (maxJsonValues - 50) / values));
  return around(Array(count).fill(item).join(',')).padEnd(1_040_000);
};

const field = (options: string) => `{"slug":"a","name":"A","fieldType":"select","options":[${options}]}`;
const dataType = (fields: string) => `{"name":"A","slug":"a","isCollection":false,"fields":[${fields}]}`;
const task = (children: string) => `{"name":"A","taskType":"wait","children":[${children}]}`;

const bodies: [string, string, string][] = [
  ['items that are none of the alternatives', 'messages', filled('0', (items) => `{"content":[${items}]}`)],
  ['items that lack everything', 'messages', filled('{}', (items) => `{"content":[${items}]}`)],
  ['options of no kind', 'types', filled('0', (items) => dataType(field(items)))],
  ['fields with a few wrong options each', 'types', filled(field('0,0,0,0,0,0,0,0,0,0'), dataType)],
  ['tasks that are none', 'revisions', filled('{}', (items) => `{"rootTask":${task(items)}}`)],
  ['text that cannot be stored', 'words', filled('"\\u0000"', (items) => `{"words":[${items}]}`)],
  ['unknown fields', 'messages', `{${numbered('"x":0')}}`.padEnd(1_040_000)],
  ['items in a list that has no bound', 'words', filled('0', (items) => `{"words":[${items}]}`)],
];

describe('a 1 MiB body full of errors', () => {
  it.each(bodies)('is rejected quickly: %s', async (_, path, body) => {
    expect(body.length).toBeGreaterThan(900_000);
    const headers = { 'Content-Type': 'application/json' };
    let answer: { status: number; body: { errors: unknown[] } } | undefined;

    const time = await processorMsOf(async () => {
      answer = await api.request('POST', `/${path}`, { raw: body, headers });
    });

    expect(answer?.status).toBe(400);
    expect(answer?.body.errors.length).toBeGreaterThan(0);
    expect(answer?.body.errors.length).toBeLessThanOrEqual(100);
    expect(time).toBeLessThan(2_000);
  });
});

it('rejects a body with too many values before parsing it', async () => {
  const answer = await api.request('POST', '/words', { body: { words: Array(maxJsonValues).fill(0) } });

  const detail = `The body has more than ${maxJsonValues} values and names.`;
  expect(answer).toMatchObject({ status: 400, body: { code: 'too_many_values', detail } });
});

describe('a body of ordinary size', () => {
  it('is rejected with up to a hundred errors', async () => {
    const errorsOf = async (count: number) =>
      (await api.request('POST', '/words', { body: { words: Array(count).fill(0) } })).body.errors;
    const few = await errorsOf(99);
    expect(few).toHaveLength(99);
    expect(few[98]).toEqual({ in: 'body', pointer: '/words/98', message: 'must be a string or null' });
    expect(await errorsOf(4_000)).toHaveLength(100);
  });
});

/** The same member repeated, each time with another name. */
function numbered(member: string): string {
  return Array.from({ length: 49_000 }, (_, index) => member.replace('x', `x${index}`)).join(',');
}

const tooMany = (text: string) => hasTooManyValues(Buffer.from(text));
const listOf = (count: number) => `[${Array(count).fill('0').join(',')}]`;

describe('hasTooManyValues', () => {
  it('counts values up to the limit', () => {
    expect(tooMany(listOf(maxJsonValues - 1))).toBe(false);
    expect(tooMany(listOf(maxJsonValues))).toBe(true);
    expect(tooMany('['.repeat(maxJsonValues + 1))).toBe(true);
    expect(tooMany(`{"a":[${Array(maxJsonValues).fill('{}').join(',')}]}`)).toBe(true);
  });

  it('ignores separators within strings', () => {
    expect(tooMany(JSON.stringify({ text: ',[{:'.repeat(maxJsonValues) }))).toBe(false);
    expect(tooMany(JSON.stringify({ text: '\\",["'.repeat(maxJsonValues) }))).toBe(false);
  });

  it('accepts input that is not JSON', () => {
    expect(tooMany('"never ends')).toBe(false);
    expect(tooMany('"\\')).toBe(false);
    expect(tooMany('')).toBe(false);
  });
});
