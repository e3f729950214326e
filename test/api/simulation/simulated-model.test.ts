import { describe, expect, it } from 'vitest';
import { simulatedModel } from '../../../api/simulated-model.js';
import type { Asked } from '../../../domain/agent/prepare-round.js';
import { ModelBusy, ModelRefused, ModelUnusable } from '../../../providers/model/chat-model.js';

const asked = { modelId: 'openai:chat:gpt-4.1-mini', messages: [], tools: [], modelConfig: {} };
const failWith = (error: unknown, signal = new AbortController().signal) =>
  simulatedModel({ complete: () => Promise.reject(error) })(asked as unknown as Asked, signal);

describe('the configured model of a simulation that does not answer', () => {
  it.each([
    [new ModelBusy('timeout'), true],
    [new ModelBusy('connection_lost'), true],
    [new ModelRefused('content_filter', 200), true],
    [new ModelBusy('connection'), false],
    [new ModelBusy('http_429', 9_000), false],
    [new ModelRefused('context_length_exceeded', 400), false],
    [new ModelUnusable('insufficient_quota', true), false],
  ])('is unavailable, and may have cost something or not: %s', async (error, mayHaveCost) => {
    await expect(failWith(error)).rejects.toMatchObject({ code: 'model_unavailable', mayHaveCost });
  });

  it('asks to wait as long as the provider does', async () => {
    await expect(failWith(new ModelBusy('http_429', 9_000))).rejects.toMatchObject({ retryAfterSeconds: 9 });
  });

  it('may have cost something if the time ran out meanwhile, and nothing if it had run out before', async () => {
    const before = AbortSignal.abort(new Error('aborted'));
    await expect(failWith(before.reason, before)).rejects.toMatchObject({ mayHaveCost: false });

    const controller = new AbortController();
    const model = simulatedModel({
      complete: async ({ signal }) => {
        controller.abort();
        throw signal?.reason;
      },
    });
    const meanwhile = model(asked as unknown as Asked, controller.signal);
    await expect(meanwhile).rejects.toMatchObject({ code: 'model_unavailable', mayHaveCost: true });
  });

  it('passes on what is no failure of the provider', async () => {
    await expect(failWith(new TypeError('broken'))).rejects.toThrow(TypeError);
  });
});
