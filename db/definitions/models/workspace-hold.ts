import { column, tenantTable } from '../../lib/table.js';
import type { RowOf } from '../../lib/table-model.js';

export class WorkspaceHoldModel extends tenantTable('workspace_holds', {
  heldAt: column<Date>(),
  /** When it ends by itself; null: it is ended by somebody. */
  until: column<Date | null>(),
  reason: column<string | null>('configuration'),
  heldByMemberId: column<number>(),
  endedAt: column<Date | null>(),
  /** Null: it is open, or has ended by itself. */
  endedByMemberId: column<number | null>(),
  /** Where the waking of what rested stands: a list, and the last of its rows. */
  wokenList: column<string | null>('code'),
  wokenAfter: column<number | null>(),
  /** When all of it was woken. */
  wokenAt: column<Date | null>(),
}) {}

export type WorkspaceHoldRow = RowOf<WorkspaceHoldModel>;
