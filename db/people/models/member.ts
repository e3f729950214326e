import { type RowOf, TenantModel } from '../../lib/tenant-model.js';

export class MemberModel extends TenantModel {
  static override tableName = 'members';
  static fields = [
    'id',
    'workspaceId',
    'uuid',
    'kind',
    'name',
    'email',
    'phone',
    'dateOfBirth',
    'description',
    'externalId',
    'memberRoleId',
    'locale',
    'notifyEmail',
    'notifySms',
    'notifyVoice',
    'disabledAt',
    'smsOptedOutAt',
    'deletedAt',
    'createdAt',
    'updatedAt',
  ] as const satisfies readonly (keyof RowOf<MemberModel>)[];

  declare uuid: string;
  declare kind: 'human' | 'assistant';
  declare name: string | null;
  declare email: string | null;
  declare phone: string | null;
  /** `YYYY-MM-DD` */
  declare dateOfBirth: string | null;
  declare description: string | null;
  declare externalId: string | null;
  declare memberRoleId: number;
  declare locale: string | null;
  declare notifyEmail: boolean;
  declare notifySms: boolean;
  declare notifyVoice: boolean;
  /** While it is set, the member is denied access everywhere. */
  declare disabledAt: Date | null;
  /** Since when the member wants no SMS, from any number of the workspace. */
  declare smsOptedOutAt: Date | null;
  declare deletedAt: Date | null;
  declare createdAt: Date;
  declare updatedAt: Date;
}

export type MemberRow = RowOf<MemberModel>;
