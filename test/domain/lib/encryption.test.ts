import { describe, expect, it } from 'vitest';
import { Encryption, Undecipherable } from '../../../domain/lib/encryption.js';

const key = 'the key of a test, of more than 32 characters';
const otherKey = 'another key of tests, of more than 32 characters';
const context = 'event rule 7 of workspace 3';

const encryption = new Encryption(key);

describe('what is encrypted', () => {
  it.each(['', 'whsec_c2VjcmV0', 'ein Schlüssel — 鍵 🔑', 'x'.repeat(10_000)])(
    'is read again, whatever it is',
    (text) => {
      expect(encryption.decrypt(encryption.encrypt(text, context), context)).toBe(text);
    },
  );

  it('does not contain the text, and is another each time', () => {
    const [one, other] = [encryption.encrypt('a secret', context), encryption.encrypt('a secret', context)];
    expect(one.equals(other)).toBe(false);
    expect(one.toString('latin1')).not.toContain('a secret');
  });

  it('is not read where any of its bytes was altered, added or taken away', () => {
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

  it('is not read as what belongs to something else', () => {
    const bytes = encryption.encrypt('a secret', context);
    expect(() => encryption.decrypt(bytes, 'event rule 7 of workspace 4')).toThrow('ciphertext_invalid');
  });
});

describe('a rotated key', () => {
  it('reads what was written with the one before, and writes with the new one', () => {
    const before = encryption.encrypt('of before', context);
    const rotated = new Encryption(otherKey, key);
    expect(rotated.decrypt(before, context)).toBe('of before');
    const after = rotated.encrypt('of after', context);
    expect(new Encryption(otherKey).decrypt(after, context)).toBe('of after');
    expect(() => encryption.decrypt(after, context)).toThrow('encryption_key_unknown');
  });

  it('that nobody kept is told apart from what was altered', () => {
    const before = encryption.encrypt('of before', context);
    expect(() => new Encryption(otherKey).decrypt(before, context)).toThrow('encryption_key_unknown');
  });
});
