import { describe, expect, it } from 'vitest';
import { workflowIdOf } from '../../../workflows/contracts/runs.js';
import type { Evidence } from './evidence.js';
import { invariants, violations } from './invariants.js';

/** Two events that were delivered correctly: one at the first attempt; one twice, after an error and a crash. */
function calm(): Evidence {
  const attempt = { finished: true, statusCode: 200 };
  return {
    acknowledged: 2,
    unanswered: 0,
    events: [
      { uuid: 'a', eventType: 'chat:created', sha256: 'aa' },
      { uuid: 'b', eventType: 'member:updated', sha256: 'bb' },
    ],
    deliveries: [
      { uuid: 'da', eventUuid: 'a', status: 'delivered', attemptCount: 1 },
      { uuid: 'db', eventUuid: 'b', status: 'delivered', attemptCount: 3 },
    ],
    attempts: [
      { ...attempt, eventUuid: 'a', number: 1 },
      { ...attempt, eventUuid: 'b', number: 1, statusCode: 503 },
      { ...attempt, eventUuid: 'b', number: 3 },
      { ...attempt, eventUuid: 'b', number: 2, statusCode: null },
    ],
    received: [
      {
        ...{ receiver: 'chat:created', eventUuid: 'a', sameBody: true, sha256: 'aa' },
        ...{ came: 1, taken: 1, answers: { 200: 1 } },
      },
      {
        ...{ receiver: 'member:updated', eventUuid: 'b', sameBody: true, sha256: 'bb' },
        ...{ came: 3, taken: 2, answers: { 200: 2, 503: 1 } },
      },
    ],
    runs: ['da', 'db'].map((uuid) => ({
      workflowId: workflowIdOf('deliverWebhook', uuid),
      status: 'COMPLETED',
    })),
    outbox: [],
    deaths: [],
  };
}

function change<T extends object>(items: readonly T[], index: number, values: Partial<T>): void {
  const item = items[index];
  if (item === undefined) throw new Error(`there is no ${index}`);
  Object.assign(item, values);
}

type Spoil = (evidence: Evidence) => unknown;

/** Violations by the invariant that must detect them. */
const spoiling: Record<string, Record<string, Spoil>> = {
  'every-event-is-taken': {
    'one never came': ({ received }) => received.splice(0, 1),
    'one was not taken': ({ received }) => change(received, 0, { taken: 0 }),
    'another receiver took it': ({ received }) => change(received, 0, { receiver: 'member:updated' }),
  },
  'nothing-else-is-sent': {
    'an id is new': ({ received }) => change(received, 0, { eventUuid: 'c' }),
  },
  'bytes-are-frozen': {
    'a repetition differs': ({ received }) => change(received, 1, { sameBody: false }),
    'the body is another': ({ received }) => change(received, 1, { sha256: 'aa' }),
  },
  'every-request-is-signed': {
    'one was refused': ({ received }) => change(received, 1, { answers: { 200: 2, 401: 1 } }),
  },
  'every-request-is-known': {
    'one more was answered than asked': ({ received }) =>
      change(received, 0, { came: 2, answers: { 200: 1, 503: 1 } }),
    'an attempt asked three times': ({ received }) =>
      change(received, 0, { came: 3, answers: { 200: 1, reset: 2 } }),
    'a status was never answered': ({ attempts }) => change(attempts, 1, { statusCode: 500 }),
  },
  'what-was-taken-is-not-sent-again': {
    'it was taken three times': ({ received }) => change(received, 1, { taken: 3 }),
  },
  'comes-to-rest': {
    'something goes on': (evidence) => Object.assign(evidence, { unrest: 'a run' }),
  },
  'processes-survive': { 'a worker ended': ({ deaths }) => deaths.push('worker') },
  'outbox-is-empty': { 'an entry waits': ({ outbox }) => outbox.push('deliverWebhook x') },
  'events-are-kept': {
    'one is lost': (evidence) => Object.assign(evidence, { acknowledged: 3 }),
    'one is too many': (evidence) => Object.assign(evidence, { acknowledged: 1 }),
  },
  'an-event-has-one-delivery': {
    'one has none': ({ deliveries }) => deliveries.splice(0, 1),
    'one has two': ({ deliveries }) =>
      deliveries.push({ uuid: 'dc', eventUuid: 'a', status: 'delivered', attemptCount: 1 }),
    'one is pending': ({ deliveries }) => change(deliveries, 0, { status: 'pending' }),
  },
  'a-delivery-has-one-run': {
    'one has none': ({ runs }) => runs.splice(0, 1),
    'one goes on': ({ runs }) => change(runs, 0, { status: 'RUNNING' }),
    'one has two': ({ runs }) => runs.push(...runs.slice(0, 1)),
    'one is of nothing': ({ runs }) => runs.push({ workflowId: 'webhook-x', status: 'COMPLETED' }),
  },
  'attempts-end-with-success': {
    'one is unfinished': ({ attempts }) => change(attempts, 3, { finished: false }),
    'a number is left out': ({ attempts }) => attempts.splice(3, 1),
    'one goes on after success': ({ attempts }) => change(attempts, 1, { statusCode: 200 }),
    'the last one failed': ({ attempts }) => change(attempts, 2, { statusCode: 503 }),
    'the count is another': ({ deliveries }) => change(deliveries, 1, { attemptCount: 2 }),
  },
};
const spoiled = Object.entries(spoiling).flatMap(([name, cases]) =>
  Object.entries(cases).map(([what, spoil]) => ({ name, what, spoil })),
);

describe('the webhook invariants', () => {
  it('report nothing for consistent evidence', () => {
    expect(violations(calm())).toEqual([]);
  });

  it.each(spoiled)('$name: detects that $what', ({ name, spoil }) => {
    const evidence = calm();
    spoil(evidence);
    const found = violations(evidence).filter((violation) => violation.startsWith(`${name}: `));
    expect(found).not.toEqual([]);
    for (const message of found) expect(message).not.toMatch(/undefined|null|NaN|\[object/);
  });

  it('have unique names and a detection test each', () => {
    const names = invariants.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(new Set(Object.keys(spoiling))).toEqual(new Set(names));
  });

  it('list the first of many violations and count the rest', () => {
    const evidence = { ...calm(), deaths: Array<string>(25).fill('worker') };
    expect(violations(evidence)).toHaveLength(11);
    expect(violations(evidence).at(-1)).toBe('processes-survive: and 15 more');
  });
});
