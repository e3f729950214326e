import { expect, test } from 'vitest';
import { ModelUnusable } from '../../../providers/model/chat-model.js';
import { ProviderState } from '../../../providers/provider-state.js';
import { guardRealtime } from '../../../providers/realtime/guard-realtime.js';
import type { RealtimeModel, RealtimeSettings } from '../../../providers/realtime/realtime.js';

test('while the account cannot be used, one session a minute is tried', async () => {
  let now = 0;
  let tried = 0;
  const model: RealtimeModel = {
    connect: async () => {
      tried += 1;
      throw new ModelUnusable('http_401', true);
    },
  };
  const guarded = guardRealtime(model, new ProviderState({ provider: 'model', now: () => new Date(now) }));
  const connect = () =>
    guarded.connect({} as RealtimeSettings, () => undefined, new AbortController().signal);
  await expect(connect()).rejects.toMatchObject({ code: 'http_401' });
  await expect(connect()).rejects.toMatchObject({ code: 'http_401' });
  expect(tried).toBe(1);
  now = 61_000;
  await expect(connect()).rejects.toMatchObject({ code: 'http_401' });
  expect(tried).toBe(2);
});
