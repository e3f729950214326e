import { column, tenantTable } from '../../lib/table.js';
import type { RowOf } from '../../lib/table-model.js';

/** `requested`: the agent announces it. `dialing`: the carrier was told. The others are final. */
export type TransferState = 'requested' | 'dialing' | 'answered' | 'busy' | 'no-answer' | 'failed';

export class CallTransferModel extends tenantTable('call_transfers', {
  uuid: column<string>(),
  callId: column<number>(),
  toolCallId: column<string>('id'),
  /** The name of the target in the definition. */
  targetName: column<string>('configuration'),
  phoneNumber: column<string>('configuration'),
  ringSeconds: column<number>(),
  /** What is read to the person that answers, before the caller is connected. */
  facts: column<string>('personal'),
  state: column<TransferState>('code'),
  /** Why the safety gate refused it: a code. */
  blockedReason: column<string | null>('code'),
  /** For how long the carrier was told to leave it up. */
  maxSeconds: column<number | null>(),
  /** Whether it leads to another country than that of the number that is called from. */
  isAbroad: column<boolean>(),
  dialedAt: column<Date | null>(),
  endedAt: column<Date | null>(),
  createdAt: column<Date>(),
  updatedAt: column<Date>(),
}) {}

export type CallTransferRow = RowOf<CallTransferModel>;
