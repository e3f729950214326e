import { createApiKeySecret } from '../../../domain/identity/api-keys/api-key-secret.js';
import type { Attack } from './attack.js';

/** Keys that nobody has, from the neighbour's own address: it must not be locked out with them. */
export const badCredentials: Attack = {
  name: "wrong keys from the neighbour's address",
  expected: [401, 429],
  async prepare({ workspace }) {
    const requests = Array.from({ length: 1_000 }, () => ({
      method: 'GET' as const,
      path: workspace.path('/members'),
      headers: { Authorization: `Bearer ${createApiKeySecret().secret}` },
    }));
    return { requests, concurrency: 4, fromNeighboursAddress: true };
  },
};
