import type { Tx } from '../database.js';
import { insertRow, patchRow, selectRow } from '../lib/rows.js';
import { CallTransferModel, type CallTransferRow } from './models/call-transfer.js';

export type { CallTransferRow, TransferState } from './models/call-transfer.js';

export async function insertTransfer(
  tx: Tx,
  values: Pick<
    CallTransferRow,
    'callId' | 'toolCallId' | 'targetName' | 'phoneNumber' | 'ringSeconds' | 'facts' | 'state'
  >,
): Promise<CallTransferRow> {
  return insertRow(CallTransferModel, tx, values);
}

/** The transfer of a call that is requested or being dialled; there is one at most. */
export async function findOpenTransfer(tx: Tx, callId: number): Promise<CallTransferRow | undefined> {
  return selectRow(CallTransferModel, tx, "call_id = ? and state in ('requested', 'dialing')", [callId]);
}

export async function findTransferByUuid(tx: Tx, uuid: string): Promise<CallTransferRow | undefined> {
  return selectRow(CallTransferModel, tx, 'uuid = ?', [uuid]);
}

export async function patchTransfer(
  tx: Tx,
  id: number,
  changes: Partial<Omit<CallTransferRow, 'id' | 'workspaceId'>>,
): Promise<CallTransferRow> {
  return patchRow(CallTransferModel, tx, id, changes);
}
