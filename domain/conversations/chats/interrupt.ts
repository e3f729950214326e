import type { ChatRow } from '../../../db/conversations/chats.js';
import type { WaitingCall } from '../../../db/conversations/tool-approvals.js';

/** What a chat waits for a person to decide. */
export type Interrupt =
  | { kind: 'handoff'; id: string; since: Date }
  | {
      kind: 'tool_call';
      id: string;
      since: Date;
      expiresAt: Date;
      /** Undefined if the reader may not see it. */
      toolCall: { id: string; name: string; arguments: string } | undefined;
    };

type HandedOver = Pick<
  ChatRow,
  'paused' | 'pausedAt' | 'pausedReason' | 'pausedByMemberId' | 'needsResponse' | 'needsResponseReason'
>;

/**
 * A handoff that no colleague has taken. A chat whose handoff was answered stays paused for it, and may wait for another
 * reason. The time makes the id, so that an answer is about this handoff only.
 */
export function handoffIdOf(chat: HandedOver): string | undefined {
  const { paused, pausedAt, pausedReason, pausedByMemberId, needsResponse, needsResponseReason } = chat;
  const isHandedOver = paused && pausedReason === 'handoff' && pausedByMemberId === null;
  const isOpen = isHandedOver && needsResponse && needsResponseReason === 'handoff';
  return isOpen && pausedAt !== null ? handoffId(pausedAt) : undefined;
}

export function handoffId(pausedAt: Date): string {
  return `handoff-${pausedAt.getTime()}`;
}

/** @param showsCall whether the reader may see what the agent would do: colleagues who decide, not the member */
export function interruptOf(
  chat: HandedOver,
  call: WaitingCall | undefined,
  showsCall: boolean,
): Interrupt | undefined {
  if (call !== undefined) {
    const { uuid, requestedAt, expiresAt, toolCallId } = call;
    const found = call.toolCalls.find(({ id }) => id === toolCallId);
    const toolCall = showsCall && found ? { id: found.id, ...found.function } : undefined;
    return { kind: 'tool_call', id: uuid, since: requestedAt, expiresAt, toolCall };
  }
  const id = handoffIdOf(chat);
  return id === undefined || chat.pausedAt === null
    ? undefined
    : { kind: 'handoff', id, since: chat.pausedAt };
}
