import { type Call, isFinal } from '../../../tools/simulators/carrier/calls/call-store.js';
import type { Plan, Step } from '../../../tools/simulators/carrier/calls/plan.js';
import { waitFor } from '../lib/wait-for.js';
import { ask } from './ask.js';

/** The calls of a simulated carrier; see `tools/simulators/README.md`. */
export interface SimulatedCalls {
  /** The calls of a number come to the api at this address from now on. */
  route(
    number: string,
    addresses: { voiceUrl: string; voiceStatusUrl?: string; voiceFallbackUrl?: string },
  ): Promise<void>;
  /** How a handset takes calls: each plan one, the last all that follow. */
  plan(handset: string, ...plans: Plan[]): Promise<void>;
  /** A person calls; resolves while it rings. */
  ring(
    handset: string,
    to: string,
    more?: { shownAs?: string; script?: Step[]; speed?: number },
  ): Promise<Call>;
  /** The person does this now; resolves when it is done, or the call has ended. */
  act(sid: string, ...steps: Step[]): Promise<Call>;
  of(handset: string): Promise<Call[]>;
  find(sid: string): Promise<Call>;
  /** The latest call of a handset, once it is in progress. */
  answered(handset: string): Promise<Call>;
  /** The latest call of a handset, once it has ended. */
  ended(handset: string): Promise<Call>;
  /** What was said and heard in a stream of a call, the first by default: µ-law from the beginning of the stream. */
  audio(sid: string, stream?: number): Promise<{ said: Buffer; played: Buffer }>;
  /** What the carrier says that the call cost and lasted. */
  bill(sid: string, bill: { price?: string | null; durationSeconds?: number | null }): Promise<void>;
}

/** @param url of a simulated carrier */
export function simulatedCalls(url: string): SimulatedCalls {
  const of = (handset: string) =>
    ask<Call[]>(url, 'GET', `/simulator/calls?handset=${encodeURIComponent(handset)}`);
  const latest = (handset: string, what: string, isIt: (call: Call) => boolean) =>
    waitFor(`a call with ${handset} ${what}`, async () => {
      const call = (await of(handset)).at(-1);
      return call !== undefined && isIt(call) && call;
    });
  return {
    async route(number, addresses) {
      await ask(url, 'PUT', `/simulator/numbers/${encodeURIComponent(number)}`, addresses);
    },
    async plan(handset, ...plans) {
      await ask(url, 'PUT', `/simulator/handsets/${encodeURIComponent(handset)}/plans`, plans);
    },
    ring: (handset, to, more = {}) =>
      ask(url, 'POST', `/simulator/handsets/${encodeURIComponent(handset)}/calls`, { to, ...more }),
    act: (sid, ...steps) => ask(url, 'POST', `/simulator/calls/${sid}/script`, steps),
    of,
    find: (sid) => ask(url, 'GET', `/simulator/calls/${sid}`),
    answered: (handset) => latest(handset, 'is in progress', ({ status }) => status === 'in-progress'),
    ended: (handset) => latest(handset, 'has ended', ({ status }) => isFinal(status)),
    async audio(sid, stream = 1) {
      const path = `/simulator/calls/${sid}/streams/${stream}`;
      const { said, played } = await ask<{ said: string; played: string }>(url, 'GET', path);
      return { said: Buffer.from(said, 'base64'), played: Buffer.from(played, 'base64') };
    },
    async bill(sid, bill) {
      await ask(url, 'PUT', `/simulator/calls/${sid}/bill`, bill);
    },
  };
}
