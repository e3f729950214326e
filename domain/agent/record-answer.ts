import type { Tx } from '../../db/database.js';
import { type ChatRow, lockChat, updateChat } from '../../db/queries/chats.js';
import { findTurnMessage, insertMessage, type ToolCall } from '../../db/queries/messages.js';
import { insertTokenUsage } from '../../db/queries/token-usage.js';
import { type PricedCall, priceCall } from '../ai-models/price-call.js';
import { agentIsDue } from '../chats/agent-due.js';
import { callPerson, noPersonNeeded } from '../chats/call-person.js';
import { holdEnded } from '../chats/held-turn.js';
import type { ModelsContext } from '../context.js';
import { queueDelivery } from '../deliveries/queue-delivery.js';
import { messageParts } from '../messages/message-text.js';
import { type RoundRef, type RoundResult, resultOf } from './prepare-round.js';

export interface ModelAnswer {
  content: string | null;
  toolCalls: { id: string; name: string; arguments: string }[];
  usage: { promptTokens: number; completionTokens: number; cachedTokens: number; totalTokens: number };
}

/** What the answer was made of. */
export interface AskedOf {
  chatVersion: number;
  taskId: number | null;
  /** The catalogue's id of the model that was asked. */
  modelId: string;
}

/**
 * Stores what the model answered: its tool calls, to be run next; or its text, together with the text's delivery.
 * One transaction, which re-checks the chat's version: whatever came meanwhile wins, and the answer is dropped.
 */
export async function recordAnswer(
  context: ModelsContext,
  ref: RoundRef,
  asked: AskedOf,
  answer: ModelAnswer,
): Promise<RoundResult> {
  const now = context.clock.now();
  return context.db.inWorkspace(ref.workspaceId, async (tx): Promise<RoundResult> => {
    const chat = await lockChat(tx, ref.chatId);
    if (chat === undefined) return { kind: 'nothing_to_say' };
    const taken = await findTurnMessage(tx, ref.turnUuid, ref.round);
    if (taken !== undefined) return resultOf(taken);

    const priced = priceCall(context.models, asked.modelId, answer.usage);
    await insertTokenUsage(tx, { chatId: chat.id, turnUuid: ref.turnUuid, ...answer.usage, ...priced });
    if (!agentIsDue(chat)) return { kind: 'nothing_to_say' };
    if (chat.version !== asked.chatVersion) return { kind: 'interrupted' };
    if (answer.toolCalls.length > 0 && !ref.mustAnswer)
      return await storeToolCalls(tx, chat, ref, asked, answer);
    return await storeReply(tx, chat, ref, asked, answer, priced, now);
  });
}

async function storeToolCalls(
  tx: Tx,
  chat: ChatRow,
  ref: RoundRef,
  asked: AskedOf,
  answer: ModelAnswer,
): Promise<RoundResult> {
  // Ids of our own: not every provider's are unique in a chat, and a tool call is done once by its id.
  const toolCalls = answer.toolCalls.map(
    (call, index): ToolCall => ({
      id: `call_${ref.turnUuid.replaceAll('-', '')}_${ref.round}_${index}`,
      type: 'function',
      function: { name: call.name, arguments: call.arguments },
    }),
  );
  const message = await insertMessage(tx, {
    chatId: chat.id,
    role: 'assistant',
    content: null,
    toolCalls,
    ...(chat.assistantMemberId === null ? {} : { memberId: chat.assistantMemberId }),
    taskId: asked.taskId,
    turnUuid: ref.turnUuid,
    turnRound: ref.round,
    turnVersion: asked.chatVersion,
  });
  return resultOf(message);
}

async function storeReply(
  tx: Tx,
  chat: ChatRow,
  ref: RoundRef,
  asked: AskedOf,
  answer: ModelAnswer,
  { modelId, credits }: PricedCall,
  now: Date,
): Promise<RoundResult> {
  const parts = messageParts(chat.channel, answer.content ?? '');
  let undeliverable = false;
  for (const [index, part] of parts.entries()) {
    const message = await insertMessage(tx, {
      chatId: chat.id,
      role: 'assistant',
      content: part,
      memberId: chat.assistantMemberId,
      taskId: asked.taskId,
      tokenUsage: { ...answer.usage, model: modelId, credits },
      ...(index === 0
        ? { turnUuid: ref.turnUuid, turnRound: ref.round, turnVersion: asked.chatVersion }
        : {}),
    });
    if ((await queueDelivery(tx, chat, message, now)) !== undefined) undeliverable = true;
  }
  // A model that has nothing to say, or cannot be heard, leaves the member to a person.
  const handled = { handledVersion: chat.version, ...holdEnded(chat) };
  if (parts.length === 0) await callPerson(tx, chat, 'no_reply', handled);
  else if (undeliverable) await callPerson(tx, chat, 'delivery_failed', handled);
  else await updateChat(tx, chat.id, { ...handled, ...noPersonNeeded });
  return parts.length === 0 ? { kind: 'nothing_to_say' } : { kind: 'replied' };
}
