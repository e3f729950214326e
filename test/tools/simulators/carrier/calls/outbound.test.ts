import { describe, expect, test } from 'vitest';
import { accountOf } from './account.js';
import { colleague, handset, number, useCalls } from './simulated-calls.js';
import { eventually } from './voice-service.js';

const calls = useCalls();

describe('an outbound call at the carrier simulator', () => {
  test('is queued, rings, is answered and does what the handler says, with a signed callback for each', async () => {
    calls.service.answer('/handler', '<Say>Hello</Say><Hangup/>');
    const { carrierCallId, status } = await calls.dial();
    expect(status).toBe('queued');
    const call = await calls.ended();

    const statuses = ['queued', 'ringing', 'in-progress', 'completed'];
    expect(call.history.map(({ status }) => status)).toEqual(statuses);
    await eventually(calls.reported).toEqual(['initiated', 'ringing', 'in-progress', 'completed']);
    const about = { CallSid: carrierCallId, From: number, To: handset, Direction: 'outbound-api' };
    for (const { fields } of calls.service.to('/status')) expect(fields).toMatchObject(about);
    const [asked] = calls.service.to('/handler');
    expect(asked).toMatchObject({ method: 'POST', fields: { ...about, CallStatus: 'in-progress' } });
    expect([calls.isSigned('/status'), calls.isSigned('/handler')]).toEqual([true, true]);
    expect(call).toMatchObject({ heard: [{ say: 'Hello' }], alerts: [], sipCode: 200 });
    const numbers = calls.service.to('/status').map(({ fields }) => fields.SequenceNumber);
    expect(numbers).toEqual(['0', '1', '2', '3']);
    expect(calls.service.to('/status').at(-1)?.fields).toMatchObject({
      CallDuration: '1',
      SipResponseCode: '200',
    });
  });

  test('is billed, later by the knob, and then shows what it cost', async () => {
    calls.service.answer('/handler', '<Hangup/>');
    await calls.turn({ billedAfterMs: 3_000, pricePerMinute: 0.02 });
    const { carrierCallId } = await calls.dial();
    await calls.ended();
    const before = await calls.carrier.calls.status(carrierCallId);
    expect(before).toMatchObject({ status: 'completed', durationSeconds: 1 });
    expect(before).not.toHaveProperty('price');
    const paid = { amount: '0.02000', currency: 'USD' };
    await eventually(async () => (await calls.carrier.calls.status(carrierCallId))?.price).toEqual(paid);

    await calls.ask('PUT', `/simulator/calls/${carrierCallId}/bill`, {
      price: '-0.50000',
      durationSeconds: 70,
    });
    const billed = { durationSeconds: 70, price: { amount: '0.50000', currency: 'USD' } };
    expect(await calls.carrier.calls.status(carrierCallId)).toMatchObject(billed);
  });

  test.each([
    ['busy', 486],
    ['no-answer', 487],
    ['failed', 404],
  ] as const)('ends as %s, and asks for nothing', async (outcome, sipCode) => {
    await calls.plan({ outcome });
    await calls.dial();
    expect(await calls.ended()).toMatchObject({ status: outcome, sipCode, durationSeconds: null, asked: [] });
    await eventually(calls.reported).toEqual(['initiated', 'ringing', outcome]);
    expect(calls.service.to('/status').at(-1)?.fields).toMatchObject({ SipResponseCode: String(sipCode) });
  });

  test('is dialled also where the answer has no id, by the knob', async () => {
    await calls.turn({ withoutSid: 1 });
    await calls.plan({ outcome: 'busy' });
    await expect(calls.dial()).rejects.toMatchObject({ code: 'unreadable_answer' });
    expect((await calls.ended()).status).toBe('busy');
  });

  test('rings no longer than it was told to', async () => {
    await calls.plan({ afterMs: 60_000, speed: 1_000 });
    await calls.dial({ ringSeconds: 20 });
    expect((await calls.ended()).status).toBe('no-answer');
  });

  test('lasts no longer than it was told to', async () => {
    calls.service.answer('/handler', '<Pause length="600"/>');
    await calls.dial({ maxSeconds: 1 });
    await eventually(async () => (await calls.call()).status).toBe('completed');
  });

  test('asks by GET with signed parameters where it was told to', async () => {
    calls.service.answer('/handler', '<Hangup/>');
    const client = accountOf(calls.url);
    const url = `${calls.service.url}/handler?chat=1&call=2`;
    await client.calls.create({ from: number, to: handset, url, method: 'GET' });
    await calls.ended();
    const [asked] = calls.service.to('/handler');
    expect(asked).toMatchObject({ method: 'GET', fields: {} });
    expect(asked?.path).toMatch(/^\/handler\?chat=1&call=2&AccountSid=/);
    expect(calls.isSigned('/handler')).toBe(true);
  });

  test('may ask while it rings, and twice when it is answered', async () => {
    calls.service.answer('/handler', '<Hangup/>');
    await calls.turn({ prefetched: true, askedTwice: true });
    await calls.dial();
    await calls.ended();
    const statuses = calls.service.to('/handler').map(({ fields }) => fields.CallStatus);
    expect(statuses).toEqual(['ringing', 'in-progress', 'in-progress']);
  });

  test.each([
    ['human', 'recognition', 'human'],
    ['machine', 'recognition', 'machine_start'],
    ['machine', 'greeting_end', 'machine_end_beep'],
    ['fax', 'greeting_end', 'fax'],
    ['unknown', 'recognition', 'unknown'],
  ] as const)('tells beside the call that a %s has answered: %s', async (answeredBy, reportAt, result) => {
    calls.service.answer('/handler', '<Pause length="60"/>');
    await calls.plan({ answeredBy, detectedAfterMs: 200 });
    const { carrierCallId } = await calls.dial({
      machineDetection: { reportAt, callback: `${calls.service.url}/machine` },
    });
    await eventually(() => calls.service.to('/machine').length).toBe(1);
    const about = { CallSid: carrierCallId, AnsweredBy: result, MachineDetectionDuration: '200' };
    expect(calls.service.to('/machine')[0]?.fields).toMatchObject(about);
    expect(calls.service.to('/handler')[0]?.fields).not.toHaveProperty('AnsweredBy');
    expect(await calls.carrier.calls.status(carrierCallId)).toMatchObject({ answeredBy: result });
    expect(calls.isSigned('/machine')).toBe(true);
  });

  test('is ended while it waits, rings and goes on; and then not again', async () => {
    await calls.plan({ afterMs: 600_000 });
    const { carrierCallId } = await calls.dial();
    await eventually(async () => (await calls.call()).status).toBe('ringing');
    expect(await calls.carrier.calls.end(carrierCallId)).toMatchObject({ status: 'canceled' });
    await eventually(calls.reported).toEqual(['initiated', 'ringing', 'canceled']);

    await calls.plan();
    calls.service.answer('/handler', '<Pause length="600"/>');
    const second = await calls.dial();
    await eventually(async () => (await calls.call(1)).status).toBe('in-progress');
    expect(await calls.carrier.calls.end(second.carrierCallId)).toMatchObject({ status: 'completed' });
    expect(await calls.carrier.calls.end(second.carrierCallId)).toMatchObject({ status: 'completed' });
    await expect(calls.carrier.calls.end(`CA${'0'.repeat(32)}`)).resolves.toBeUndefined();
  });

  test('is redirected while it is in progress, and not before or after', async () => {
    await calls.plan({ afterMs: 600_000 });
    const ringing = await calls.dial();
    const bye = { twiml: '<Response><Say>Bye</Say></Response>' };
    await expect(calls.carrier.calls.redirect(ringing.carrierCallId, bye)).resolves.toBeUndefined();

    await calls.plan();
    calls.service.answer('/handler', '<Say>Hello</Say><Pause length="600"/><Say>Never</Say>');
    const { carrierCallId } = await calls.dial();
    await eventually(async () => (await calls.call(1)).heard.length).toBe(1);
    await expect(calls.carrier.calls.redirect(carrierCallId, bye)).resolves.toMatchObject({
      status: 'in-progress',
    });
    expect((await calls.ended(1)).heard).toMatchObject([{ say: 'Hello' }, { say: 'Bye' }]);
    await expect(calls.carrier.calls.redirect(carrierCallId, bye)).resolves.toBeUndefined();
  });
});

describe('the list of calls at the carrier simulator', () => {
  const claim = () => ({ from: number, to: handset, claimedAt: new Date() });

  test('has a call whose answer was lost', async () => {
    await calls.turn({ dropConnectionAfterAccept: 1 });
    const query = claim();
    await expect(calls.dial()).rejects.toMatchObject({ name: 'CarrierOutcomeUnknown' });
    expect(await calls.carrier.calls.find(query)).toMatchObject({ carrierCallId: (await calls.call()).sid });
    const knownIds = [(await calls.call()).sid];
    await expect(calls.carrier.calls.find({ ...query, knownIds })).resolves.toBeUndefined();
  });

  test('has it only after a while, by the knob', async () => {
    await calls.turn({ listLagMs: 3_000 });
    const query = claim();
    await calls.dial();
    await expect(calls.carrier.calls.find(query)).resolves.toBeUndefined();
    await eventually(() => calls.carrier.calls.find(query)).toBeDefined();
  });

  test('filters by numbers, status and time, newest first, in pages', async () => {
    await calls.plan({ outcome: 'busy' });
    const made = [await calls.dial(), await calls.dial(), await calls.dial({ to: colleague })];
    await calls.ended(2);
    const { calls: list } = accountOf(calls.url);
    const found = async (filter: Parameters<typeof list.list>[0]) =>
      (await list.list(filter)).map(({ sid }) =>
        made.findIndex(({ carrierCallId }) => carrierCallId === sid),
      );
    expect(await found({ pageSize: 2 })).toEqual([2, 1, 0]);
    expect(await found({ to: handset, status: 'busy' })).toEqual([1, 0]);
    expect(await found({ startTimeAfter: new Date(Date.now() + 60_000) })).toEqual([]);
    expect(await found({ startTimeAfter: new Date(Date.now() - 60_000), limit: 1 })).toEqual([2]);
  });
});

describe('a call that the carrier simulator does not take', () => {
  test.each([
    [{ To: '' }, 21201],
    [{ From: '' }, 21213],
    [{ To: 'nobody' }, 21211],
    [{ From: '12' }, 21212],
    [{ To: '+15005550001' }, 21217],
    [{ To: '+15005550003' }, 21215],
    [{ Url: 'nowhere' }, 21205],
    [{ Url: 'wss://service.example' }, 21205],
    [{ StatusCallback: 'nowhere' }, 21609],
    [{ StatusCallbackEvent: 'in-progress' }, 21626],
    [{ Timeout: '601' }, 20001],
    [{ TimeLimit: '0' }, 20001],
    [{ MachineDetection: 'Yes' }, 20001],
  ])('is invalid: %o', async (change, code) => {
    const form = { To: handset, From: number, Url: `${calls.service.url}/handler`, ...change };
    const response = await fetch(`${calls.url}/2010-04-01/Accounts/AC${'0'.repeat(32)}/Calls.json`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa(`AC${'0'.repeat(32)}:simulated-auth-token`)}` },
      body: new URLSearchParams(form),
    });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ code });
    expect(await calls.calls()).toEqual([]);
  });

  test('is one too many, of an account that is suspended, refused or too early', async () => {
    await calls.plan({ afterMs: 600_000 });
    await calls.turn({ concurrentCalls: 1 });
    await calls.dial();
    await expect(calls.dial()).rejects.toMatchObject({ name: 'CarrierBusy', code: '10004' });
    await calls.turn({ concurrentCalls: null, unauthorized: 1 });
    await expect(calls.dial()).rejects.toMatchObject({ name: 'CarrierUnusable', code: '20003' });
    await calls.turn({ refuse: { code: 21216, rate: 1 } });
    await expect(calls.dial()).rejects.toMatchObject({ name: 'CarrierRefused', code: '21216' });
    await calls.turn({ busy: { rate: 1 } });
    await expect(calls.dial()).rejects.toMatchObject({ name: 'CarrierBusy', code: 'http_429' });
    await calls.turn({ busy: { rate: 1, status: 500 } });
    await expect(calls.dial()).rejects.toMatchObject({ name: 'CarrierOutcomeUnknown' });
    expect(await calls.calls()).toHaveLength(1);
  });

  test('waits for its turn at the pace of the account', async () => {
    await calls.plan({ outcome: 'busy' });
    await calls.turn({ callsPerSecond: 0.5 });
    await Promise.all([calls.dial(), calls.dial()]);
    await calls.ended(1);
    const [first = 0, second = 0] = (await calls.calls()).map(({ startedAt }) => Date.parse(startedAt ?? ''));
    expect(second - first).toBeGreaterThanOrEqual(0);
    expect((await calls.call(1)).queueMs).toBeGreaterThan(50);
  });
});

describe('callbacks of a call at the carrier simulator', () => {
  test.each([
    ['twice', { doubled: true }, ['initiated', 'initiated', 'ringing', 'ringing', 'busy', 'busy']],
    ['in the wrong order', { outOfOrder: true }, ['busy', 'ringing', 'initiated']],
    ['late', { late: [30, 50] as [number, number] }, ['initiated', 'ringing', 'busy']],
    ['without some', { lostCallEvents: ['ringing', 'busy'] }, ['initiated']],
    ['without the first', { lost: 1 }, ['ringing', 'busy']],
  ])('come %s, by a knob', async (_, knobs, statuses) => {
    await calls.plan({ outcome: 'busy' });
    await calls.turn(knobs);
    await calls.dial();
    await eventually(async () => (await calls.call()).callbacks.map(({ event }) => event)).toContain('busy');
    await eventually(calls.reported).toEqual(statuses);
  });

  test('are tried again as the address says', async () => {
    const failing = (response: import('node:http').ServerResponse) => response.writeHead(503).end();
    calls.service.answer('/status', failing, '');
    await calls.plan({ outcome: 'busy' });
    await calls.dial({ statusCallback: `${calls.service.url}/status#rc=5&rp=all` });
    await eventually(calls.reported).toEqual(['initiated', 'initiated', 'ringing', 'busy']);
  });
});
