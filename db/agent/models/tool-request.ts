import { column, tenantTable } from '../../lib/table.js';
import type { RowOf } from '../../lib/table-model.js';

/** A request to a web service that a tool call has made, or is making. Kept for a day, for the limits. */
export class ToolRequestModel extends tenantTable('tool_requests', {
  chatId: column<number>(),
  toolCallId: column<string>('id'),
  idempotencyKey: column<string>(),
  claimToken: column<string>(),
  claimedAt: column<Date>(),
  attempts: column<number>(),
  settledAt: column<Date | null>(),
  statusCode: column<number | null>(),
  /** A code. */
  failureCode: column<string | null>('code'),
}) {}

export type ToolRequestRow = RowOf<ToolRequestModel>;
