import type { Reply, Route, SimulatorRequest } from '../../support/serve.js';
import { carrierError } from '../carrier-errors.js';
import { listReply } from '../list-reply.js';
import { authenticate, type CarrierApi, misbehave } from '../rest-api.js';
import { handsetOf } from './call-fields.js';
import { instructionsIn, readSettings } from './call-settings.js';
import { type Call, isFinal } from './call-store.js';
import { dialOut } from './dial-out.js';
import type { Exchange } from './exchange.js';
import { presentCall } from './present-call.js';

/** The part of the carrier's REST API that the `twilio` package uses for calls. */
export function callRoutes(api: CarrierApi): Route[] {
  const calls = '/2010-04-01/Accounts/{account}/Calls';
  return [
    ['POST', `${calls}.json`, (request) => createCall(api, request)],
    ['GET', `${calls}.json`, (request) => listCalls(api, request)],
    [
      'GET',
      `${calls}/{sid}.json`,
      async (request) => ({ body: presentCall(api.accountSid, await callIn(api, request)) }),
    ],
    ['POST', `${calls}/{sid}.json`, (request) => updateCall(api, request)],
  ];
}

async function createCall(api: CarrierApi, request: SimulatorRequest): Promise<Reply | undefined> {
  authenticate(api, request);
  const form = request.form();
  await misbehave(api, form.get('To') ?? '');
  const { from, to, settings } = readSettings(form);
  const refused = api.knobs.applies(to, 'refuse');
  if (refused !== undefined) throw carrierError(refused.code);
  const { concurrentCalls } = api.knobs.of(undefined);
  if (concurrentCalls !== null && api.exchange.live.size >= concurrentCalls) throw carrierError(10004);

  const queueMs = takeTurn(api.exchange);
  const call = api.exchange.store.add({ direction: 'outbound-api', from, to, status: 'queued', queueMs });
  const shown = presentCall(api.accountSid, call);
  const reply = { status: 201, body: api.knobs.takes(to, 'withoutSid') ? { ...shown, sid: null } : shown };
  api.beside(dialOut(api.exchange, call, settings));
  if (!api.knobs.takes(to, 'dropConnectionAfterAccept')) return reply;
  request.response.destroy();
  return undefined;
}

/** Calls of the account are dialled at its pace. Returns how long this one waits. */
function takeTurn(exchange: Exchange): number {
  const { callsPerSecond } = exchange.knobs.of(undefined);
  if (callsPerSecond === null) return 0;
  const dialAt = Math.max(Date.now(), exchange.nextDialAt);
  exchange.nextDialAt = dialAt + 1_000 / callsPerSecond;
  return dialAt - Date.now();
}

async function listCalls(api: CarrierApi, request: SimulatorRequest): Promise<Reply> {
  authenticate(api, request);
  const { query } = request;
  await misbehave(api, query.get('To') ?? '');
  const matching = api.exchange.store
    .after(0)
    .filter((call) => matches(call, query) && isListed(api, call))
    .reverse();
  return listReply(request, matching, (call) => presentCall(api.accountSid, call), {
    key: 'calls',
    path: `/2010-04-01/Accounts/${api.accountSid}/Calls.json`,
  });
}

/** Ends a call that has not ended, or gives one that is in progress other instructions. */
async function updateCall(api: CarrierApi, request: SimulatorRequest): Promise<Reply> {
  const call = await callIn(api, request);
  const form = request.form();
  const live = api.exchange.live.get(call.sid);
  const status = form.get('Status');
  if (status !== null && status !== 'completed' && status !== 'canceled') throw carrierError(20001);
  if (live === undefined || isFinal(call.status)) throw carrierError(21220);
  const isUp = call.status === 'in-progress';
  if (status === null) {
    const instructions = instructionsIn(form);
    if (!isUp) throw carrierError(21220);
    live.redirect(instructions);
  } else if (!isUp) live.end('canceled');
  // `canceled` does nothing to a call in progress.
  else if (status === 'completed') live.end('completed');
  return { body: presentCall(api.accountSid, call) };
}

async function callIn(api: CarrierApi, request: SimulatorRequest): Promise<Call> {
  authenticate(api, request);
  const call = api.exchange.store.find(request.params.sid ?? '');
  if (call === undefined) throw carrierError(20404);
  await misbehave(api, handsetOf(call));
  return call;
}

function isListed({ knobs }: CarrierApi, call: Call): boolean {
  return Date.now() - Date.parse(call.createdAt) >= knobs.of(handsetOf(call)).listLagMs;
}

/** `StartTime` is a day; `StartTime<` and `StartTime>` are inclusive timestamps. A call that waits has none. */
function matches(call: Call, query: URLSearchParams): boolean {
  const same = (name: string, value: string | null): boolean => !query.has(name) || query.get(name) === value;
  if (!same('To', call.to) || !same('From', call.from) || !same('Status', call.status)) return false;
  if (!same('ParentCallSid', call.parentSid)) return false;
  const [day, before, after] = [query.get('StartTime'), query.get('StartTime<'), query.get('StartTime>')];
  if (day === null && before === null && after === null) return true;
  if (call.startedAt === null) return false;
  const startedAt = Date.parse(call.startedAt);
  return (
    (day === null || call.startedAt.startsWith(day.slice(0, 10))) &&
    (before === null || startedAt <= Date.parse(before)) &&
    (after === null || startedAt >= Date.parse(after))
  );
}
