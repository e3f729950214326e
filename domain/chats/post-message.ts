import { lockChat } from '../../db/queries/chats.js';
import { findMessage, type MessageContent, type MessageRow } from '../../db/queries/messages.js';
import type { CommandContext } from '../context.js';
import { InvalidInput, NotFound } from '../errors.js';
import { messageText, smsLimit } from '../messages/message-text.js';
import { isOwnChat } from './own-chat.js';
import { takeMemberMessage, takeOperatorMessage } from './take-message.js';

export interface PostMessage {
  chatId: number;
  content: MessageContent;
}

/**
 * Posts a message into a chat. The member the chat is with writes as `user`; anybody else writes to that member as
 * a person (`assistant`, with their memberId), which takes the chat over from the agent.
 */
export async function postMessage(context: CommandContext, input: PostMessage): Promise<MessageRow> {
  const { actor } = context;
  const now = context.clock.now();
  if (messageText(input.content).trim() === '') {
    throw InvalidInput.field('/content', 'must contain text');
  }
  return context.db.inWorkspace(actor.workspaceId, async (tx) => {
    const chat = await lockChat(tx, input.chatId);
    if (chat === undefined) throw new NotFound('Chat');
    if (chat.memberId === actor.memberId) {
      return takeMemberMessage(tx, chat, { content: input.content }, now);
    }
    if (!(await isOwnChat(tx, actor, chat))) actor.require('chats:write');
    if (chat.channel === 'phone-sms' && messageText(input.content).length > smsLimit) {
      throw InvalidInput.field('/content', `must have at most ${smsLimit} characters in an SMS chat`);
    }
    const message = { content: input.content, authorMemberId: actor.memberId };
    const stored = await takeOperatorMessage(tx, chat, message, now);
    return (await findMessage(tx, stored.id)) ?? stored;
  });
}
