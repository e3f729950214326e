import { beforeEach, describe, expect, it } from 'vitest';
import { type Act, performOnce } from '../../activities/kernel/at-most-once.js';
import type { ActOutcome } from '../../domain/kernel/at-most-once.js';
import { InvalidInput } from '../../domain/lib/errors.js';
import {
  CarrierBusy,
  CarrierOutcomeUnknown,
  CarrierRefused,
  CarrierUnusable,
} from '../../providers/carrier/carrier.js';
import { ProviderFault } from '../../providers/failures.js';
import { loadedAtFirstUse } from '../../providers/loaded-at-first-use.js';
import { MailBusy } from '../../providers/mail/mail.js';

interface Row {
  token: string | null;
  outcome: ActOutcome<string> | null;
}
type Claim = { kind: 'claimed'; text: string } | { kind: 'claimed_before' };

let row: Row;
let performed: string[];
beforeEach(() => {
  row = { token: null, outcome: null };
  performed = [];
});

/**
 * An act on the row above. `failure` makes the act fail. `failing` is how many calls to claim or to record lose their
 * answer after they took effect.
 */
function actOf(failure?: Error, failing: { claims?: number; records?: number } = {}): Act<Claim, string> {
  let { claims = 0, records = 0 } = failing;
  const lost = () => Object.assign(new Error('the connection is lost'), { code: 'ECONNRESET' });
  return {
    async claim(token) {
      if (row.token !== null && row.token !== token) return { kind: 'claimed_before' };
      row.token = token;
      claims -= 1;
      if (claims >= 0) throw lost();
      return { kind: 'claimed', text: 'Hello' };
    },
    async perform({ text }) {
      performed.push(text);
      if (failure !== undefined) throw failure;
      return 'SM1';
    },
    async record(outcome, _claim, token) {
      if (row.token !== token) return;
      row = { token: outcome.kind === 'released' ? null : row.token, outcome };
      records -= 1;
      if (records >= 0) throw lost();
    },
  };
}

describe('performOnce', () => {
  it('performs the act and records the result', async () => {
    expect(await performOnce(actOf())).toEqual({ kind: 'done', result: 'SM1' });
    expect(row.outcome).toEqual({ kind: 'done', result: 'SM1' });
    expect(await performOnce(actOf())).toMatchObject({
      kind: 'not_claimed',
      claim: { kind: 'claimed_before' },
    });
    expect(performed).toHaveLength(1);
  });

  it('performs the act although the answer to the commit of its claim was lost', async () => {
    expect(await performOnce(actOf(undefined, { claims: 2 }))).toEqual({ kind: 'done', result: 'SM1' });
    expect(performed).toHaveLength(1);
  });

  it('releases the claim if what performs the act cannot be loaded, and loads it again', async () => {
    let loads = 0;
    const loaded = loadedAtFirstUse(async () => {
      loads += 1;
      if (loads === 1) throw new Error('too many open files');
      return () => 'SM1';
    }, MailBusy);
    const act = { ...actOf(), perform: async () => (await loaded())() };

    await expect(performOnce(act)).rejects.toEqual(new MailBusy('not_loaded'));
    expect(row).toEqual({ token: null, outcome: { kind: 'released', counts: true } });
    expect(await performOnce(act)).toEqual({ kind: 'done', result: 'SM1' });
    await loaded();
    expect(loads).toBe(2);
  });

  it('performs the act once although the answer to its record was lost', async () => {
    expect(await performOnce(actOf(undefined, { records: 2 }))).toEqual({ kind: 'done', result: 'SM1' });
    expect(performed).toHaveLength(1);
  });

  it.each([
    [new CarrierRefused('21211', 400), { kind: 'refused', reason: 'carrier_21211', code: '21211' }],
    [new CarrierOutcomeUnknown('timeout'), { kind: 'unknown', code: 'timeout' }],
  ])('records the outcome that the provider reports: %s', async (failure, outcome) => {
    expect(await performOnce(actOf(failure))).toEqual(outcome);
    expect(row.outcome).toEqual(outcome);
    expect(row.token).not.toBeNull();
  });

  it.each([
    [new CarrierBusy('http_429', 1_000), true],
    [new CarrierUnusable('20003'), false],
    [new ProviderFault('carrier', 'ERR_INVALID_PROTOCOL'), true],
  ])('releases the claim when the act was certainly not done: %s', async (failure, counts) => {
    await expect(performOnce(actOf(failure))).rejects.toBe(failure);
    expect(row).toEqual({ token: null, outcome: { kind: 'released', counts } });
    expect(await performOnce(actOf())).toMatchObject({ kind: 'done' });
  });

  it('keeps the claim after an error that leaves the outcome open', async () => {
    const failure = new TypeError('a mistake of ours');
    await expect(performOnce(actOf(failure))).rejects.toBe(failure);
    expect(row.token).not.toBeNull();
    expect(row.outcome).toBeNull();
  });

  it('does not retry a claim that fails with a definite error', async () => {
    const wrong = new InvalidInput('task_not_allowed', 'It is wrong.');
    const act = { ...actOf(), claim: () => Promise.reject(wrong) };
    await expect(performOnce(act)).rejects.toBe(wrong);
  });
});
