import { describe, expect, it } from 'vitest';
import { insertChat } from '../../../db/conversations/chats.js';
import { findMessage, insertMessage, type MessageContent } from '../../../db/conversations/messages.js';
import { useWorkspace } from '../../support/workspace/use-workspace.js';

const { workspace } = useWorkspace();

describe('the content of a stored message', () => {
  it.each<[string, MessageContent]>([
    ['a number', '4'],
    ['a word of JSON', 'true'],
    ['null in letters', 'null'],
    ['an object in letters', '{"a": 1}'],
    ['an empty text', ''],
    ['content parts', [{ type: 'text', text: '12' }]],
  ])('is read as it was written: %s', async (_name, content) => {
    const read = await workspace.database.inWorkspace(workspace.workspaceId, async (tx) => {
      const memberId = workspace.member.memberId;
      const chat = await insertChat(tx, { channel: 'web-chat', chatType: 'simple', memberId });
      const { id } = await insertMessage(tx, { chatId: chat.id, role: 'user', content });
      return findMessage(tx, id);
    });

    expect(read?.content).toEqual(content);
  });
});
