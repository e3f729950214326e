import { type RowOf, TenantModel } from '../../lib/tenant-model.js';

export class ChatLabelModel extends TenantModel {
  static override tableName = 'chat_labels';

  declare uuid: string;
  declare name: string;
  declare slug: string;
  /** `#rrggbb`. */
  declare color: string;
  declare description: string;
  declare createdAt: Date;
  declare updatedAt: Date;
}

export type ChatLabelRow = RowOf<ChatLabelModel>;
