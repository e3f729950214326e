import { expect, it } from 'vitest';
import { useApi } from '../../support/api/use-api.js';

const { api } = useApi();

it('keeps idle connections for longer than the 60 seconds of common load balancers', async () => {
  const answer = await api.request('GET', '/health/live');
  expect(answer.headers.get('Keep-Alive')).toBe('timeout=65');
});
