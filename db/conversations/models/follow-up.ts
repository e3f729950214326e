import { type RowOf, TenantModel } from '../../lib/tenant-model.js';

export class FollowUpModel extends TenantModel {
  static override tableName = 'follow_ups';
  static fields = [
    'id',
    'workspaceId',
    'uuid',
    'chatId',
    'instructions',
    'dueAt',
    'firedAt',
    'cancelledAt',
    'createdAt',
    'scheduledByMemberId',
    'cancelledByMemberId',
  ] as const satisfies readonly (keyof RowOf<FollowUpModel>)[];

  declare uuid: string;
  declare chatId: number;
  declare instructions: string;
  declare dueAt: Date;
  declare firedAt: Date | null;
  declare cancelledAt: Date | null;
  declare createdAt: Date;
  /** The member of the assistant, or the colleague who wrote in its name; null where unknown. */
  declare scheduledByMemberId: number | null;
  /** Null where the service cancelled it. */
  declare cancelledByMemberId: number | null;
}

export type FollowUpRow = RowOf<FollowUpModel>;
