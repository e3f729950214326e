import {
  expireSecrets,
  removeExpiredSecrets,
  removeSecrets,
  selectValidSecrets,
} from '../../../db/events/event-rule-secrets.js';
import { patchEventRule } from '../../../db/events/event-rules.js';
import { recordAudit } from '../../kernel/audit/record-audit.js';
import { Conflict } from '../../lib/errors.js';
import { detailsOf, type EventRuleDetails, requireLockedEventRule } from './event-rule-details.js';
import { addSigningSecret, type EventRulesContext, signingSecretFrom } from './signing-secrets.js';

interface RotateSigningSecret {
  /** Absent: a secret is generated. Null: deliveries are not signed once the other secrets have expired. */
  signingSecret?: string | null | undefined;
  /** How long the previous secrets remain valid; 0 ends them at once. */
  overlapSeconds: number;
}

/** Limited, because each delivery carries one signature per valid secret. */
const maxValid = 5;

/**
 * Adds a signing secret to a rule, valid at once beside the previous ones, until they expire. It is returned only here.
 * @throws InvalidInput, NotFound, Conflict `too_many_secrets`
 */
export async function rotateSigningSecret(
  { actor, db, clock, encryption }: EventRulesContext,
  id: number,
  { signingSecret, overlapSeconds }: RotateSigningSecret,
): Promise<{ rule: EventRuleDetails; signingSecret: string | null }> {
  actor.require('event_rules:write');
  const text = signingSecretFrom(signingSecret, '/signingSecret');
  return db.inWorkspace(actor.workspaceId, async (tx) => {
    await requireLockedEventRule(tx, id);
    recordAudit(tx, { clock, actor }, 'event_rule:secret_rotated', { subject: ['event_rule', id] });
    const now = clock.now();
    if (overlapSeconds === 0) await removeSecrets(tx, id);
    else await expireSecrets(tx, id, new Date(now.getTime() + overlapSeconds * 1_000));
    const [, valid] = await Promise.all([
      removeExpiredSecrets(tx, id, now),
      selectValidSecrets(tx, [id], now),
    ]);
    if (text !== null) {
      if (valid.length >= maxValid) {
        const advice = 'Wait until one has expired, or end them all with overlapSeconds 0.';
        throw new Conflict('too_many_secrets', `The rule has ${maxValid} valid secrets. ${advice}`);
      }
      await addSigningSecret(tx, encryption, { eventRuleId: id, text, createdAt: now });
    }
    const rule = await patchEventRule(tx, id, { updatedAt: now });
    return { rule: await detailsOf(tx, rule, now), signingSecret: text };
  });
}
