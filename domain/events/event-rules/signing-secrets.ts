import type { Tx } from '../../../db/database.js';
import {
  type EventRuleSecretRow,
  insertSecret,
  listValidSecrets,
} from '../../../db/events/event-rule-secrets.js';
import type { Encryption } from '../../lib/encryption.js';

/** The secrets that deliveries of a rule are signed with now, newest first; none: they are not signed. */
export async function signingSecretsOf(
  tx: Tx,
  encryption: Encryption,
  eventRuleId: number,
  now: Date,
): Promise<string[]> {
  const secrets = await listValidSecrets(tx, [eventRuleId], now);
  return secrets.map(({ ciphertext }) => encryption.decrypt(ciphertext, contextOf(tx, eventRuleId)));
}

/** Stores a secret of a rule, encrypted. */
export async function addSigningSecret(
  tx: Tx,
  encryption: Encryption,
  secret: { eventRuleId: number; text: string; createdAt: Date },
): Promise<EventRuleSecretRow> {
  const { eventRuleId, text, createdAt } = secret;
  const ciphertext = encryption.encrypt(text, contextOf(tx, eventRuleId));
  return insertSecret(tx, { eventRuleId, ciphertext, createdAt });
}

/** What a secret belongs to: one that somebody puts into another rule or workspace cannot be read there. */
function contextOf(tx: Tx, eventRuleId: number): string {
  return `signing secret of event rule ${eventRuleId} of workspace ${tx.workspaceId}`;
}
