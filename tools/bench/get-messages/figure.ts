import { insertChat } from '../../../db/conversations/chats.js';
import { insertMessage } from '../../../db/conversations/messages.js';
import type { Figure } from '../figure.js';
import type { Stage } from '../stage/stage.js';
import { requestRates } from '../support/http-load.js';

const chats = 200;
const messagesInChat = 30;

export const getMessages: Figure = {
  name: 'get-messages',
  title: 'GET messages, ten of a chat',
  unit: 'requests/s',
  target: { ratioAtLeast: 0.6 },
  async prepare(stage, { seconds }) {
    const chatId = await fillChats(stage);
    const path = `/chats/${chatId}/messages`;
    return requestRates(stage, { floor: new URL('./floor.ts', import.meta.url), path, seconds });
  },
};

async function fillChats({ database, workspace }: Stage): Promise<number> {
  const chat = { channel: 'web-chat', chatType: 'simple', memberId: workspace.member.memberId } as const;
  return database.inWorkspace(workspace.workspaceId, async (tx) => {
    let last = 0;
    for (let made = 0; made < chats; made += 1) {
      last = (await insertChat(tx, chat)).id;
    }
    for (let made = 0; made < messagesInChat; made += 1) {
      const role = made % 2 === 0 ? 'user' : 'assistant';
      await insertMessage(tx, {
        chatId: last,
        role,
        author: 'member',
        content: `Sentence ${made} of a conversation.`,
      });
    }
    return last;
  });
}
