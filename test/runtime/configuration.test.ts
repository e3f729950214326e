import { describe, expect, it } from 'vitest';
import { ConfigurationError, readConfiguration } from '../../runtime/configuration.js';

const read = (environment: Record<string, string> = {}) =>
  readConfiguration({ DATABASE_URL: 'postgres://localhost/wes', ...environment });

describe('limits', () => {
  it('are generous unless told, and believe no proxy', () => {
    const { rateLimits, trustedProxies } = read();
    expect(rateLimits).toEqual({ credential: 3_000, workspace: 12_000, address: 600, refusals: 60 });
    expect(trustedProxies).toBe(0);
  });

  it('are what the environment says, 0 included', () => {
    const { rateLimits, trustedProxies } = read({
      RATE_LIMIT_CREDENTIAL: '10',
      RATE_LIMIT_WORKSPACE: '0',
      RATE_LIMIT_ADDRESS: '20',
      RATE_LIMIT_REFUSALS: '30',
      TRUST_PROXY: '2',
    });
    expect(rateLimits).toEqual({ credential: 10, workspace: 0, address: 20, refusals: 30 });
    expect(trustedProxies).toBe(2);
  });

  it.each(['-1', '1.5', 'many'])('of %s keep the api from starting, naming the variable', (value) => {
    expect(() => read({ RATE_LIMIT_ADDRESS: value })).toThrow(ConfigurationError);
    expect(() => read({ RATE_LIMIT_ADDRESS: value })).toThrow('RATE_LIMIT_ADDRESS');
  });
});
