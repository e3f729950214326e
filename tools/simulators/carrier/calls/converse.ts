import { ask, type Document } from './ask-instructions.js';
import type { Instructions } from './call-store.js';
import { dialVerb } from './dial-verb.js';
import { gatherVerb } from './gather-verb.js';
import { LineDead } from './line.js';
import type { LiveCall } from './live-call.js';
import type { Verb } from './read-twiml.js';
import { relayVerb } from './relay-verb.js';
import { streamVerb } from './stream-verb.js';
import { addressIn, methodOf, type Next, seconds } from './verb-values.js';
import { hear, waitFor } from './words.js';

/** No call follows more documents than that, so that redirects in a circle end. */
const maxDocuments = 200;

/** Does what the service says, until it says no more, the call ends, or the account's API sends the call elsewhere. */
export async function converse(live: LiveCall, first: Instructions): Promise<void> {
  let next: Instructions | undefined = first;
  for (let count = 0; next !== undefined && !live.over.aborted; count += 1) {
    if (count === maxDocuments) live.warn(11215, 'Too many redirects');
    if (count === maxDocuments) break;
    const turn = live.nextTurn();
    const document: Document | undefined = await ask(live, next);
    const then: Next = document === undefined ? 'hang_up' : await followDocument(live, document, turn);
    const redirected = live.takeRedirect();
    next = redirected ?? (then === 'hang_up' ? undefined : then);
  }
  live.end('completed');
}

async function followDocument(live: LiveCall, { verbs, base }: Document, turn: AbortSignal): Promise<Next> {
  try {
    for (const verb of verbs) {
      if (turn.aborted) return undefined;
      const next = await carryOut(live, verb, { base, turn });
      if (next !== undefined) return next;
    }
    return undefined;
  } catch (error) {
    if (turn.aborted || error instanceof LineDead) return undefined;
    throw error;
  }
}

/** Verbs that do not answer an inbound call. */
const unanswering: ReadonlySet<string> = new Set(['Hangup', 'Pause', 'Redirect', 'Reject']);

async function carryOut(
  live: LiveCall,
  verb: Verb,
  { base, turn }: { base: string | undefined; turn: AbortSignal },
): Promise<Next> {
  const { attributes, text } = verb;
  if (!unanswering.has(verb.name)) live.answer();
  switch (verb.name) {
    case 'Say':
      return hear(live, { say: text.trim() }, turn);
    case 'Play':
      return hear(live, { play: addressIn(live, text.trim(), base) ?? '' }, turn);
    case 'Pause':
      await waitFor(live, seconds(attributes.length, 1) * 1_000, turn);
      return undefined;
    case 'Redirect': {
      const url = addressIn(live, text.trim(), base);
      return url === undefined ? 'hang_up' : { url, method: methodOf(attributes.method) };
    }
    case 'Reject':
      reject(live, attributes.reason ?? 'rejected');
      return live.over.aborted ? 'hang_up' : undefined;
    case 'Connect':
      if (verb.children[0]?.name === 'ConversationRelay') return relayVerb(live, verb, { base, turn });
      await streamVerb(live, verb, { base, turn });
      return undefined;
    case 'Gather':
      return gatherVerb(live, verb, { base, turn });
    case 'Dial':
      return dialVerb(live, verb, { base, turn });
    default:
      return 'hang_up';
  }
}

/** An inbound call that is not answered can be rejected; in any other, the verb does nothing. */
function reject(live: LiveCall, reason: string): void {
  if (live.call.direction !== 'inbound' || live.line !== undefined) {
    live.warn(12200, 'Schema validation warning: Reject is for a call that is not answered');
  } else live.end(reason === 'busy' ? 'busy' : 'no-answer', reason === 'busy' ? 486 : 603);
}
