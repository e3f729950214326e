import type { Tx } from '../database.js';
import { insertRow, patchRow, selectRow, selectRows } from '../lib/rows.js';
import { CallBridgeModel, type CallBridgeRow } from './models/call-bridge.js';

export type { BridgeCommand, CallBridgeRow } from './models/call-bridge.js';

export async function insertCallBridge(
  tx: Tx,
  values: Pick<CallBridgeRow, 'callId' | 'attempt' | 'createdAt'>,
): Promise<CallBridgeRow> {
  return insertRow(CallBridgeModel, tx, values);
}

/** Finds the newest bridge of a call: the only one whose commands count. */
export async function findLatestBridge(tx: Tx, callId: number): Promise<CallBridgeRow | undefined> {
  return selectRow(CallBridgeModel, tx, 'call_id = ? order by attempt desc', [callId]);
}

export async function lockCallBridge(
  tx: Tx,
  callId: number,
  attempt: number,
): Promise<CallBridgeRow | undefined> {
  const [row] = await selectRows(CallBridgeModel, tx, 'call_id = ? and attempt = ? for update', [
    callId,
    attempt,
  ]);
  return row;
}

/** Lists the bridges of a call in the order of their attempts. */
export async function selectBridgesOfCall(tx: Tx, callId: number): Promise<CallBridgeRow[]> {
  return selectRows(CallBridgeModel, tx, 'call_id = ? order by attempt', [callId]);
}

export async function patchCallBridge(
  tx: Tx,
  bridgeId: number,
  changes: Partial<Omit<CallBridgeRow, 'id' | 'workspaceId' | 'callId' | 'attempt'>>,
): Promise<CallBridgeRow> {
  return patchRow(CallBridgeModel, tx, bridgeId, changes);
}
