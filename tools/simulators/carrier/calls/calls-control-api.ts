import { objectWith } from '../../support/read-json.js';
import {
  afterIn,
  HttpFailure,
  noContent,
  type Reply,
  type Route,
  type SimulatorRequest,
} from '../../support/serve.js';
import { handsetOf } from './call-fields.js';
import type { Call } from './call-store.js';
import type { Exchange } from './exchange.js';
import { follow } from './follow-script.js';
import { PlanBook, readSteps } from './plan.js';
import { ringIn } from './ring-in.js';

/** The part of the control API that is about calls. */
export function callControlRoutes(exchange: Exchange): Route[] {
  return [
    ['POST', '/simulator/handsets/{handset}/calls', (request) => callFromHandset(exchange, request)],
    ['PUT', '/simulator/handsets/{handset}/plans', (request) => setPlans(exchange, request)],
    ['DELETE', '/simulator/plans', () => noContent(() => exchange.plans.reset())],
    ['GET', '/simulator/calls', ({ query }) => ({ body: callsOf(exchange, query) })],
    ['GET', '/simulator/calls/{sid}', (request) => ({ body: callIn(exchange, request) })],
    ['POST', '/simulator/calls/{sid}/script', (request) => runScript(exchange, request)],
    ['GET', '/simulator/calls/{sid}/streams/{number}', (request) => ({ body: audioOf(exchange, request) })],
    ['PUT', '/simulator/calls/{sid}/bill', (request) => setBill(exchange, request)],
  ];
}

function callFromHandset(exchange: Exchange, { params, json }: SimulatorRequest): Reply {
  const { to, shownAs, ...plan } = objectWith(json(), ['to', 'shownAs', 'script', 'speed']);
  if (typeof to !== 'string' || !(shownAs === undefined || typeof shownAs === 'string')) {
    throw new HttpFailure(400, { error: 'to and shownAs have to be strings.' });
  }
  const handset = params.handset ?? '';
  const book = new PlanBook();
  book.set(handset, [plan]);
  return { status: 201, body: ringIn(exchange, { handset, to, shownAs, plan: book.take(handset) }) };
}

function setPlans({ plans }: Exchange, { params, json }: SimulatorRequest): Reply {
  return noContent(() => plans.set(params.handset ?? '', json()));
}

function callsOf({ store }: Exchange, query: URLSearchParams): Call[] {
  const handset = query.get('handset');
  return store.after(afterIn(query)).filter((call) => handset === null || handsetOf(call) === handset);
}

/** Does the steps now, beside the script of the plan; answers when they are done, or the call has ended. */
async function runScript(exchange: Exchange, request: SimulatorRequest): Promise<Reply> {
  const call = callIn(exchange, request);
  const steps = readSteps(request.json());
  const live = exchange.live.get(call.sid);
  if (live?.line === undefined) throw new HttpFailure(409, { error: 'The call is not in progress.' });
  await follow(live, steps);
  return { body: call };
}

/** What was said and what was heard in a stream: both as µ-law from its beginning. */
function audioOf(exchange: Exchange, request: SimulatorRequest): { said: string; played: string } {
  const call = callIn(exchange, request);
  const stream = exchange.streams.get(call.sid)?.[Number(request.params.number) - 1];
  if (stream === undefined)
    throw new HttpFailure(404, { error: 'The call has no such stream, or not any more.' });
  const { said, played } = stream;
  return { said: said.all().toString('base64'), played: played.all().toString('base64') };
}

/** What the carrier says from now on that the call cost and lasted. */
function setBill(exchange: Exchange, request: SimulatorRequest): Reply {
  const call = callIn(exchange, request);
  const { price = call.price, durationSeconds = call.durationSeconds } = objectWith(request.json(), [
    'price',
    'durationSeconds',
  ]);
  const isPrice = price === null || typeof price === 'string';
  const isDuration = durationSeconds === null || typeof durationSeconds === 'number';
  if (!isPrice || !isDuration)
    throw new HttpFailure(400, { error: 'price is a text, durationSeconds a number.' });
  exchange.store.change(call, { price, durationSeconds });
  return { body: call };
}

function callIn({ store }: Exchange, { params }: SimulatorRequest): Call {
  const call = store.find(params.sid ?? '');
  if (call === undefined) throw new HttpFailure(404, { error: 'There is no such call.' });
  return call;
}
