import { setMaxListeners } from 'node:events';
import { type RunningSimulator, serve } from '../support/serve.js';
import { answerAutomatically } from './auto-replies.js';
import { type ControlApi, controlRoutes } from './control-api.js';
import { Knobs } from './knobs.js';
import { MessageStore } from './message-store.js';
import { OptOuts } from './opt-outs.js';
import { restRoutes } from './rest-api.js';

export interface CarrierSimulatorOptions {
  /** 0 selects a free port. */
  port: number;
  host?: string;
  accountSid?: string;
  authToken?: string;
  /** Timeout for webhooks; the real carrier waits 15 seconds. */
  webhookTimeoutMs?: number;
}

export const DEFAULT_ACCOUNT_SID = `AC${'0'.repeat(32)}`;
export const DEFAULT_AUTH_TOKEN = 'simulated-auth-token';

/** Starts a simulated carrier; `tools/simulators/README.md` lists its paths. */
export async function startCarrierSimulator(options: CarrierSimulatorOptions): Promise<RunningSimulator> {
  const closing = new AbortController();
  // Every undelivered message adds a listener.
  setMaxListeners(0, closing.signal);
  const accountSid = options.accountSid ?? DEFAULT_ACCOUNT_SID;
  const authToken = options.authToken ?? DEFAULT_AUTH_TOKEN;
  const api: ControlApi = {
    accountSid,
    authToken,
    store: new MessageStore(),
    knobs: new Knobs(),
    optOuts: new OptOuts(),
    smsUrls: new Map(),
    smsFallbackUrls: new Map(),
    sender: { authToken, timeoutMs: options.webhookTimeoutMs ?? 15_000, closing: closing.signal },
    beside: (work) => {
      work.catch((error: unknown) => {
        if (!closing.signal.aborted) throw error;
      });
    },
  };
  answerAutomatically(api);
  const simulator = await serve(
    [
      ['GET', '/health', () => ({ body: { status: 'ok', simulated: 'carrier' } })],
      ...restRoutes(api),
      ...controlRoutes(api),
    ],
    options.port,
    options.host,
  );
  return {
    url: simulator.url,
    close: async () => {
      closing.abort();
      await simulator.close();
    },
  };
}
