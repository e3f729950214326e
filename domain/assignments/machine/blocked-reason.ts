import type { ChatRow } from '../../../db/conversations/chats.js';

/** The code that operators read of an assignment that goes on only when a person does something; empty if it does not wait for one. */
export function blockedReasonOf(
  chat: Pick<ChatRow, 'archived' | 'agentStoppedReason' | 'paused' | 'standingReason'>,
  awaitsApproval: boolean,
): { stands?: string } {
  if (chat.archived) return {};
  const stands = awaitsApproval
    ? 'approval'
    : (chat.agentStoppedReason ?? (chat.paused ? 'paused' : chat.standingReason));
  return stands === null ? {} : { stands };
}
