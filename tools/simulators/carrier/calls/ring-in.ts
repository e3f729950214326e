import { HttpFailure } from '../../support/serve.js';
import type { Call } from './call-store.js';
import { converse } from './converse.js';
import type { Exchange } from './exchange.js';
import { LiveCall } from './live-call.js';
import type { Plan } from './plan.js';

const maxCallSeconds = 14_400;

/** A person calls a number of the account. `shownAs` is the caller id that the carrier tells, such as `anonymous`. */
export function ringIn(
  exchange: Exchange,
  {
    handset,
    to,
    shownAs = handset,
    plan,
  }: { handset: string; to: string; shownAs?: string | undefined; plan: Plan },
): Call {
  const number = exchange.voiceNumbers.get(to);
  if (number === undefined) throw new HttpFailure(409, { error: 'No voiceUrl is set for that number.' });
  const call = exchange.store.add({ direction: 'inbound', from: shownAs, to, status: 'ringing' });
  const instructions = {
    url: number.voiceUrl,
    method: number.voiceMethod,
    fallbackUrl: number.voiceFallbackUrl,
  };
  const live = new LiveCall(exchange, call, {
    plan,
    settings: {
      instructions,
      statusCallback: number.voiceStatusUrl,
      statusEvents: ['completed'],
      ringSeconds: 60,
      maxSeconds: maxCallSeconds,
    },
  });
  exchange.beside(
    converse(live, instructions).catch((error: unknown) => {
      if (!live.over.aborted) throw error;
    }),
  );
  return call;
}
