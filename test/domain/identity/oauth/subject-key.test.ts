import { beforeEach, describe, expect, it } from 'vitest';
import { signingKeys } from '../../../../domain/identity/oauth/signing-keys.js';
import { subjectKey } from '../../../../domain/identity/oauth/subject-key.js';
import { systemClock } from '../../../../domain/lib/clock.js';
import { derivedKey, Encryption } from '../../../../domain/lib/encryption.js';
import { reEncrypt } from '../../../../runtime/re-encrypt.js';
import { useConnection } from '../../../support/db/use-database.js';
import { testEncryptionKey as firstKey } from '../../../support/lib/encryption.js';
import { useWorkspace } from '../../../support/workspace/use-workspace.js';

const stage = useWorkspace();
const query = useConnection(() => stage.database.superuserUrl);
const newKey = 'another encryption key of tests, of more than 32 characters';

const contextWith = (key: string, previous?: string) => ({
  db: stage.database.database,
  clock: systemClock,
  encryption: new Encryption(key, previous),
  secrets: (previous === undefined ? [key] : [key, previous]) as [string, ...string[]],
});
const derivedFrom = (key: string) => derivedKey(key, 'subjects of ID tokens');

beforeEach(async () => {
  await query('truncate identity.oauth_subject_keys, identity.oauth_keys');
});

describe('the key of pseudonyms', () => {
  it('is random on a new installation, and one for all processes', async () => {
    const first = contextWith(firstKey);
    const keys = await Promise.all([1, 2, 3, 4].map(() => subjectKey(first)));
    await signingKeys(first);
    keys.push(await subjectKey(first));
    expect(new Set(keys.map((key) => key.toString('hex'))).size).toBe(1);
    expect(keys[0]).toHaveLength(32);
    expect(keys[0]).not.toEqual(derivedFrom(firstKey));
  });

  it('is the one that was derived from ENCRYPTION_KEY where an earlier release has served', async () => {
    await signingKeys(contextWith(firstKey));
    expect(await subjectKey(contextWith(firstKey))).toEqual(derivedFrom(firstKey));
  });

  it('is that one also where the upgrade comes with another ENCRYPTION_KEY', async () => {
    await signingKeys(contextWith(firstKey));
    expect(await subjectKey(contextWith(newKey, firstKey))).toEqual(derivedFrom(firstKey));
  });

  it('is derived from the current ENCRYPTION_KEY where the change was complete before the upgrade', async () => {
    await signingKeys(contextWith(newKey));
    expect(await subjectKey(contextWith(newKey, firstKey))).toEqual(derivedFrom(newKey));
  });

  it('stays when ENCRYPTION_KEY is changed, and is read without the earlier one then', async () => {
    const before = await subjectKey(contextWith(firstKey));
    const both = contextWith(newKey, firstKey);
    expect(await subjectKey(both)).toEqual(before);
    await reEncrypt({
      MIGRATOR_DATABASE_URL: stage.database.migratorUrl,
      ENCRYPTION_KEY: newKey,
      ENCRYPTION_KEY_PREVIOUS: firstKey,
    });
    expect(await subjectKey(contextWith(newKey))).toEqual(before);
    await expect(subjectKey(contextWith(firstKey))).rejects.toMatchObject({ code: 'encryption_key_unknown' });
  });
});
