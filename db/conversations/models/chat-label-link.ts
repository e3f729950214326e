import { TenantModel } from '../../lib/tenant-model.js';

export class ChatLabelLinkModel extends TenantModel {
  static override tableName = 'chat_label_links';

  declare chatId: number;
  declare chatLabelId: number;
  declare createdAt: Date;
}
