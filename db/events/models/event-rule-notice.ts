import { type RowOf, TenantModel } from '../../lib/tenant-model.js';

/** A mail to one member, to be sent or sent, that a rule was disabled. */
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
  /** When the only attempt to send it began; no other attempt is made. */
  declare claimedAt: Date | null;
  declare claimToken: string | null;
  declare sentAt: Date | null;
  /** A code. */
  declare failureReason: string | null;
}

export type EventRuleNoticeRow = RowOf<EventRuleNoticeModel>;
