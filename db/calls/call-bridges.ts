import { prepared } from '../statement.js';
import type { Tx } from '../tx.js';
import { CallBridgeModel, type CallBridgeRow } from './models/call-bridge.js';

export type { BridgeCommand, CallBridgeRow } from './models/call-bridge.js';

export async function insertCallBridge(
  tx: Tx,
  values: Pick<CallBridgeRow, 'callId' | 'attempt' | 'createdAt'>,
): Promise<CallBridgeRow> {
  return CallBridgeModel.insert(tx, values);
}

/** Finds the newest bridge of a call: the only one whose commands count. */
export async function findLatestBridge(tx: Tx, callId: number): Promise<CallBridgeRow | undefined> {
  return CallBridgeModel.first(tx, 'call_id = ? order by attempt desc', [callId]);
}

export async function lockCallBridge(
  tx: Tx,
  callId: number,
  attempt: number,
): Promise<CallBridgeRow | undefined> {
  return CallBridgeModel.first(tx, 'call_id = ? and attempt = ? for update', [callId, attempt]);
}

/** Lists the bridges of a call in the order of their attempts. */
export async function selectBridgesOfCall(tx: Tx, callId: number): Promise<CallBridgeRow[]> {
  return CallBridgeModel.where(tx, 'call_id = ? order by attempt', [callId]);
}

/** Finds the bridge of a call by the carrier's id of its stream. */
export async function findBridgeOfStream(
  tx: Tx,
  callId: number,
  streamId: string,
): Promise<CallBridgeRow | undefined> {
  return CallBridgeModel.first(tx, 'call_id = ? and stream_id = ?', [callId, streamId]);
}

export async function patchCallBridge(
  tx: Tx,
  bridgeId: number,
  changes: Partial<Omit<CallBridgeRow, 'id' | 'workspaceId' | 'callId' | 'attempt'>>,
): Promise<CallBridgeRow> {
  return CallBridgeModel.patch(tx, bridgeId, changes);
}

/** Ends the bridges of earlier attempts, whose processes learn it when they renew their leases. */
export async function endEarlierBridges(tx: Tx, callId: number, attempt: number, now: Date): Promise<void> {
  const changes = { endedAt: now, endReason: 'superseded' };
  const earlier = 'call_id = ? and attempt < ? and ended_at is null';
  await CallBridgeModel.updateWhere(tx, changes, earlier, [callId, attempt]);
}

/** Ends bridges of the workspace whose processes have died: they were not renewed since a time. */
export async function endLostBridges(tx: Tx, before: Date, now: Date): Promise<void> {
  const lost =
    'select id from call_bridges where ended_at is null and heartbeat_at < ? for update skip locked';
  await CallBridgeModel.updateWhere(tx, { endedAt: now, endReason: 'lost' }, `id in (${lost})`, [before]);
}

/** Counts the bridges of the workspace that have been held since a time. */
export async function countHeldBridges(tx: Tx, since: Date): Promise<number> {
  return CallBridgeModel.count(tx, 'ended_at is null and heartbeat_at > ?', [since]);
}

/** A bridge that a process holds, with what the run wants of it. */
export type HeldBridge = Pick<CallBridgeRow, 'id' | 'command' | 'acknowledgedAt'>;

/** Renews the leases of a process. @returns what it still holds */
export async function renewBridges(tx: Tx, processId: string, now: Date): Promise<HeldBridge[]> {
  const held = 'process_id = ? and ended_at is null';
  return CallBridgeModel.updateReturning(tx, { heartbeatAt: now }, held, [processId]);
}

export async function acknowledgeBridgeCommand(tx: Tx, bridgeId: number, now: Date): Promise<void> {
  const open = 'id = ? and command is not null and acknowledged_at is null';
  await CallBridgeModel.updateWhere(tx, { acknowledgedAt: now }, open, [bridgeId]);
}

/**
 * Ends a bridge. An error that the carrier has reported of its stream is the reason why that was closed. @returns its call;
 * undefined if it had ended before
 */
export async function endCallBridge(
  tx: Tx,
  bridgeId: number,
  reason: string,
  now: Date,
): Promise<number | undefined> {
  const [row] = await prepared<{ callId: number }>(
    tx,
    `update call_bridges set ended_at = ?,
       end_reason = case when end_reason = 'stream_error' and ?::text = 'closed' then end_reason else ?::text end
     where id = ? and ended_at is null
     returning call_id as "callId"`,
    [now, reason, reason, bridgeId],
  );
  return row?.callId;
}
