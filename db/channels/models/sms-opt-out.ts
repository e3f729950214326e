import { column, tenantTable } from '../../lib/table.js';

export class SmsOptOutModel extends tenantTable('sms_opt_outs', {
  recipient: column<string>('personal'),
  sender: column<string>('configuration'),
  optedOutAt: column<Date>(),
  source: column<'keyword' | 'carrier'>('code'),
}) {}
