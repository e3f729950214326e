import { findPhoneCall, selectUnsettledCalls } from '../../db/calls/phone-calls.js';
import { findChat } from '../../db/conversations/chats.js';
import { subjectsWaiting } from '../../db/outbox.js';
import type { ServiceContext } from '../kernel/context.js';
import { pokeCallRun } from '../kernel/runs.js';
import type { WalkPage } from '../lib/paging.js';
import type { PhoneCallRef } from './claim-call.js';

/** A call whose run has something left to do. */
export interface UnsettledCall extends PhoneCallRef {
  callUuid: string;
}

const pageSize = 200;

/** Returns the next page of such calls, except those with an outbox entry that the relay has yet to deliver. */
export async function pageOfUnsettledCalls(
  { db }: ServiceContext,
  workspaceId: number,
  after = 0,
): Promise<WalkPage<UnsettledCall, number>> {
  return db.readInWorkspace(workspaceId, async (tx) => {
    const calls = await selectUnsettledCalls(tx, after, pageSize);
    const uuids = calls.map(({ uuid }) => uuid);
    const waiting = await subjectsWaiting(tx, 'runVoiceCall', uuids);
    const items = calls
      .filter(({ uuid, chatId }) => chatId !== null && !waiting.has(uuid))
      .map(({ id, uuid }) => ({ workspaceId, callId: id, callUuid: uuid }));
    return { items, next: calls.length < pageSize ? undefined : calls.at(-1)?.id };
  });
}

/** Pokes the missing run of a call. Harmless if it exists. */
export async function restartCall(
  { db }: ServiceContext,
  { workspaceId, callId }: UnsettledCall,
): Promise<void> {
  await db.inWorkspace(workspaceId, async (tx) => {
    const call = await findPhoneCall(tx, callId);
    if (call === undefined || call.chatId === null || call.settledAt !== null) return;
    const chat = await findChat(tx, call.chatId);
    if (chat !== undefined) await pokeCallRun(tx, chat, call);
  });
}
