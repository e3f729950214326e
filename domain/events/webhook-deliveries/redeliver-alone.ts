import type { Tx } from '../../../db/database.js';
import { lockSubject } from '../../../db/lock-subject.js';

/**
 * Holds off whoever else has events of a rule delivered again, until the transaction ends: each sees what is being
 * delivered already. The rule itself is not held: attempts at its deliveries would wait, while this may wait for a data
 * record whose deletion waits for one of them. If the rule is disabled or deleted meanwhile, the attempts find that out.
 */
export async function redeliverAlone(tx: Tx, eventRuleId: number): Promise<void> {
  await lockSubject(tx, `redeliveries of event rule ${eventRuleId}`);
}
