import {
  acknowledgeBridgeCommand,
  type BridgeCommand,
  endCallBridge,
  findLatestBridge,
  renewBridges,
} from '../../../db/calls/call-bridges.js';
import { findPhoneCall } from '../../../db/calls/phone-calls.js';
import { findChat } from '../../../db/conversations/chats.js';
import type { ServiceContext } from '../../kernel/context.js';
import { pokeCallRun } from '../../kernel/runs.js';
import { leaseMs } from '../call-times.js';

/** How often a process says that it holds its calls: three times within a lease. */
export const renewEveryMs = leaseMs / 3;

/** A bridge that is still held, and what the run wants of it that was not acknowledged yet. */
export interface RenewedLease {
  bridgeId: number;
  command: BridgeCommand | null;
}

/** Renews the leases of a process in a workspace. A bridge that is not among them is held no longer. */
export async function renewLeases(
  { db, clock }: ServiceContext,
  workspaceId: number,
  processId: string,
): Promise<RenewedLease[]> {
  const held = await db.inWorkspace(workspaceId, (tx) => renewBridges(tx, processId, clock.now()));
  return held.map(({ id, command, acknowledgedAt }) => ({
    bridgeId: id,
    command: acknowledgedAt === null ? command : null,
  }));
}

/** Tells the run that the process does what it wants. May be repeated. */
export async function acknowledgeCommand(
  { db, clock }: ServiceContext,
  workspaceId: number,
  bridgeId: number,
): Promise<void> {
  await db.inWorkspace(workspaceId, (tx) => acknowledgeBridgeCommand(tx, bridgeId, clock.now()));
}

/** Ends of a bridge after which the carrier's next question or its last report decides: the run has nothing to do. */
const followedByCarrier: ReadonlySet<string> = new Set([
  'caller_left',
  'agent_ended',
  'transfer',
  'commanded',
]);

/** Gives the lease back, and pokes the run of the call where it has something to do. May be repeated. @param reason a code */
export async function endLease(
  { db, clock }: ServiceContext,
  { workspaceId, bridgeId }: { workspaceId: number; bridgeId: number },
  reason: string,
): Promise<void> {
  await db.inWorkspace(workspaceId, async (tx) => {
    const callId = await endCallBridge(tx, bridgeId, reason, clock.now());
    if (followedByCarrier.has(reason)) return;
    const call = callId === undefined ? undefined : await findPhoneCall(tx, callId);
    const chat = call?.chatId == null ? undefined : await findChat(tx, call.chatId);
    if (call !== undefined && chat !== undefined) await pokeCallRun(tx, chat, call);
  });
}

/**
 * Pokes the run of a call whose last stream has ended, if the carrier has reported no end since: the run then asks it. May be
 * repeated. A transfer goes on without a stream.
 */
export async function pokeIfUnreported(
  { db }: Pick<ServiceContext, 'db'>,
  { workspaceId, callId, attempt }: { workspaceId: number; callId: number; attempt: number },
): Promise<void> {
  await db.inWorkspace(workspaceId, async (tx) => {
    const call = await findPhoneCall(tx, callId);
    if (call === undefined || call.finishedAt !== null || call.endedBy === 'transfer') return;
    const latest = await findLatestBridge(tx, callId);
    if (latest?.attempt !== attempt || latest.endedAt === null) return;
    const chat = call.chatId === null ? undefined : await findChat(tx, call.chatId);
    if (chat !== undefined) await pokeCallRun(tx, chat, call);
  });
}
