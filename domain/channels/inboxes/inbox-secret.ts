import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { InboxRow } from '../../../db/channels/inboxes.js';
import type { Encryption } from '../../lib/encryption.js';

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

/**
 * The secrets that are valid for signatures. None for an inbox whose secret is older than they are.
 * @throws Undecipherable
 */
export function inboundSecretsOf(encryption: Encryption, inbox: InboxRow, now: Date): string[] {
  const isRotated = inbox.previousSecretUntil !== null && inbox.previousSecretUntil > now;
  const sealed = isRotated ? [inbox.inboundSecret, inbox.previousSecret] : [inbox.inboundSecret];
  return (
    sealed
      .flatMap((bytes) => (bytes === null ? [] : [encryption.decrypt(bytes, contextOf(inbox))]))
      // A process of the release before rotates the hash alone.
      .filter((secret) => isInboundSecret(inbox, secret, now))
  );
}

/** Binds a ciphertext to its inbox and workspace: a copy elsewhere cannot be decrypted. */
function contextOf({ uuid, workspaceId }: Owner): string {
  return `inbound secret of inbox ${uuid} of workspace ${workspaceId}`;
}

function hashOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}
