import { pathToFileURL } from 'node:url';
import type { ReEncrypted, Renew } from '../db/encryption/re-encrypt-column.js';
import { reEncryptColumns } from '../db/encryption/re-encrypt-columns.js';
import { Encryption, Undecipherable } from '../domain/lib/encryption.js';

const minKeyLength = 32;

/**
 * Encrypts every stored secret with `ENCRYPTION_KEY` that was encrypted with `ENCRYPTION_KEY_PREVIOUS`.
 * @returns a line for each column, and whether all could be read
 */
export async function reEncrypt(
  environment: Readonly<Record<string, string | undefined>>,
): Promise<{ lines: string[]; isComplete: boolean }> {
  const given = (name: string): string | undefined => environment[name]?.trim() || undefined;
  const required = (name: string): string => {
    const value = given(name);
    if (value === undefined) throw new Error(`${name} is not set.`);
    return value;
  };
  const url = required('MIGRATOR_DATABASE_URL');
  const [key, previous] = [required('ENCRYPTION_KEY'), given('ENCRYPTION_KEY_PREVIOUS')];
  if (key.length < minKeyLength) throw new Error(`ENCRYPTION_KEY has fewer than ${minKeyLength} characters.`);
  const columns = await reEncryptColumns(url, renewing(new Encryption(key, previous)));
  return {
    lines: columns.map((found) => `${found.table}.${found.column}: ${wordsFor(found)}`),
    isComplete: columns.every(({ undecipherable }) => undecipherable === 0),
  };
}

function renewing(encryption: Encryption): Renew {
  return (bytes, context) => {
    try {
      const text = encryption.decrypt(bytes, context);
      return encryption.isCurrent(bytes) ? 'current' : encryption.encrypt(text, context);
    } catch (error) {
      if (error instanceof Undecipherable) return 'undecipherable';
      throw error;
    }
  };
}

function wordsFor({ changed, left, undecipherable }: ReEncrypted): string {
  return `${changed} changed, ${left} left, ${undecipherable} undecipherable`;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  try {
    const { lines, isComplete } = await reEncrypt(process.env);
    console.log(lines.join('\n'));
    if (!isComplete) {
      console.error('Some secrets cannot be read with the keys that are given; they are as they were.');
      process.exitCode = 2;
    }
  } catch (error) {
    console.error(error instanceof Error && error.message !== '' ? error.message : String(error));
    process.exitCode = 1;
  }
}
