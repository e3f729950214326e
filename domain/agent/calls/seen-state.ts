import { findAssignmentOfChat } from '../../../db/assignments/assignments.js';
import { findLatestBridge } from '../../../db/calls/call-bridges.js';
import { findPhoneCall } from '../../../db/calls/phone-calls.js';
import { findChat } from '../../../db/conversations/chats.js';
import type { Database } from '../../../db/database.js';
import type { BridgedCallRef } from './bridged-call.js';

/** What changes whenever there may be news of a call. */
export type SeenState = readonly (string | number | boolean | null)[];

/** Reads it without locks. @returns undefined if the call or the chat is gone */
export async function readSeenState(
  db: Database,
  { workspaceId, callId, chatId }: BridgedCallRef,
): Promise<SeenState | undefined> {
  return db.readInWorkspace(workspaceId, async (tx) => {
    const [call, chat, bridge, assignment] = await Promise.all([
      findPhoneCall(tx, callId),
      findChat(tx, chatId),
      findLatestBridge(tx, callId),
      findAssignmentOfChat(tx, chatId),
    ]);
    if (call === undefined || chat === undefined) return undefined;
    return [
      call.endedBy,
      call.finishedAt === null,
      bridge?.attempt ?? 0,
      bridge?.beganAt === null,
      chat.revision,
      chat.version,
      chat.paused,
      chat.archived,
      chat.assistantEnabled,
      chat.agentStoppedReason,
      assignment?.status ?? null,
      assignment?.currentTaskId ?? null,
      assignment === undefined ? null : assignment.updatedAt.getTime(),
    ];
  });
}

export function isSame(one: SeenState, other: SeenState | undefined): boolean {
  return other !== undefined && one.every((value, place) => value === other[place]);
}
