import { prepared } from '../statement.js';
import type { Tx } from '../tx.js';
import { CallTransferModel, type CallTransferRow } from './models/call-transfer.js';

export type { CallTransferRow, TransferState } from './models/call-transfer.js';

export async function insertTransfer(
  tx: Tx,
  values: Pick<
    CallTransferRow,
    'callId' | 'toolCallId' | 'targetName' | 'phoneNumber' | 'ringSeconds' | 'facts' | 'state'
  > &
    Partial<Pick<CallTransferRow, 'blockedReason' | 'endedAt'>>,
): Promise<CallTransferRow> {
  return CallTransferModel.insert(tx, values);
}

/** The transfer of a call that is requested or being dialled; there is one at most. */
export async function findOpenTransfer(tx: Tx, callId: number): Promise<CallTransferRow | undefined> {
  return CallTransferModel.first(tx, "call_id = ? and state in ('requested', 'dialing')", [callId]);
}

/** Finds the newest transfer of a call, also one that the safety gate refused. */
export async function findLatestTransfer(tx: Tx, callId: number): Promise<CallTransferRow | undefined> {
  return CallTransferModel.first(tx, 'call_id = ? order by id desc', [callId]);
}

export async function findTransferByUuid(tx: Tx, uuid: string): Promise<CallTransferRow | undefined> {
  return CallTransferModel.first(tx, 'uuid = ?', [uuid]);
}

export async function patchTransfer(
  tx: Tx,
  id: number,
  changes: Partial<Omit<CallTransferRow, 'id' | 'workspaceId'>>,
): Promise<CallTransferRow> {
  return CallTransferModel.patch(tx, id, changes);
}

/** What transfers of a workspace take, of those that were dialled since a time. */
export interface TransfersMade {
  /** Those that are up. */
  open: number;
  /** Those to a number. */
  toNumber: number;
  /** From dialling to the end; of one that is up, what it may last. */
  seconds: number;
  secondsAbroad: number;
}

export async function countTransfers(
  tx: Tx,
  { phoneNumber, since, longestSeconds }: { phoneNumber: string; since: Date; longestSeconds: number },
): Promise<TransfersMade> {
  const [made] = await prepared<TransfersMade>(
    tx,
    `select count(*) filter (where is_open)::int as open,
       count(*) filter (where phone_number = ?)::int as "toNumber",
       coalesce(sum(seconds), 0)::int as seconds,
       coalesce(sum(seconds) filter (where is_abroad), 0)::int as "secondsAbroad"
     from (
       select t.phone_number, t.is_abroad, coalesce(t.ended_at, c.finished_at) is null as is_open,
         least(
           coalesce(t.max_seconds, ?::int),
           ceil(extract(epoch from coalesce(t.ended_at, c.finished_at) - t.dialed_at))
         ) as seconds
       from call_transfers t join phone_calls c on c.workspace_id = t.workspace_id and c.id = t.call_id
       where t.dialed_at > ?
     ) as made`,
    [phoneNumber, longestSeconds, since],
  );
  return made ?? { open: 0, toNumber: 0, seconds: 0, secondsAbroad: 0 };
}
