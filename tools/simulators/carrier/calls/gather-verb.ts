import type { LiveCall } from './live-call.js';
import type { Verb } from './read-twiml.js';
import { addressIn, methodOf, type Next, type Place, seconds } from './verb-values.js';
import { hear, waitFor } from './words.js';

/**
 * `<Gather input="dtmf">` says its words until a key is pressed, and tells its `action` the keys. Without any, the next verb
 * follows, unless `actionOnEmptyResult` is set. https://www.twilio.com/docs/voice/twiml/gather
 */
export async function gatherVerb(
  live: LiveCall,
  { attributes, children }: Verb,
  { base, turn }: Place,
): Promise<Next> {
  const { line } = live;
  if ((attributes.input ?? 'dtmf') !== 'dtmf') live.warn(13_332, 'Gather: only keys are understood here');
  if (line === undefined) return undefined;
  const most = seconds(attributes.numDigits, Number.POSITIVE_INFINITY);
  const last = attributes.finishOnKey ?? '#';
  const pressed = new AbortController();
  let [digits, isComplete, since] = ['', false, line.ms];
  live.keypad = (digit) => {
    if (isComplete) return;
    if (digit !== last) digits += digit;
    isComplete = digit === last || digits.length >= most;
    since = line.ms;
    pressed.abort();
  };
  try {
    await hearAll(live, children, { base, turn: AbortSignal.any([turn, pressed.signal]) });
    since = Math.max(since, line.ms);
    const patienceMs = seconds(attributes.timeout, 5) * 1_000;
    await line.until(() => isComplete || turn.aborted || line.ms - since >= patienceMs);
  } finally {
    live.keypad = undefined;
  }
  if (turn.aborted || (digits === '' && attributes.actionOnEmptyResult !== 'true')) return undefined;
  const url = attributes.action === undefined ? undefined : addressIn(live, attributes.action, base);
  if (url === undefined) return undefined;
  return { url, method: methodOf(attributes.method), fields: { Digits: digits } };
}

async function hearAll(live: LiveCall, verbs: readonly Verb[], { base, turn }: Place): Promise<void> {
  for (const { name, attributes, text } of verbs) {
    if (turn.aborted) return;
    if (name === 'Say') await hear(live, { say: text.trim() }, turn);
    else if (name === 'Play') await hear(live, { play: addressIn(live, text.trim(), base) ?? '' }, turn);
    else await waitFor(live, seconds(attributes.length, 1) * 1_000, turn);
  }
}
