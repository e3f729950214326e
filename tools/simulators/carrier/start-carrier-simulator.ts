import { setMaxListeners } from 'node:events';
import { type RunningSimulator, serve } from '../support/serve.js';
import { CallStore } from './calls/call-store.js';
import { callControlRoutes } from './calls/calls-control-api.js';
import { callRoutes } from './calls/calls-rest-api.js';
import { PlanBook } from './calls/plan.js';
import { controlRoutes } from './control-api.js';
import { Knobs } from './knobs.js';
import { Lines } from './lines.js';
import { type Message, MessageStore } from './message-store.js';
import { OptOuts } from './opt-outs.js';
import { receive } from './receive.js';
import { type CarrierApi, mediaRoutes, restRoutes } from './rest-api.js';

export interface CarrierSimulatorOptions {
  /** 0 selects a free port. */
  port: number;
  host?: string;
  accountSid?: string | undefined;
  authToken?: string | undefined;
  /** Timeout for webhooks; the real carrier waits 15 seconds. */
  webhookTimeoutMs?: number;
}

export const DEFAULT_ACCOUNT_SID = `AC${'0'.repeat(32)}`;
export const DEFAULT_AUTH_TOKEN = 'simulated-auth-token';

/** Starts a simulated carrier; `tools/simulators/README.md` lists its paths. */
export async function startCarrierSimulator({
  port,
  host,
  accountSid = DEFAULT_ACCOUNT_SID,
  authToken = DEFAULT_AUTH_TOKEN,
  webhookTimeoutMs = 15_000,
}: CarrierSimulatorOptions): Promise<RunningSimulator> {
  const closing = new AbortController();
  // Every undelivered message adds a listener.
  setMaxListeners(0, closing.signal);
  const knobs = new Knobs();
  const sender = { authToken, timeoutMs: webhookTimeoutMs, closing: closing.signal };
  const beside = (work: Promise<void>): void => {
    work.catch((error: unknown) => {
      if (!closing.signal.aborted) throw error;
    });
  };
  const api: CarrierApi = {
    accountSid,
    authToken,
    store: new MessageStore(),
    knobs,
    exchange: {
      accountSid,
      knobs,
      sender,
      beside,
      store: new CallStore(),
      plans: new PlanBook(),
      live: new Map(),
      streams: new Map(),
      voiceNumbers: new Map(),
      nextDialAt: 0,
    },
    optOuts: new OptOuts(),
    lines: new Lines(),
    smsUrls: new Map(),
    smsFallbackUrls: new Map(),
    sender,
    beside,
    ownUrl: () => simulator.url,
    mediaPort: () => new URL(store.url).port,
  };
  answerAutomatically(api);
  const store = await serve(mediaRoutes(api), 0, host);
  const simulator = await serve(
    [
      ['GET', '/health', () => ({ body: { status: 'ok', simulated: 'carrier' } })],
      ...restRoutes(api),
      ...callRoutes(api),
      ...controlRoutes(api),
      ...callControlRoutes(api.exchange),
    ],
    port,
    host,
  );
  return {
    url: simulator.url,
    close: async () => {
      closing.abort();
      await Promise.all([simulator.close(), store.close()]);
    },
  };
}

/** Handsets with the knob `autoReply` answer every delivered message once, like an out-of-office notice. */
function answerAutomatically(api: CarrierApi): void {
  const answered = new Set<string>();
  api.store.on('update', ({ sid, direction, status, from: number, to: handset }: Message) => {
    const { autoReply } = api.knobs.of(handset);
    const isHeard = direction !== 'inbound' && status === 'delivered';
    if (autoReply === null || !isHeard || answered.has(sid) || !api.smsUrls.has(number)) return;
    answered.add(sid);
    api.beside(receive(api, { handset, to: number, body: autoReply, repeat: 1 }).then(() => undefined));
  });
}
