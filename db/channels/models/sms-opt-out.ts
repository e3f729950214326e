import { TenantModel } from '../../lib/tenant-model.js';

export class SmsOptOutModel extends TenantModel {
  static override tableName = 'sms_opt_outs';

  declare recipient: string;
  declare sender: string;
  declare optedOutAt: Date;
  declare source: 'keyword' | 'carrier';
}
