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
  const [row] = await CallBridgeModel.where(tx, 'call_id = ? and attempt = ? for update', [callId, attempt]);
  return row;
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
  await prepared(
    tx,
    `update call_bridges set ended_at = ?, end_reason = 'superseded'
     where call_id = ? and attempt < ? and ended_at is null`,
    [now, callId, attempt],
  );
}

/** Ends bridges of the workspace whose processes have died: they were not renewed since a time. */
export async function endLostBridges(tx: Tx, before: Date, now: Date): Promise<void> {
  await prepared(
    tx,
    `update call_bridges set ended_at = ?, end_reason = 'lost'
     where id in (select id from call_bridges where ended_at is null and heartbeat_at < ? for update skip locked)`,
    [now, before],
  );
}

/** Counts the bridges of the workspace that have been held since a time. */
export async function countHeldBridges(tx: Tx, since: Date): Promise<number> {
  const [row] = await prepared<{ count: number }>(
    tx,
    'select count(*)::int as count from call_bridges where ended_at is null and heartbeat_at > ?',
    [since],
  );
  return row?.count ?? 0;
}

/** A bridge that a process holds, with what the run wants of it. */
export type HeldBridge = Pick<CallBridgeRow, 'id' | 'command' | 'acknowledgedAt'>;

/** Renews the leases of a process. @returns what it still holds */
export async function renewBridges(tx: Tx, processId: string, now: Date): Promise<HeldBridge[]> {
  return prepared(
    tx,
    `update call_bridges set heartbeat_at = ? where process_id = ? and ended_at is null
     returning id, command, acknowledged_at as "acknowledgedAt"`,
    [now, processId],
  );
}

export async function acknowledgeBridgeCommand(tx: Tx, bridgeId: number, now: Date): Promise<void> {
  await prepared(
    tx,
    'update call_bridges set acknowledged_at = ? where id = ? and command is not null and acknowledged_at is null',
    [now, bridgeId],
  );
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
