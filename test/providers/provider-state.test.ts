import { beforeEach, describe, expect, it } from 'vitest';
import { CarrierBusy, CarrierRefused, CarrierUnusable } from '../../providers/carrier/carrier.js';
import { ProviderUnusable } from '../../providers/failures.js';
import { ModelUnusable } from '../../providers/model/chat-model.js';
import { type ProviderCondition, ProviderState, probeEveryMs } from '../../providers/provider-state.js';
import { hours, MovedClock, minutes } from '../support/lib/moved-clock.js';

let clock: MovedClock;
let state: ProviderState;
let seen: ProviderCondition[];
let calls: number;

beforeEach(() => {
  clock = new MovedClock();
  seen = [];
  calls = 0;
  state = new ProviderState({
    provider: 'carrier',
    now: () => clock.now(),
    observe: (_, condition) => seen.push(condition),
  });
});

/** Makes a call that ends with this failure; resolves to the error of the call. */
const call = (failure?: Error): Promise<unknown> => {
  const work = async () => {
    calls += 1;
    if (failure !== undefined) throw failure;
  };
  return state.call(work).catch((error: unknown) => error);
};

describe('ProviderState of an unusable account', () => {
  const unusable = new CarrierUnusable('20003');
  beforeEach(() => call(unusable));

  it('lets one call a minute through', async () => {
    for (let second = 0; second < 600; second += 1) {
      await call(unusable);
      clock.advance(1_000);
    }
    expect(calls).toBeLessThanOrEqual(1 + 10);
    expect(calls).toBeGreaterThanOrEqual(1 + 8);
  });

  it('fails the other calls with its code and the delay until a retry', async () => {
    const failure = await call();

    expect(calls).toBe(1);
    expect(failure).toBeInstanceOf(ProviderUnusable);
    expect(failure).toMatchObject({ provider: 'carrier', code: '20003' });
    const { retryAfterMs } = (failure as ProviderUnusable).details;
    expect(retryAfterMs).toBeGreaterThanOrEqual(probeEveryMs);
    expect(retryAfterMs).toBeLessThanOrEqual(probeEveryMs * 1.25);
  });

  it('increases the delay of callers, up to some minutes', async () => {
    clock.advance(hours(8));
    const failure = (await call(unusable)) as ProviderUnusable;
    expect(failure.details.retryAfterMs).toBeGreaterThanOrEqual(minutes(5));
    expect(failure.details.retryAfterMs).toBeLessThanOrEqual(minutes(7));
  });

  it('becomes usable with the first call that is answered', async () => {
    clock.advance(probeEveryMs);
    expect(await call()).toBeUndefined();
    expect(await call()).toBeUndefined();
    expect(seen).toEqual(['unusable', 'usable', 'usable']);
  });

  it('becomes usable when a message is refused for its content', async () => {
    clock.advance(probeEveryMs);
    await call(new CarrierRefused('21211', 400));
    expect(await call()).toBeUndefined();
  });

  it('stays unusable while its provider is busy', async () => {
    clock.advance(probeEveryMs);
    await call(new CarrierBusy('http_503'));
    expect(await call()).toBeInstanceOf(ProviderUnusable);
    expect(seen).toEqual(['unusable']);
  });
});

it('ProviderState holds no other call back when the account lacks one model', async () => {
  expect(await call(new ModelUnusable('model_not_found', false))).toMatchObject({ code: 'model_not_found' });
  expect(await call()).toBeUndefined();
  expect(seen).toEqual(['usable']);
});

it('ProviderState holds no call back when the provider is busy', async () => {
  await call(new CarrierBusy('http_429', 1_000));
  expect(await call()).toBeUndefined();
  expect(seen).toEqual(['busy', 'usable']);
});
