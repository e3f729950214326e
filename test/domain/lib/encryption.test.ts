import { describe, expect, it } from 'vitest';
import { Encryption, Undecipherable } from '../../../domain/lib/encryption.js';

const key = 'the key of a test, of more than 32 characters';
const otherKey = 'another key of tests, of more than 32 characters';
const context = 'event rule 7 of workspace 3';

const encryption = new Encryption(key);

describe('Encryption', () => {
  it.each(['', 'whsec_c2VjcmV0', 'ein Schlüssel — 鍵 🔑', 'x'.repeat(10_000)])(
    'decrypts any text that it encrypted',
    (text) => {
      expect(encryption.decrypt(encryption.encrypt(text, context), context)).toBe(text);
    },
  );

  it('never shows the text in the ciphertext, and encrypts it differently each time', () => {
    const [one, other] = [encryption.encrypt('a secret', context), encryption.encrypt('a secret', context)];
    expect(one.equals(other)).toBe(false);
    expect(one.toString('latin1')).not.toContain('a secret');
  });

  it('rejects a ciphertext with a byte altered, added or removed', () => {
    const bytes = encryption.encrypt('a secret', context);
    for (const [index, byte] of bytes.entries()) {
      const altered = Buffer.from(bytes);
      altered[index] = byte ^ 1;
      expect(() => encryption.decrypt(altered, context), `byte ${index}`).toThrow(Undecipherable);
    }
    for (const length of bytes.keys()) {
      expect(() => encryption.decrypt(bytes.subarray(0, length), context)).toThrow(Undecipherable);
    }
    expect(() => encryption.decrypt(Buffer.concat([bytes, Buffer.of(0)]), context)).toThrow(Undecipherable);
  });

  it('rejects a ciphertext of another context', () => {
    const bytes = encryption.encrypt('a secret', context);
    expect(() => encryption.decrypt(bytes, 'event rule 7 of workspace 4')).toThrow('ciphertext_invalid');
  });
});

describe('Encryption with a rotated key', () => {
  it('decrypts with the previous key, and encrypts with the new one', () => {
    const before = encryption.encrypt('of before', context);
    const rotated = new Encryption(otherKey, key);
    expect(rotated.decrypt(before, context)).toBe('of before');
    const after = rotated.encrypt('of after', context);
    expect(new Encryption(otherKey).decrypt(after, context)).toBe('of after');
    expect(() => encryption.decrypt(after, context)).toThrow('encryption_key_unknown');
  });

  it('reports a missing previous key with another code than an altered ciphertext', () => {
    const before = encryption.encrypt('of before', context);
    expect(() => new Encryption(otherKey).decrypt(before, context)).toThrow('encryption_key_unknown');
  });
});
