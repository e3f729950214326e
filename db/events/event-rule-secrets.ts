import { idCondition } from '../lib/id-condition.js';
import type { Tx } from '../tx.js';
import { EventRuleSecretModel, type EventRuleSecretRow } from './models/event-rule-secret.js';

export type { EventRuleSecretRow } from './models/event-rule-secret.js';

/** Lists the secrets of these rules that have not expired, newest first. */
export async function selectValidSecrets(
  tx: Tx,
  eventRuleIds: readonly number[],
  now: Date,
): Promise<EventRuleSecretRow[]> {
  const { condition, binding } = idCondition('event_rule_id', eventRuleIds);
  const valid = `${condition} and (expires_at is null or expires_at > ?) order by id desc`;
  return EventRuleSecretModel.where(tx, valid, [binding, now]);
}

export async function insertSecret(
  tx: Tx,
  values: Pick<EventRuleSecretRow, 'eventRuleId' | 'ciphertext' | 'createdAt'>,
): Promise<EventRuleSecretRow> {
  return EventRuleSecretModel.insert(tx, values);
}

/** Makes the rule's secrets expire at that time, unless they expire earlier. */
export async function expireSecrets(tx: Tx, eventRuleId: number, at: Date): Promise<void> {
  const later = 'event_rule_id = ? and (expires_at is null or expires_at > ?)';
  await EventRuleSecretModel.updateWhere(tx, { expiresAt: at }, later, [eventRuleId, at]);
}

/** Deletes the rule's secrets that have expired by then. */
export async function removeExpiredSecrets(tx: Tx, eventRuleId: number, now: Date): Promise<void> {
  await EventRuleSecretModel.deleteWhere(tx, 'event_rule_id = ? and expires_at <= ?', [eventRuleId, now]);
}

export async function removeSecrets(tx: Tx, eventRuleId: number): Promise<void> {
  await EventRuleSecretModel.deleteWhere(tx, 'event_rule_id = ?', [eventRuleId]);
}
