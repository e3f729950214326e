import type { RowOf } from '../../lib/tenant-model.js';
import { column, tenantTable } from '../../lib/tenant-table.js';

/** `requested`: the agent announces it. `dialing`: the carrier was told. The others are final. */
export type TransferState = 'requested' | 'dialing' | 'answered' | 'busy' | 'no-answer' | 'failed';

export class CallTransferModel extends tenantTable('call_transfers', {
  uuid: column<string>(),
  callId: column<number>(),
  toolCallId: column<string>(),
  /** The name of the target in the definition. */
  targetName: column<string>(),
  phoneNumber: column<string>(),
  ringSeconds: column<number>(),
  /** What is read to the person that answers, before the caller is connected. */
  facts: column<string>(),
  state: column<TransferState>(),
  dialedAt: column<Date | null>(),
  endedAt: column<Date | null>(),
  createdAt: column<Date>(),
  updatedAt: column<Date>(),
}) {}

export type CallTransferRow = RowOf<CallTransferModel>;
