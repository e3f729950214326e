import { column, tenantTable } from '../../lib/table.js';

export const emailOptOutSources = ['link', 'complaint', 'bounce'] as const;

export class EmailOptOutModel extends tenantTable('email_opt_outs', {
  /** The address; of an erased person, or of a link whose email is deleted, its digest (`digestOf`). */
  recipient: column<string>('personal'),
  /** The digest of the address in either case, which the database fills in. */
  recipientDigest: column<string>('digest'),
  optedOutAt: column<Date>(),
  /** `link`: the person unsubscribed. `complaint`, `bounce`: what the recipient's server reported. */
  source: column<(typeof emailOptOutSources)[number]>('code'),
}) {}
