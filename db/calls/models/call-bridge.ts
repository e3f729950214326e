import { column, tenantTable } from '../../lib/table.js';
import type { RowOf } from '../../lib/table-model.js';

/** `hang_up`: say goodbye, then close the stream. `transfer`: close it at once, so that the carrier asks what follows. */
export type BridgeCommand = 'hang_up' | 'transfer';

/** One attempt to hold a call's stream: the lease of a process of `media` on it. */
export class CallBridgeModel extends tenantTable('call_bridges', {
  callId: column<number>(),
  /** From 1. Commands of the call carry it; those of an earlier attempt are refused. */
  attempt: column<number>(),
  /** Null until its stream has begun. */
  processId: column<string | null>(),
  /** The carrier's id of the stream. */
  streamId: column<string | null>('id'),
  /** When its one-time token was used. */
  beganAt: column<Date | null>(),
  heartbeatAt: column<Date | null>(),
  endedAt: column<Date | null>(),
  /** A code: a reason of `media/bridge`, `lost` for a lease that ran out, or what the carrier reports. */
  endReason: column<string | null>('code'),
  /** What the run wants of the process. */
  command: column<BridgeCommand | null>('code'),
  commandAt: column<Date | null>(),
  acknowledgedAt: column<Date | null>(),
  createdAt: column<Date>(),
}) {}

export type CallBridgeRow = RowOf<CallBridgeModel>;
