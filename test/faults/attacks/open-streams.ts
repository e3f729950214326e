import { createChat } from '../../../domain/conversations/chats/create-chat.js';
import { type Attack, getAs, postAs } from './attack.js';

/**
 * As many as a member may have open. Twenty are admitted, because that is the bound for one chat; the others get 503.
 */
const streams = 200;

/** Each message is sent to every open stream of the chat. */
export const openStreams: Attack = {
  name: 'two hundred streams of a chat that is written into',
  expected: [200, 201, 429, 503],
  async prepare(scene) {
    const { workspace } = scene;
    const { member } = workspace;
    const { id } = await createChat(workspace.context(member), { channel: 'web-chat' });
    const content = 'x'.repeat(4_000);
    return {
      streams: Array.from({ length: streams }, () => getAs(scene, member.apiKey, `/chats/${id}/events`)),
      requests: [postAs(scene, member.apiKey, `/chats/${id}/messages`, { content })],
      concurrency: 2,
    };
  },
};
