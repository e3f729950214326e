import { ask } from './ask-instructions.js';
import type { Call, Instructions } from './call-store.js';
import { LiveCall } from './live-call.js';
import type { Verb } from './read-twiml.js';
import { ring } from './ring.js';
import { addressIn, methodOf, type Next, type Place, seconds } from './verb-values.js';

/** `<Dial>` joins the call with another phone, and tells its `action` how that went. */
export async function dialVerb(live: LiveCall, verb: Verb, { base, turn }: Place): Promise<Next> {
  const { attributes } = verb;
  const number = verb.children[0];
  const to = (number?.text ?? verb.text).trim();
  const announcement = announcementOf(live, number, base);
  const leg = await joinLeg(live, to, { attributes, announcement, turn });
  const action = attributes.action === undefined ? undefined : addressIn(live, attributes.action, base);
  // A redirect by the API leaves the verb, and nobody is told.
  if (action === undefined || (turn.aborted && !live.over.aborted)) return undefined;
  const fields = {
    DialBridged: String(leg?.answeredAt != null),
    DialCallDuration: String(leg?.durationSeconds ?? 0),
    DialCallStatus: leg?.status ?? 'failed',
    ...(leg === undefined ? {} : { DialCallSid: leg.sid }),
  };
  const instructions: Instructions = { url: action, method: methodOf(attributes.method), fields };
  if (!live.over.aborted) return instructions;
  // The caller has left: it is told as well, and its answer has nobody to hear it.
  await ask(live, instructions);
  return undefined;
}

function announcementOf(
  live: LiveCall,
  number: Verb | undefined,
  base: string | undefined,
): Instructions | undefined {
  const { url, method } = number?.attributes ?? {};
  const address = url === undefined ? undefined : addressIn(live, url, base);
  return address === undefined ? undefined : { url: address, method: methodOf(method) };
}

/** What a `<Number url>` may answer; the carrier refuses other verbs there. */
const announcing: ReadonlySet<string> = new Set(['Say', 'Play', 'Pause']);

/** The person at the other phone hears the announcement alone, before both are joined. */
async function announce(leg: LiveCall, instructions: Instructions): Promise<void> {
  const document = await ask(leg, instructions);
  for (const { name, text } of document?.verbs ?? []) {
    if (!announcing.has(name)) leg.warn(13227, `Dial->Number: ${name} is not allowed in an announcement`);
    else if (name === 'Say') leg.exchange.store.note(leg.call, 'heard', { say: text.trim() });
  }
}

async function joinLeg(
  live: LiveCall,
  to: string,
  {
    attributes,
    announcement,
    turn,
  }: { attributes: Record<string, string>; announcement: Instructions | undefined; turn: AbortSignal },
): Promise<Call | undefined> {
  const { exchange, call } = live;
  const callerId = attributes.callerId ?? call.from;
  if (!/^\+[1-9]\d{6,14}$/.test(to)) {
    live.warn(13223, `Dial: invalid phone number format: ${to}`);
    return undefined;
  }
  if (![call.from, call.to, ...exchange.voiceNumbers.keys()].includes(callerId)) {
    live.warn(13214, `Dial: invalid callerId value: ${callerId}`);
    return undefined;
  }
  // A leg is never queued.
  const leg = exchange.store.add({
    direction: 'outbound-dial',
    parentSid: call.sid,
    from: callerId,
    to,
    status: 'ringing',
  });
  const child = new LiveCall(exchange, leg, {
    plan: exchange.plans.take(to),
    settings: {
      instructions: { twiml: '<Response/>' },
      statusEvents: [],
      ringSeconds: seconds(attributes.timeout, 30),
      maxSeconds: seconds(attributes.timeLimit, 14_400),
    },
  });
  const leave = (): void => child.end(child.line === undefined ? 'canceled' : 'completed');
  turn.addEventListener('abort', leave, { once: true });
  if (turn.aborted) leave();
  if (await ring(child, seconds(attributes.timeout, 30))) {
    child.answer();
    if (announcement !== undefined) await announce(child, announcement);
    await child.ended();
  }
  turn.removeEventListener('abort', leave);
  return leg;
}
