import { type RowOf, TenantModel } from '../../lib/tenant-model.js';

/** That one member is to be told, by mail, that a rule was disabled. */
export class EventRuleNoticeModel extends TenantModel {
  static override tableName = 'event_rule_notices';
  static fields = [
    'id',
    'workspaceId',
    'uuid',
    'eventRuleId',
    'memberId',
    'reason',
    'createdAt',
    'claimedAt',
    'claimToken',
    'sentAt',
    'failureReason',
  ] as const satisfies readonly (keyof RowOf<EventRuleNoticeModel>)[];

  declare uuid: string;
  declare eventRuleId: number;
  declare memberId: number;
  declare reason: 'gone' | 'failing';
  declare createdAt: Date;
  /** When the one attempt at sending began; nothing is sent again after that. */
  declare claimedAt: Date | null;
  declare claimToken: string | null;
  declare sentAt: Date | null;
  /** A code. */
  declare failureReason: string | null;
}

export type EventRuleNoticeRow = RowOf<EventRuleNoticeModel>;
