import { randomBytes } from 'node:crypto';
import {
  type EventRuleSecretRow,
  insertSecret,
  selectValidSecrets,
} from '../../../db/events/event-rule-secrets.js';
import type { Tx } from '../../../db/tx.js';
import type { CommandContext } from '../../kernel/context.js';
import type { Encryption } from '../../lib/encryption.js';
import { InvalidInput } from '../../lib/errors.js';
import { secretPrefix } from '../webhooks/sign-webhook.js';

/** The context of commands that store signing secrets. */
export interface EventRulesContext extends CommandContext {
  encryption: Encryption;
}

/** Returns the valid secrets of a rule, newest first; without any, its deliveries are not signed. */
export async function signingSecretsOf(
  tx: Tx,
  encryption: Encryption,
  eventRuleId: number,
  now: Date,
): Promise<string[]> {
  const secrets = await selectValidSecrets(tx, [eventRuleId], now);
  return secrets.map(({ ciphertext }) => encryption.decrypt(ciphertext, contextOf(tx, eventRuleId)));
}

export async function addSigningSecret(
  tx: Tx,
  encryption: Encryption,
  { eventRuleId, text, createdAt }: { eventRuleId: number; text: string; createdAt: Date },
): Promise<EventRuleSecretRow> {
  const ciphertext = encryption.encrypt(text, contextOf(tx, eventRuleId));
  return insertSecret(tx, { eventRuleId, ciphertext, createdAt });
}

/** Binds a ciphertext to its rule and workspace: a copy elsewhere cannot be decrypted. */
function contextOf(tx: Tx, eventRuleId: number): string {
  return `signing secret of event rule ${eventRuleId} of workspace ${tx.workspaceId}`;
}

const bytesMade = 32;
const fewestBytes = 24;
const maxBytes = 64;
const form = /^[!-~]{8,256}$/;
const base64Form = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** Returns the given secret if it is valid, a generated one if it is absent, none for null. @throws InvalidInput */
export function signingSecretFrom(given: string | null | undefined, pointer: string): string | null {
  if (given === null) return null;
  if (given === undefined) return secretPrefix + randomBytes(bytesMade).toString('base64');
  if (!form.test(given)) {
    throw InvalidInput.field(pointer, 'A signing secret has 8 to 256 visible ASCII characters.');
  }
  if (given.startsWith(secretPrefix) && !isKey(given.slice(secretPrefix.length))) {
    const message = `After ${secretPrefix} a signing secret is base64 of ${fewestBytes} to ${maxBytes} bytes.`;
    throw InvalidInput.field(pointer, message);
  }
  return given;
}

function isKey(text: string): boolean {
  const { length } = Buffer.from(text, 'base64');
  return base64Form.test(text) && length >= fewestBytes && length <= maxBytes;
}
