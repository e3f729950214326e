import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { signingSecretsOf } from '../../../../domain/events/event-rules/signing-secrets.js';
import { useApi } from '../../../support/api/use-api.js';
import { testEncryption } from '../../../support/lib/encryption.js';
import { days, hours, MovedClock } from '../../../support/lib/moved-clock.js';
import { eventRuleBody } from '../../../support/webhooks/event-rules.js';

const clock = new MovedClock();
const { api, workspace, asAdmin } = useApi({ clock });
let id: number;
let first: string;
beforeEach(async () => {
  ({ id, first } = await newRule());
});

async function newRule(params: object = {}): Promise<{ id: number; first: string }> {
  const { status, body } = await asAdmin('POST', '/event-rules', eventRuleBody(params));
  expect(status).toBe(201);
  return { id: body.id, first: body.actionParams.signingSecret };
}

const rotate = (body: object = {}, of = id) => asAdmin('POST', `/event-rules/${of}/rotate-secret`, body);

/** The secrets that sign deliveries at this moment. */
const valid = (of = id) => workspace.within((tx) => signingSecretsOf(tx, testEncryption, of, clock.now()));

describe('the secret of a new rule', () => {
  it('is the returned one', async () => {
    expect(await valid()).toEqual([first]);
  });

  it.each(['eight-ch', `whsec_${'A'.repeat(32)}`, `whsec_${'A'.repeat(86)}==`, '~'.repeat(256)])(
    'is the given one: %s',
    async (signingSecret) => {
      const given = await newRule({ signingSecret });
      expect(given.first).toBe(signingSecret);
      expect(await valid(given.id)).toEqual([signingSecret]);
    },
  );

  it('is absent if the request gives null', async () => {
    const unsigned = await newRule({ signingSecret: null });
    expect(unsigned.first).toBeUndefined();
    expect(await valid(unsigned.id)).toEqual([]);
    expect((await asAdmin('GET', `/event-rules/${unsigned.id}`)).body.secrets).toEqual([]);
  });

  it('is stored neither in the idempotency record nor in plain text', async () => {
    const { apiKey } = workspace.admin;
    const secrets: string[] = [];
    for (const [path, body] of [
      ['/event-rules', eventRuleBody()],
      [`/event-rules/${id}/rotate-secret`, {}],
    ] as const) {
      const headers = { 'Idempotency-Key': randomUUID() };
      const answer = await api.request('POST', workspace.path(path), { apiKey, headers, body });
      secrets.push(answer.body.actionParams.signingSecret);
    }
    expect(secrets).toEqual([expect.stringMatching(/^whsec_/), expect.stringMatching(/^whsec_/)]);
    const stored = await workspace.within(async (tx) => [
      ...(await tx('idempotency_keys').pluck('answer')),
      ...(await tx('event_rule_secrets').pluck('ciphertext')).map((bytes: Buffer) =>
        bytes.toString('latin1'),
      ),
    ]);
    expect(stored.length).toBeGreaterThan(3);
    for (const secret of secrets) expect(stored.join()).not.toContain(secret);
  });
});

describe('a secret given by the client', () => {
  it('cannot be guessed from the stored request fingerprint, which depends on the Idempotency-Key', async () => {
    const { apiKey } = workspace.admin;
    const body = eventRuleBody({ signingSecret: 'a-guess-of-theirs' });
    for (const key of [randomUUID(), randomUUID()]) {
      const headers = { 'Idempotency-Key': key };
      const path = workspace.path('/event-rules');
      expect((await api.request('POST', path, { apiKey, headers, body })).status).toBe(201);
    }
    const kept: Buffer[] = await workspace.within((tx) =>
      tx('idempotency_keys').where({ operation: 'createEventRule' }).pluck('fingerprint'),
    );
    expect(kept.length).toBeGreaterThan(1);
    expect(new Set(kept.map((fingerprint) => fingerprint.toString('hex'))).size).toBe(kept.length);
  });
});

describe('rotating a secret', () => {
  it('creates a secret that is valid at once, and keeps the previous one for a day', async () => {
    const { status, body } = await rotate();
    const second = body.actionParams.signingSecret;
    expect(status).toBe(200);
    const until = new Date(clock.now().getTime() + days(1)).toISOString();
    expect(body.secrets).toMatchObject([{ expiresAt: null }, { expiresAt: until }]);
    expect(await valid()).toEqual([second, first]);

    clock.advance(days(1) - 1);
    expect(await valid()).toEqual([second, first]);
    clock.advance(1);
    expect(await valid()).toEqual([second]);
    const read = await asAdmin('GET', `/event-rules/${id}`);
    expect(read.body.secrets).toHaveLength(1);
    expect(read.body.actionParams).not.toHaveProperty('signingSecret');
  });

  it('ends the previous secrets at once or after the given overlap', async () => {
    const { body } = await rotate({ overlapSeconds: 3_600, signingSecret: 'the-second-secret' });
    expect(body.actionParams.signingSecret).toBe('the-second-secret');
    expect(await valid()).toEqual(['the-second-secret', first]);
    const third = await rotate({ overlapSeconds: 0, signingSecret: 'the-third-secret-' });
    expect(third.body.secrets).toHaveLength(1);
    expect(await valid()).toEqual(['the-third-secret-']);
    const stored = await workspace.within((tx) => tx('event_rule_secrets').where({ event_rule_id: id }));
    expect(stored).toHaveLength(1);
  });

  it('never extends the life of a secret', async () => {
    await rotate({ overlapSeconds: 3_600 });
    clock.advance(hours(0.5));
    await rotate({ overlapSeconds: 86_400 });
    clock.advance(hours(0.5));
    expect(await valid()).not.toContain(first);
    expect(await valid()).toHaveLength(2);
  });

  it('leaves deliveries unsigned after a rotation to null, once the others have expired', async () => {
    const { body } = await rotate({ signingSecret: null, overlapSeconds: 60 });
    expect(body.actionParams).not.toHaveProperty('signingSecret');
    expect(await valid()).toEqual([first]);
    clock.advance(60_000);
    expect(await valid()).toEqual([]);
    const again = await rotate();
    expect(await valid()).toEqual([again.body.actionParams.signingSecret]);
  });

  it('is rejected with five valid secrets, until one expires or all are ended', async () => {
    for (let count = 2; count <= 5; count += 1) expect((await rotate()).status).toBe(200);
    expect(await rotate()).toMatchObject({ status: 409, body: { code: 'too_many_secrets' } });
    expect(await valid()).toHaveLength(5);
    expect(await valid()).toContain(first);

    expect((await rotate({ signingSecret: null, overlapSeconds: 86_400 })).status).toBe(200);
    clock.advance(days(1));
    expect((await rotate()).status).toBe(200);
    for (let count = 2; count <= 5; count += 1) await rotate();
    expect((await rotate({ overlapSeconds: 0 })).body.secrets).toHaveLength(1);
  });

  it('changes nothing if it is rejected', async () => {
    for (let count = 2; count <= 5; count += 1) await rotate();
    const before = await asAdmin('GET', `/event-rules/${id}`);
    clock.advance(hours(1));
    expect((await rotate({ overlapSeconds: 60 })).status).toBe(409);
    expect((await asAdmin('GET', `/event-rules/${id}`)).body).toEqual(before.body);
  });

  it.each([
    ['an overlap of more than a day', { overlapSeconds: 86_401 }, '/overlapSeconds'],
    ['an overlap before now', { overlapSeconds: -1 }, '/overlapSeconds'],
    ['a short secret', { signingSecret: 'short' }, '/signingSecret'],
    ['a key that is none', { signingSecret: 'whsec_not+base64!!!' }, '/signingSecret'],
    ['an unknown field', { immediately: true }, '/immediately'],
  ])('is refused with %s', async (_, body, pointer) => {
    const answer = await rotate(body);
    expect(answer).toMatchObject({ status: 400, body: { errors: [{ pointer }] } });
    expect(await valid()).toEqual([first]);
  });
});
