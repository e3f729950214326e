import type { Tx } from '../../../db/database.js';
import type { EventRuleRow } from '../../../db/events/event-rules.js';
import { lockSubject } from '../../../db/lock-subject.js';
import { Conflict } from '../../lib/errors.js';

/**
 * Serializes redeliveries of a rule's events until the transaction ends. Does not lock the rule itself: attempts would
 * wait for the lock, while this transaction may wait for a data record whose deletion waits for one of them.
 */
export async function redeliverAlone(tx: Tx, eventRuleId: number): Promise<void> {
  await lockSubject(tx, `redeliveries of event rule ${eventRuleId}`);
}

/** @throws Conflict if the rule is disabled */
export function requireEnabled(rule: Pick<EventRuleRow, 'enabled'>): void {
  if (!rule.enabled) throw new Conflict('rule_disabled', 'The event rule is disabled. Enable it first.');
}
