import {
  findCallMessage,
  insertMessage,
  type MessageRow,
  type ToolCall,
} from '../../../db/conversations/messages.js';
import type { Tx } from '../../../db/tx.js';
import { maxToolCallsInAnswer } from '../../kernel/agent-budgets.js';
import { type BridgedCallRef, itemOf, type LockedBridgedCall } from './bridged-call.js';
import { currentTaskId } from './store-utterance.js';

/** A call of a tool, with the provider's id. */
export interface SpokenToolCall {
  callId: string;
  name: string;
  /** JSON as the model wrote it. */
  arguments: string;
}

/** Stores the calls of a response, once, and returns the message that has them with ids of ours. */
export async function storeToolCalls(
  tx: Tx,
  ref: BridgedCallRef,
  { call, chat }: LockedBridgedCall,
  responseId: string,
  calls: readonly SpokenToolCall[],
  now: Date,
): Promise<MessageRow> {
  const callItemId = itemOf(ref, `tools.${responseId}`);
  const stored = await findCallMessage(tx, call.id, callItemId);
  if (stored !== undefined) return stored;
  return insertMessage(tx, {
    chatId: chat.id,
    role: 'assistant',
    author: 'agent',
    content: null,
    memberId: chat.assistantMemberId,
    taskId: await currentTaskId(tx, chat, now),
    toolCalls: calls.slice(0, maxToolCallsInAnswer).map(
      ({ name, arguments: args }, index): ToolCall => ({
        id: `call_${call.id}_${ref.attempt}_${responseId}_${index}`,
        type: 'function',
        function: { name, arguments: args },
      }),
    ),
    callId: call.id,
    callItemId,
    turnVersion: chat.version,
  });
}
