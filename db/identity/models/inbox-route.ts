import { column, identityTable } from '../../lib/table.js';
import type { RowOf } from '../../lib/table-model.js';

/** The workspace and its inbox that mail to an address belongs to. */
export class InboxRouteModel extends identityTable('inbox_routes', {
  /** In lower case. */
  address: column<string>('configuration'),
  inboxUuid: column<string>(),
  workspaceId: column<number>(),
  inboxId: column<number>(),
}) {}

export type InboxRouteRow = RowOf<InboxRouteModel>;
