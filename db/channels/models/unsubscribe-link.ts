import { column, tenantTable } from '../../lib/table.js';
import type { RowOf } from '../../lib/table-model.js';

/** The link of an email by which its recipient unsubscribes, which stays when the email is deleted. */
export class UnsubscribeLinkModel extends tenantTable('unsubscribe_links', {
  token: column<string>('token'),
  /** Of the address that the email went to (`digestOf`). */
  recipientDigest: column<string>('digest'),
  /** The sender, as the recipient saw it. */
  fromName: column<string>('configuration'),
  createdAt: column<Date>(),
}) {}

export type UnsubscribeLinkRow = RowOf<UnsubscribeLinkModel>;
