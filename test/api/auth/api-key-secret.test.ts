import { describe, expect, it } from 'vitest';
import {
  createApiKeySecret,
  hashApiKey,
  isWellFormedApiKey,
} from '../../../domain/identity/api-keys/api-key-secret.js';

describe('createApiKeySecret', () => {
  it('generates wes_ with thirty random characters and a checksum of six', () => {
    const { secret, prefix, hash } = createApiKeySecret();
    expect(secret).toMatch(/^wes_[0-9A-Za-z]{36}$/);
    expect(prefix).toBe(secret.slice(4, 12));
    expect(hash).toEqual(hashApiKey(secret));
    expect(hash).toHaveLength(32);
    expect(isWellFormedApiKey(secret)).toBe(true);
  });

  it('generates a different secret each time', () => {
    const secrets = Array.from({ length: 100 }, () => createApiKeySecret().secret);
    expect(new Set(secrets).size).toBe(100);
  });

  it('generates secrets whose checksum reveals a typo at any position', () => {
    const { secret } = createApiKeySecret();
    for (let index = 0; index < secret.length; index += 1) {
      const wrong = secret.slice(0, index) + (secret[index] === 'x' ? 'y' : 'x') + secret.slice(index + 1);
      expect(isWellFormedApiKey(wrong)).toBe(false);
    }
  });
});
