import { type RowOf, TenantModel } from '../../lib/tenant-model.js';

/** Why a rule is disabled: by a member, or by the service, because its receiver is gone or has only failed. */
export type DisabledReason = 'by_member' | 'gone' | 'failing';

export class EventRuleModel extends TenantModel {
  static override tableName = 'event_rules';
  static fields = [
    'id',
    'workspaceId',
    'uuid',
    'name',
    'eventType',
    'actionType',
    'webhookEndpointId',
    'enabled',
    'disabledAt',
    'disabledReason',
    'failingSince',
    'createdByMemberId',
    'deletedAt',
    'createdAt',
    'updatedAt',
  ] as const satisfies readonly (keyof RowOf<EventRuleModel>)[];

  declare uuid: string;
  declare name: string;
  declare eventType: string;
  declare actionType: string;
  declare webhookEndpointId: number;
  declare enabled: boolean;
  declare disabledAt: Date | null;
  declare disabledReason: DisabledReason | null;
  /** Since when every delivery has failed; null after a successful one. */
  declare failingSince: Date | null;
  declare createdByMemberId: number | null;
  declare deletedAt: Date | null;
  declare createdAt: Date;
  declare updatedAt: Date;
}

export type EventRuleRow = RowOf<EventRuleModel>;
