import { column, tenantTable } from '../../lib/table.js';
import type { RowOf } from '../../lib/table-model.js';

/** `run`: approved, and run. `withdrawn`: the chat moved on, or a colleague took it over. */
export type ApprovalState = 'waiting' | 'approved' | 'run' | 'rejected' | 'expired' | 'withdrawn';

/** A tool call of the agent that a colleague has to approve before it is run. */
export class ToolApprovalModel extends tenantTable('tool_approvals', {
  uuid: column<string>(),
  chatId: column<number>(),
  /** The message with the call. */
  messageId: column<number>(),
  toolCallId: column<string>('id'),
  state: column<ApprovalState>('code'),
  requestedAt: column<Date>(),
  /** After that it is not run any more. */
  expiresAt: column<Date>(),
  decidedAt: column<Date | null>(),
  decidedByMemberId: column<number | null>(),
  /** What the colleague says to the agent. */
  comment: column<string | null>('personal'),
}) {}

export type ToolApprovalRow = RowOf<ToolApprovalModel>;
