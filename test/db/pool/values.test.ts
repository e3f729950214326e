import { describe, expect, it } from 'vitest';
import { insertChat } from '../../../db/conversations/chats.js';
import { findMessage, insertMessage, type MessageContent } from '../../../db/conversations/messages.js';
import { statement } from '../../../db/statement.js';
import { useWorkspace } from '../../support/workspace/use-workspace.js';

const { workspace } = useWorkspace();

it.each([
  [[]],
  [['chats:read']],
  [['chats:read', 'data:write:intake', 'nullable']],
  [['']],
  [['', 'with "quotes"', 'with, comma', 'with {braces}', 'with \\ backslash', ' with spaces ']],
  [['null', 'NULL', null]],
  [['{', '[1]', '}']],
  [[null]],
])('the driver reads the text array %j as it was written', async (values) => {
  const rows = await workspace.database.inIdentity((tx) =>
    statement(tx, 'select ?::text[] as values', [values]),
  );
  expect(rows).toEqual([{ values }]);
});

it('the driver reads nested arrays and arrays with explicit bounds', async () => {
  const rows = await workspace.database.inIdentity(async (tx) => {
    const answer = await tx.raw(`select '{{a,b},{c,d}}'::text[] as nested, '[5:6]={a,b}'::text[] as bounded`);
    return answer.rows;
  });
  expect(rows).toEqual([
    {
      nested: [
        ['a', 'b'],
        ['c', 'd'],
      ],
      bounded: ['a', 'b'],
    },
  ]);
});

describe('the content of a stored message', () => {
  it.each<[string, MessageContent]>([
    ['a number', '4'],
    ['a word of JSON', 'true'],
    ['null in letters', 'null'],
    ['an object in letters', '{"a": 1}'],
    ['an empty text', ''],
    ['content parts', [{ type: 'text', text: '12' }]],
  ])('is read as it was written: %s', async (_name, content) => {
    const read = await workspace.within(async (tx) => {
      const memberId = workspace.member.memberId;
      const chat = await insertChat(tx, { channel: 'web-chat', chatType: 'simple', memberId });
      const { id } = await insertMessage(tx, { chatId: chat.id, role: 'user', author: 'member', content });
      return findMessage(tx, id);
    });

    expect(read?.content).toEqual(content);
  });
});
