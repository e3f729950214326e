import { column, tenantTable } from '../../lib/table.js';
import type { RowOf } from '../../lib/table-model.js';

/** A signing secret of a rule, encrypted (docs/decisions/0053-signing-secrets.md). */
export class EventRuleSecretModel extends tenantTable('event_rule_secrets', {
  uuid: column<string>(),
  eventRuleId: column<number>(),
  ciphertext: column<Buffer>('encrypted'),
  createdAt: column<Date>(),
  /** Null: the secret is valid until another one replaces it. */
  expiresAt: column<Date | null>(),
}) {}

export type EventRuleSecretRow = RowOf<EventRuleSecretModel>;
