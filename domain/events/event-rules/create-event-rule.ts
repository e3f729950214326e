import { countEventRules, insertEventRule } from '../../../db/events/event-rules.js';
import { lockSubject } from '../../../db/lock-subject.js';
import type { Tx } from '../../../db/tx.js';
import { recordAudit } from '../../kernel/audit/record-audit.js';
import type { EventType } from '../../kernel/events/event-types.js';
import { Conflict } from '../../lib/errors.js';
import { detailsOf, type EventRuleDetails } from './event-rule-details.js';
import { type Receiver, receiverAt, requireUsable } from './receiver.js';
import { addSigningSecret, type EventRulesContext, signingSecretFrom } from './signing-secrets.js';

interface CreateEventRule {
  name: string;
  eventType: EventType;
  receiver: Receiver;
  /** Absent: a secret is generated. Null: deliveries are not signed. */
  signingSecret?: string | null | undefined;
}

const maxRules = 100;

/**
 * Creates an event rule: its receiver gets all later events of the type. The secret is returned only here.
 * @throws InvalidInput, Conflict `too_many_event_rules`, `too_many_new_receivers`
 */
export async function createEventRule(
  { actor, db, clock, encryption }: EventRulesContext,
  { name, eventType, receiver, signingSecret }: CreateEventRule,
): Promise<{ rule: EventRuleDetails; signingSecret: string | null }> {
  actor.require('event_rules:write');
  const url = requireUsable(receiver);
  const text = signingSecretFrom(signingSecret, '/actionParams/signingSecret');
  return db.inWorkspace(actor.workspaceId, async (tx) => {
    const now = clock.now();
    await requireRoom(tx);
    const rule = await insertEventRule(tx, {
      name,
      eventType,
      actionType: 'webhook:send',
      webhookEndpointId: await receiverAt(tx, url, now),
      createdByMemberId: actor.memberId,
      createdAt: now,
    });
    recordAudit(tx, { clock, actor }, 'event_rule:created', { subject: ['event_rule', rule.id] });
    if (text !== null) await addSigningSecret(tx, encryption, { eventRuleId: rule.id, text, createdAt: now });
    return { rule: await detailsOf(tx, rule, now), signingSecret: text };
  });
}

/** Enforces the limit on rules, because every event is matched against all of them. A lock serializes the count. */
async function requireRoom(tx: Tx): Promise<void> {
  await lockSubject(tx, 'number of event rules');
  if ((await countEventRules(tx)) < maxRules) return;
  throw new Conflict('too_many_event_rules', `A workspace has at most ${maxRules} event rules.`);
}
