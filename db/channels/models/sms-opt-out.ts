import { column, tenantTable } from '../../lib/table.js';

export class SmsOptOutModel extends tenantTable('sms_opt_outs', {
  recipient: column<string>(),
  sender: column<string>(),
  optedOutAt: column<Date>(),
  source: column<'keyword' | 'carrier'>(),
}) {}
