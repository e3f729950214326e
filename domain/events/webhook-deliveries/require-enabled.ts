import type { EventRuleRow } from '../../../db/events/event-rules.js';
import { Conflict } from '../../lib/errors.js';

/** @throws Conflict if the rule is disabled */
export function requireEnabled(rule: Pick<EventRuleRow, 'enabled'>): void {
  if (!rule.enabled) throw new Conflict('rule_disabled', 'The event rule is disabled. Enable it first.');
}
