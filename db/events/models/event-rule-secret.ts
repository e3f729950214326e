import { type RowOf, TenantModel } from '../../lib/tenant-model.js';

/** A signing secret of a rule, encrypted (docs/decisions/0053-signing-secrets.md). */
export class EventRuleSecretModel extends TenantModel {
  static override tableName = 'event_rule_secrets';
  static fields = [
    'id',
    'workspaceId',
    'uuid',
    'eventRuleId',
    'ciphertext',
    'createdAt',
    'expiresAt',
  ] as const satisfies readonly (keyof RowOf<EventRuleSecretModel>)[];

  declare uuid: string;
  declare eventRuleId: number;
  declare ciphertext: Buffer;
  declare createdAt: Date;
  /** Null: the secret is valid until another one replaces it. */
  declare expiresAt: Date | null;
}

export type EventRuleSecretRow = RowOf<EventRuleSecretModel>;
