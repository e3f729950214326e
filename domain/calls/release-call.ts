import { type BridgeCommand, type CallBridgeRow, findLatestBridge } from '../../db/calls/call-bridges.js';
import { type PhoneCallRow, patchPhoneCall } from '../../db/calls/phone-calls.js';
import type { Tx } from '../../db/tx.js';
import type { ServiceContext } from '../kernel/context.js';
import { commandBridge } from './bridges/command-bridge.js';
import { isHeld } from './bridges/is-held.js';
import type { NextCallStep } from './call-actions.js';
import type { EndedBy } from './call-endings.js';
import { endGraceMs, goodbyeWithinMs, messageWithinMs, silentForMs } from './call-times.js';
import type { PhoneCallRef } from './claim-call.js';
import type { LockedCall } from './lock-call.js';

/**
 * Ends our part of a call at the process that holds it, then at the carrier: the process is commanded first; if it does not
 * acknowledge, or is still there after a goodbye, the carrier is made to ask what follows, and at last to end the call.
 */
export async function releaseCall(
  { db }: ServiceContext,
  tx: Tx,
  { call, chat }: LockedCall & { call: PhoneCallRow & { carrierCallId: string } },
  now: Date,
): Promise<NextCallStep> {
  const { carrierCallId, releasedAt } = call;
  if (releasedAt !== null) {
    const askedAt = call.askedAt?.getTime() ?? 0;
    const graceMs = call.endedBy === 'voicemail' && call.hungUpAt === null ? messageWithinMs : endGraceMs;
    const dueAt = Math.max(releasedAt.getTime() + graceMs, askedAt + silentForMs);
    if (now.getTime() >= dueAt) return { kind: 'end', carrierCallId };
    return { kind: 'wait', until: dueAt, for: 'release' };
  }
  const before = call.endedBy === 'transfer' ? undefined : await beforeCarrier(tx, call, now);
  if (before !== undefined) return before;
  await patchPhoneCall(tx, call.id, { releasedAt: now, updatedAt: now });
  const workspace = await db.identity.workspaces.findById(tx.workspaceId, tx);
  // Asked what follows, the service would have the target of a transfer dialled again.
  const isAsked = workspace !== undefined && chat !== undefined && call.endedBy !== 'transfer';
  if (!isAsked) return { kind: 'end', carrierCallId };
  const place = {
    workspaceUuid: workspace.uuid,
    chatId: chat.id,
    phoneNumberId: call.phoneNumberId,
    callId: call.id,
    callUuid: call.uuid,
  };
  return { kind: 'redirect', carrierCallId, place };
}

/** @returns undefined if the process does not end the call, or there is none */
async function beforeCarrier(tx: Tx, call: PhoneCallRow, now: Date): Promise<NextCallStep | undefined> {
  const bridge = await findLatestBridge(tx, call.id);
  if (bridge?.acknowledgedAt != null) {
    const until = endOf(bridge, bridge.acknowledgedAt);
    return until > now.getTime() ? { kind: 'wait', until, for: 'release' } : undefined;
  }
  if (!isHeld(bridge, now)) return undefined;
  const told = await commandBridge(tx, call.id, commandOf(call.endedBy), now);
  return told?.fate === 'unheard' ? { kind: 'command', processId: told.processId } : undefined;
}

/** The carrier asks what follows by itself once the stream is closed. */
function endOf({ endedAt }: CallBridgeRow, acknowledgedAt: Date): number {
  return endedAt === null ? acknowledgedAt.getTime() + goodbyeWithinMs : endedAt.getTime() + silentForMs;
}

/** People are said goodbye to; machines are not. */
function commandOf(endedBy: string | null): BridgeCommand {
  return saysGoodbye.has(endedBy) ? 'hang_up' : 'transfer';
}

const saysGoodbye: ReadonlySet<string | null> = new Set<EndedBy>(['deadline', 'handoff', 'hung_up']);

/** Whether the process has acknowledged its command, or has let the call go. */
export async function hasTakenCommand(
  { db }: ServiceContext,
  { workspaceId, callId }: PhoneCallRef,
): Promise<boolean> {
  const bridge = await db.readInWorkspace(workspaceId, (tx) => findLatestBridge(tx, callId));
  return bridge === undefined || bridge.acknowledgedAt !== null || bridge.endedAt !== null;
}
