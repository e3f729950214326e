import { describe, expect, it } from 'vitest';
import { defineTool } from '../../../api/mcp/define-tool.js';
import { routeOf } from '../../../api/mcp/route-of.js';
import { listBudgetBytes, toolResult } from '../../../api/mcp/tool-result.js';

const tool = defineTool({
  name: 'list_things',
  title: 'List',
  description: 'Lists.',
  route: routeOf('listMembers'),
});

const items = (count: number, length: number) =>
  Array.from({ length: count }, (_, id) => ({ id, text: 'ö'.repeat(length / 2) }));
const request = (query: object) => ({ ...tool.read({}), query: query as Record<string, unknown> });
const resultOf = (answer: object, query: object) => {
  const { content, structuredContent } = toolResult(tool, request(query), { body: JSON.stringify(answer) });
  const texts = content.map((part) => (part.type === 'text' ? part.text : ''));
  const structured = structuredContent as { items: unknown[] };
  return { notes: texts.slice(0, -1), text: texts.at(-1) ?? '', structured };
};

describe('a list within the budget', () => {
  it('is told whole', () => {
    const page = { items: items(20, 2_000), page: 1, pageSize: 20, total: 20 };
    expect(resultOf(page, { pageSize: 20 })).toMatchObject({ notes: [], structured: page });
  });
});

describe('a list beyond the budget', () => {
  it.each([
    // 48 items of 1,000 bytes fit: pages have to begin where those of 100 do.
    [1, 100, 25, 'page 2 with pageSize 25'],
    [3, 100, 25, 'page 10 with pageSize 25'],
    [1, 97, 1, 'page 2 with pageSize 1'],
  ])('on page %i of size %i has the first %s, and says where the next are', (page, pageSize, kept, next) => {
    const answer = { items: items(pageSize, 1_000), page, pageSize, total: 1_000 };
    const { notes, text, structured } = resultOf(answer, { pageSize });
    expect(structured).toMatchObject({ items: answer.items.slice(0, kept), isCut: true });
    expect(notes).toEqual([expect.stringContaining(next)]);
    expect(JSON.parse(text)).toEqual(structured);
    expect(Buffer.byteLength(text)).toBeLessThan(listBudgetBytes + 200);
  });

  it.each([
    [{ offset: 50, limit: 100 }, 'begin at offset 98'],
    [{ limit: 100 }, 'limit 48'],
    [{}, 'more narrowly'],
  ])('without pages and asked for by %j says how to get the rest', (query, next) => {
    const { notes, structured } = resultOf(items(100, 1_000), query);
    expect(structured.items).toHaveLength(48);
    expect(notes).toEqual([expect.stringContaining(next)]);
  });

  it('that is followed from its last entry goes on there, though it was the whole', () => {
    const { notes, structured } = resultOf({ items: items(100, 1_000), hasMore: false }, { limit: 200 });
    expect(structured).toMatchObject({ hasMore: true });
    expect(notes).toEqual([expect.stringContaining('Go on after the last')]);
  });

  it('is the longest one in an answer about one thing', () => {
    const answer = { id: 1, labels: items(3, 10), dataRecords: items(100, 1_000) };
    const { notes, text } = resultOf(answer, {});
    const { labels, dataRecords } = JSON.parse(text);
    expect([labels.length, dataRecords.length < 100]).toEqual([3, true]);
    expect(notes).toEqual([expect.stringContaining('dataRecords')]);
  });

  it('has its first item, however large', () => {
    const { structured } = resultOf(items(3, 200_000), {});
    expect(structured.items).toHaveLength(1);
  });
});

describe('a tool that does not fit its route', () => {
  const common = { name: 'x', title: 'X', description: 'X.' };
  it.each([
    ['an unknown field', { route: routeOf('listMembers'), omit: ['nothing'] }],
    ['a required field that nothing fills', { route: routeOf('getMember'), omit: ['member_id'] }],
    ['a route without a member', { route: routeOf('listWorkspaces') }],
    ['a stream', { route: routeOf('followChat') }],
  ])('with %s is an error at start', (_what, declaration) => {
    expect(() => defineTool({ ...common, ...declaration })).toThrow('The tool x');
  });

  it('whose arguments clash is an error at start', () => {
    const route = routeOf('createMember');
    expect(() => defineTool({ ...common, route, rename: { name: 'idempotencyKey' } })).toThrow(
      'idempotencyKey',
    );
  });
});
