import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

// Stored: a byte for the format, the id of the key, the nonce, the ciphertext and its authentication tag (decision 53).
const format = 1;
const keyIdLength = 4;
const nonceLength = 12;
const tagLength = 16;
const headerLength = 1 + keyIdLength;
const algorithm = 'aes-256-gcm';

interface Key {
  id: Buffer;
  key: Buffer;
}

/** A stored ciphertext cannot be decrypted; `code` gives the reason. The message quotes nothing of the ciphertext. */
export class Undecipherable extends Error {
  override readonly name = 'Undecipherable';
  /** @param code `ciphertext_invalid`: it was altered or belongs to another context */
  constructor(readonly code: 'encryption_key_unknown' | 'ciphertext_invalid') {
    super(`what is encrypted cannot be read: ${code}`);
  }
}

/**
 * Encrypts values that must be decrypted later (AES-256-GCM), so that the database alone does not reveal them. The
 * ciphertext contains the id of its key: after a rotation, `previous` still decrypts but no longer encrypts.
 */
export class Encryption {
  readonly #current: Key;
  readonly #keys: readonly Key[];

  /** @param key at least 32 characters that cannot be guessed, the same in all processes */
  constructor(key: string, previous?: string) {
    this.#current = keyOf(key);
    this.#keys = previous === undefined ? [this.#current] : [this.#current, keyOf(previous)];
  }

  /**
   * Decryption needs the same context, such as `event rule 7 of workspace 3`: a ciphertext copied elsewhere is useless.
   */
  encrypt(text: string, context: string): Buffer {
    const { id, key } = this.#current;
    const header = Buffer.concat([Buffer.of(format), id]);
    const nonce = randomBytes(nonceLength);
    const cipher = createCipheriv(algorithm, key, nonce, { authTagLength: tagLength });
    cipher.setAAD(authenticated(header, context));
    const ciphertext = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return Buffer.concat([header, nonce, ciphertext, cipher.getAuthTag()]);
  }

  /** Whether it was encrypted with the current key. */
  isCurrent(bytes: Buffer): boolean {
    return bytes[0] === format && this.#current.id.equals(bytes.subarray(1, headerLength));
  }

  /** @throws Undecipherable */
  decrypt(bytes: Buffer, context: string): string {
    if (bytes.length < headerLength + nonceLength + tagLength || bytes[0] !== format) {
      throw new Undecipherable('ciphertext_invalid');
    }
    const header = bytes.subarray(0, headerLength);
    const found = this.#keys.find(({ id }) => id.equals(header.subarray(1)));
    if (found === undefined) throw new Undecipherable('encryption_key_unknown');
    const nonce = bytes.subarray(headerLength, headerLength + nonceLength);
    const decipher = createDecipheriv(algorithm, found.key, nonce, { authTagLength: tagLength });
    decipher.setAAD(authenticated(header, context));
    decipher.setAuthTag(bytes.subarray(-tagLength));
    const text = decipher.update(bytes.subarray(headerLength + nonceLength, -tagLength));
    try {
      return Buffer.concat([text, decipher.final()]).toString('utf8');
    } catch {
      throw new Undecipherable('ciphertext_invalid');
    }
  }
}

function keyOf(secret: string): Key {
  return {
    id: derivedKey(secret, 'id of the key of data at rest').subarray(0, keyIdLength),
    key: derivedKey(secret, 'data at rest'),
  };
}

function authenticated(header: Buffer, context: string): Buffer {
  return Buffer.concat([header, Buffer.from(context, 'utf8')]);
}

/** Derives a 32-byte key for one use of a secret (HKDF, RFC 5869), so that one use reveals nothing about another. */
export function derivedKey(secret: string, use: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', use, 32));
}
