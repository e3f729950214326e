import type { Tx } from '../../../db/database.js';
import {
  type EventRuleSecretRow,
  insertSecret,
  listValidSecrets,
} from '../../../db/events/event-rule-secrets.js';
import type { Encryption } from '../../lib/encryption.js';

/** Returns the valid secrets of a rule, newest first; without any, its deliveries are not signed. */
export async function signingSecretsOf(
  tx: Tx,
  encryption: Encryption,
  eventRuleId: number,
  now: Date,
): Promise<string[]> {
  const secrets = await listValidSecrets(tx, [eventRuleId], now);
  return secrets.map(({ ciphertext }) => encryption.decrypt(ciphertext, contextOf(tx, eventRuleId)));
}

/** Encrypts and stores a secret of a rule. */
export async function addSigningSecret(
  tx: Tx,
  encryption: Encryption,
  secret: { eventRuleId: number; text: string; createdAt: Date },
): Promise<EventRuleSecretRow> {
  const { eventRuleId, text, createdAt } = secret;
  const ciphertext = encryption.encrypt(text, contextOf(tx, eventRuleId));
  return insertSecret(tx, { eventRuleId, ciphertext, createdAt });
}

/**
 * The encryption context, which binds a ciphertext to its rule and workspace: it cannot be decrypted if it is copied to
 * another one.
 */
function contextOf(tx: Tx, eventRuleId: number): string {
  return `signing secret of event rule ${eventRuleId} of workspace ${tx.workspaceId}`;
}
