import { randomBytes } from 'node:crypto';
import type { ServiceContext } from '../../kernel/context.js';
import { derivedKey, type Encryption } from '../../lib/encryption.js';

interface SubjectKeyContext extends Pick<ServiceContext, 'db' | 'clock'> {
  encryption: Encryption;
  /** `ENCRYPTION_KEY`, and the previous one while it is being changed. */
  secrets: readonly [string, ...string[]];
}

const keyBytes = 32;
/** What its ciphertext is bound to. */
const encryptionContext = 'OAuth subject key';

/**
 * The key of the pseudonyms in ID tokens, of 32 bytes. It stays when `ENCRYPTION_KEY` is changed (decision 172). Creates it
 * where there is none; concurrent processes get the same.
 */
export async function subjectKey(context: SubjectKeyContext): Promise<Buffer> {
  const { db, clock, encryption } = context;
  const { oauthSubjectKeys } = db.identity;
  let stored = await oauthSubjectKeys.find();
  if (stored === undefined) {
    const key = (await earlierKey(context)) ?? randomBytes(keyBytes);
    const encrypted = encryption.encrypt(key.toString('base64url'), encryptionContext);
    await oauthSubjectKeys.insert(encrypted, clock.now());
    stored = await oauthSubjectKeys.find();
  }
  if (stored === undefined) throw new Error('the key of pseudonyms is not stored');
  return Buffer.from(encryption.decrypt(stored, encryptionContext), 'base64url');
}

/**
 * Earlier releases derived the key from `ENCRYPTION_KEY`: from the one that still encrypts their signing keys, where an
 * upgrade comes with another one. Undefined where no release has served OAuth yet.
 */
async function earlierKey(context: SubjectKeyContext): Promise<Buffer | undefined> {
  const { db, clock, encryption, secrets } = context;
  const [latest] = await db.identity.oauthKeys.list(clock.now());
  if (latest === undefined) return undefined;
  const [current, previous = current] = secrets;
  const secret = encryption.isCurrent(latest.privateKey) ? current : previous;
  return derivedKey(secret, 'subjects of ID tokens');
}
