import { beforeEach, describe, expect, test } from 'vitest';
import { CarrierBusy, CarrierUnusable } from '../../../providers/carrier/carrier.js';
import type { CarrierCalls, OutgoingCall } from '../../../providers/carrier/carrier-calls.js';
import { TwilioCarrier } from '../../../providers/carrier/twilio-carrier.js';
import { closedPort, startAnswering, startServer } from '../misbehaving-server.js';

const accountSid = `AC${'1'.repeat(32)}`;
const id = (digit: number | string) => `CA${String(digit).repeat(32)}`;
const from = '+15550100001';
const to = '+15550100002';
const claimedAt = new Date('2030-01-01T12:00:00.400Z');
const call: OutgoingCall = {
  from,
  to,
  url: 'https://service.example/handler',
  statusCallback: 'https://service.example/status#rc=5&rp=all',
};

/** A call as the carrier shows it. */
const shown = (more: object = {}) => ({
  sid: id(2),
  from,
  to,
  status: 'queued',
  direction: 'outbound-api',
  date_created: 'Tue, 01 Jan 2030 12:00:01 +0000',
  start_time: null,
  end_time: null,
  duration: null,
  price: null,
  price_unit: 'USD',
  answered_by: null,
  ...more,
});
const made = (seconds: number, more: object = {}) =>
  shown({ date_created: new Date(claimedAt.getTime() + seconds * 1_000).toUTCString(), ...more });

type Asked = { method: string; path: string; form: URLSearchParams };
let asked: Asked[];
let answers: { status?: number; body: object }[];
let calls: CarrierCalls;

const at = (apiBaseUrl: string) =>
  new TwilioCarrier({ accountSid, authToken: 'token', apiBaseUrl, timeoutMs: 2_000 }).calls;

beforeEach(async () => {
  [asked, answers] = [[], []];
  const url = await startServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    asked.push({
      method: request.method ?? '',
      path: request.url ?? '',
      form: new URLSearchParams(body),
    });
    const { status = 200, body: answer } = answers.shift() ?? { status: 500, body: {} };
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  });
  calls = at(url);
});

const listing = (...listed: object[]) => answers.push({ body: { calls: listed, next_page_uri: null } });
const refusing = (status: number, code: number) => answers.push({ status, body: { status, code } });
const formOf = (index = 0) => [...(asked[index]?.form ?? [])];
const failure = (work: Promise<unknown>) => work.catch((error: unknown) => error);

describe('create', () => {
  test('asks for the call and a callback for every status, and for nothing that was not asked for', async () => {
    answers.push({ status: 201, body: shown() });

    expect(await calls.create(call)).toEqual({ carrierCallId: id(2), status: 'queued' });

    expect(asked).toMatchObject([{ method: 'POST', path: `/2010-04-01/Accounts/${accountSid}/Calls.json` }]);
    expect(formOf()).toEqual([
      ['To', to],
      ['From', from],
      ['Method', 'POST'],
      ['StatusCallback', call.statusCallback],
      ...['initiated', 'ringing', 'answered', 'completed'].map((event) => ['StatusCallbackEvent', event]),
      ['Url', call.url],
    ]);
  });

  test.each([
    ['recognition', 'Enable'],
    ['greeting_end', 'DetectMessageEnd'],
  ] as const)('detects machines beside the call, and reports them at %s', async (reportAt, mode) => {
    answers.push({ status: 201, body: shown() });
    const machineDetection = { reportAt, callback: 'https://service.example/amd', timeoutSeconds: 20 };
    await calls.create({ ...call, ringSeconds: 25, maxSeconds: 3_600, machineDetection });
    expect(Object.fromEntries(formOf())).toMatchObject({
      Timeout: '25',
      TimeLimit: '3600',
      MachineDetection: mode,
      AsyncAmd: 'true',
      AsyncAmdStatusCallback: 'https://service.example/amd',
      MachineDetectionTimeout: '20',
    });
  });

  test.each([
    [400, 21211, 'CarrierRefused'],
    [400, 21215, 'CarrierRefused'],
    [401, 20003, 'CarrierUnusable'],
    [404, 20404, 'CarrierUnusable'],
    [400, 10001, 'CarrierUnusable'],
    [403, 10003, 'CarrierUnusable'],
    [429, 20429, 'CarrierBusy'],
    [400, 10004, 'CarrierBusy'],
    [503, 20503, 'CarrierBusy'],
    [500, 20500, 'CarrierOutcomeUnknown'],
  ])('an answer with %i %i is a %s', async (status, code, name) => {
    refusing(status, code);
    expect(await failure(calls.create(call))).toMatchObject({ name });
    expect(asked).toHaveLength(1);
  });

  test.each(['{"sid": "CA', '{}'])('does not know whether it dials after the answer %s', async (body) => {
    const failed = await failure(at(await startAnswering(201, body)).create(call));
    expect(failed).toMatchObject({ name: 'CarrierOutcomeUnknown', code: 'unreadable_answer' });
  });

  test('dials nothing where nobody listens', async () => {
    const nowhere = at(`http://127.0.0.1:${await closedPort()}`);
    expect(await failure(nowhere.create(call))).toBeInstanceOf(CarrierBusy);
  });
});

describe('find', () => {
  const find = (more: object = {}) => calls.find({ from, to, claimedAt, ...more });

  test('asks for the calls between the two numbers', async () => {
    listing();
    await expect(find()).resolves.toBeUndefined();
    const { searchParams } = new URL(asked[0]?.path ?? '', 'http://carrier');
    expect(Object.fromEntries(searchParams)).toEqual({ To: to, From: from, PageSize: '200' });
  });

  test.each([
    ['that came in', made(1, { direction: 'inbound' })],
    ['that is a leg of another', made(1, { direction: 'outbound-dial' })],
    ['from before the claim', made(-31)],
    ['from long after it', made(181)],
    ['that is known', made(1, { sid: id(9) })],
    ['whose time cannot be read', shown({ date_created: 'at noon' })],
  ])('does not take a call %s', async (_, other) => {
    listing(other);
    await expect(find({ knownIds: [id(9)] })).resolves.toBeUndefined();
  });

  test('takes the call closest to the claim, and leaves those of other claims to them', async () => {
    const other = [made(40, { sid: id(4) }), made(1, { sid: id(3) })];
    listing(...other);
    await expect(find()).resolves.toMatchObject({ carrierCallId: id(3) });

    const earlier = new Date(claimedAt.getTime() - 1_000);
    listing(made(0, { sid: id(3) }));
    await expect(find({ claimsAfter: [new Date(claimedAt.getTime() + 30_000)] })).resolves.toBeDefined();
    listing(made(-1, { sid: id(3) }));
    await expect(find({ claimsBefore: [earlier] })).resolves.toBeUndefined();
    listing(made(0, { sid: id(4) }), made(-1, { sid: id(3) }));
    await expect(find({ claimsBefore: [earlier] })).resolves.toMatchObject({ carrierCallId: id(4) });
  });
});

describe('status', () => {
  test('tells times, duration, price and who answered', async () => {
    answers.push({
      body: shown({
        status: 'completed',
        start_time: 'Tue, 01 Jan 2030 12:00:02 +0000',
        end_time: 'Tue, 01 Jan 2030 12:01:05 +0000',
        duration: '63',
        price: '-0.02600',
        answered_by: 'human',
      }),
    });
    expect(await calls.status(id(2))).toEqual({
      carrierCallId: id(2),
      status: 'completed',
      startedAt: new Date('2030-01-01T12:00:02Z'),
      endedAt: new Date('2030-01-01T12:01:05Z'),
      durationSeconds: 63,
      price: { amount: '0.02600', currency: 'USD' },
      answeredBy: 'human',
    });
  });

  test('leaves out what is empty or cannot be read', async () => {
    const unreadable = { start_time: 'soon', end_time: '', duration: '', price: 'free', answered_by: '' };
    answers.push({ body: shown({ status: 'busy', ...unreadable }) });
    expect(await calls.status(id(2))).toEqual({ carrierCallId: id(2), status: 'busy' });
  });

  test('is undefined for a call that the carrier does not have', async () => {
    refusing(404, 20404);
    await expect(calls.status(id(2))).resolves.toBeUndefined();
  });
});

describe('end', () => {
  test('hangs up in any status', async () => {
    answers.push({ body: shown({ status: 'in-progress' }) });
    await expect(calls.end(id(2))).resolves.toMatchObject({ status: 'in-progress' });
    expect(asked[0]?.path).toBe(`/2010-04-01/Accounts/${accountSid}/Calls/${id(2)}.json`);
    expect(formOf()).toEqual([['Status', 'completed']]);
  });

  test('tells how a call ended that has ended', async () => {
    refusing(400, 21220);
    answers.push({ body: shown({ status: 'busy' }) });
    await expect(calls.end(id(2))).resolves.toMatchObject({ status: 'busy' });
  });

  test('is undefined for a call that the carrier does not have', async () => {
    refusing(404, 20404);
    await expect(calls.end(id(2))).resolves.toBeUndefined();
  });

  test('may be repeated when its outcome is unknown', async () => {
    refusing(500, 20500);
    expect(await failure(calls.end(id(2)))).toBeInstanceOf(CarrierBusy);
  });
});

describe('redirect', () => {
  test.each([
    [{ twiml: '<Response/>' }, [['Twiml', '<Response/>']]],
    [
      { url: 'https://service.example/continue' },
      [
        ['Url', 'https://service.example/continue'],
        ['Method', 'POST'],
      ],
    ],
  ])('gives the call %o', async (instructions, form) => {
    answers.push({ body: shown({ status: 'in-progress' }) });
    await expect(calls.redirect(id(2), instructions)).resolves.toMatchObject({ status: 'in-progress' });
    expect(formOf()).toEqual(form);
  });

  test.each([
    [400, 21220],
    [404, 20404],
  ])('is undefined for a call that is not in progress, %i %i', async (status, code) => {
    refusing(status, code);
    await expect(calls.redirect(id(2), { twiml: '<Response/>' })).resolves.toBeUndefined();
  });

  test('does not know whether the call follows it when the answer is lost', async () => {
    refusing(502, 20500);
    const failed = await failure(calls.redirect(id(2), { twiml: '<Response/>' }));
    expect(failed).toMatchObject({ name: 'CarrierOutcomeUnknown' });
  });
});

describe.each<[string, (at: CarrierCalls) => Promise<unknown>]>([
  ['find', (at) => at.find({ from, to, claimedAt })],
  ['status', (at) => at.status(id(2))],
  ['end', (at) => at.end(id(2))],
])('%s', (_, ask) => {
  test.each([
    ['is down', () => startAnswering(500, '')],
    ['has no room', () => startAnswering(429, '')],
    ['cannot be reached', async () => `http://127.0.0.1:${await closedPort()}`],
    ['gives an answer that cannot be read', () => startAnswering(200, '{')],
  ])('fails as busy when the carrier %s', async (__, url) => {
    expect(await failure(ask(at(await url())))).toBeInstanceOf(CarrierBusy);
  });

  test('fails as unusable when the account is', async () => {
    const refused = at(await startAnswering(401, '{"code": 20003}'));
    expect(await failure(ask(refused))).toBeInstanceOf(CarrierUnusable);
  });
});
