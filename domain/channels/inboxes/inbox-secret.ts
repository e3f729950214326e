import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { InboxRow } from '../../../db/channels/inboxes.js';
import { type Encryption, Undecipherable } from '../../lib/encryption.js';

const prefix = 'wes_in_';
/** How long the earlier secret stays valid after a rotation. */
export const secretOverlapMs = 24 * 3_600_000;

type Owner = Pick<InboxRow, 'uuid' | 'workspaceId'>;

/**
 * Makes the secret with which mail is handed in to an inbox, with what is stored of it: its hash, which decides what is
 * valid, and its ciphertext, by which signatures are checked.
 */
export function makeInboundSecret(
  encryption: Encryption,
  inbox: Owner,
): { secret: string; hash: Buffer; sealed: Buffer } {
  const secret = prefix + randomBytes(32).toString('base64url');
  return { secret, hash: hashOf(secret), sealed: encryption.encrypt(secret, contextOf(inbox)) };
}

/** Whether this is the secret of an inbox, or the earlier one within a day of its rotation. */
export function isInboundSecret(
  inbox: Pick<InboxRow, 'inboundSecretHash' | 'previousSecretHash' | 'previousSecretUntil'>,
  given: string,
  now: Date,
): boolean {
  const hash = hashOf(given);
  const { inboundSecretHash, previousSecretHash, previousSecretUntil } = inbox;
  if (timingSafeEqual(hash, inboundSecretHash)) return true;
  if (previousSecretHash === null || previousSecretUntil === null || previousSecretUntil <= now) return false;
  return timingSafeEqual(hash, previousSecretHash);
}

export interface SigningSecrets {
  /** None for an inbox whose secret is older than signatures are. */
  secrets: string[];
  /** One of those that are valid cannot be read. */
  unreadable: Undecipherable | undefined;
}

/** The secrets that are valid for signatures. One that cannot be read does not keep the others from being used. */
export function inboundSecretsOf(encryption: Encryption, inbox: InboxRow, now: Date): SigningSecrets {
  const isRotated = inbox.previousSecretUntil !== null && inbox.previousSecretUntil > now;
  const sealed = isRotated ? [inbox.inboundSecret, inbox.previousSecret] : [inbox.inboundSecret];
  const found: SigningSecrets = { secrets: [], unreadable: undefined };
  for (const bytes of sealed) {
    if (bytes === null) continue;
    try {
      const secret = encryption.decrypt(bytes, contextOf(inbox));
      // A process of the release before rotates the hash alone.
      if (isInboundSecret(inbox, secret, now)) found.secrets.push(secret);
    } catch (error) {
      if (!(error instanceof Undecipherable)) throw error;
      found.unreadable = error;
    }
  }
  return found;
}

/** Binds a ciphertext to its inbox and workspace: a copy elsewhere cannot be decrypted. */
function contextOf({ uuid, workspaceId }: Owner): string {
  return `inbound secret of inbox ${uuid} of workspace ${workspaceId}`;
}

function hashOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}
