import { findLatestBridge } from '../../../db/calls/call-bridges.js';
import type { PhoneCallRow } from '../../../db/calls/phone-calls.js';
import type { ChatRow } from '../../../db/conversations/chats.js';
import type { Tx } from '../../../db/tx.js';
import { lockCall } from '../../calls/lock-call.js';

/** A call, as one attempt to hold its stream knows it. */
export interface BridgedCallRef {
  workspaceId: number;
  chatId: number;
  callId: number;
  /** The number of the bridge. */
  attempt: number;
  /** Null: the call is not recorded. */
  recordingUuid: string | null;
}

export interface LockedBridgedCall {
  call: PhoneCallRow;
  chat: ChatRow;
}

/**
 * Locks the chat and the call for a command of an attempt. An attempt that is over writes nothing: a process that was thought dead
 * may still live. @returns undefined if a later attempt has begun
 */
export async function lockBridgedCall(
  tx: Tx,
  { callId, attempt }: BridgedCallRef,
): Promise<LockedBridgedCall | undefined> {
  const locked = await lockCall(tx, { callId });
  if (locked?.chat === undefined) return undefined;
  const latest = await findLatestBridge(tx, callId);
  // One that was asked for and has not begun does not end this one.
  const isOvertaken = latest !== undefined && latest.attempt > attempt && latest.beganAt !== null;
  return isOvertaken ? undefined : { call: locked.call, chat: locked.chat };
}

/** The id that an item of the conversation has in its call: models number theirs anew in each session. */
export function itemOf({ attempt }: BridgedCallRef, itemId: string): string {
  return `${attempt}.${itemId}`;
}
