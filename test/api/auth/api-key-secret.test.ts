import { describe, expect, it } from 'vitest';
import {
  createApiKeySecret,
  hashApiKey,
  isWellFormedApiKey,
} from '../../../domain/identity/api-keys/api-key-secret.js';

describe('an API key', () => {
  it('is wes_, thirty characters and six of checksum', () => {
    const { secret, prefix, hash } = createApiKeySecret();
    expect(secret).toMatch(/^wes_[0-9A-Za-z]{36}$/);
    expect(prefix).toBe(secret.slice(4, 12));
    expect(hash).toEqual(hashApiKey(secret));
    expect(hash).toHaveLength(32);
    expect(isWellFormedApiKey(secret)).toBe(true);
  });

  it('is never the same twice', () => {
    const secrets = Array.from({ length: 100 }, () => createApiKeySecret().secret);
    expect(new Set(secrets).size).toBe(100);
  });

  it('is recognised as mistyped wherever one character differs', () => {
    const { secret } = createApiKeySecret();
    for (let index = 0; index < secret.length; index += 1) {
      const wrong = secret.slice(0, index) + (secret[index] === 'x' ? 'y' : 'x') + secret.slice(index + 1);
      expect(isWellFormedApiKey(wrong)).toBe(false);
    }
  });
});
