import { column, tenantTable } from '../../lib/tenant-table.js';

export class EmailOptOutModel extends tenantTable('email_opt_outs', {
  recipient: column<string>(),
  optedOutAt: column<Date>(),
  /** `link`: the person unsubscribed. `complaint`, `bounce`: what the recipient's server reported. */
  source: column<'link' | 'complaint' | 'bounce'>(),
}) {}
