import { requestOnce } from './ask-instructions.js';
import { callFields } from './call-fields.js';
import type { Call, CallSettings } from './call-store.js';
import { converse } from './converse.js';
import type { Exchange } from './exchange.js';
import { LiveCall } from './live-call.js';
import { ring } from './ring.js';

/** A call that the service asked for: dials it in its turn, lets it ring, and does what the service says. */
export async function dialOut(exchange: Exchange, call: Call, settings: CallSettings): Promise<void> {
  const live = new LiveCall(exchange, call, { plan: exchange.plans.take(call.to), settings });
  try {
    await live.rest(call.queueMs);
    const { paceMs } = exchange.knobs.of(call.to);
    live.reports.status('initiated');
    exchange.store.change(call, { startedAt: new Date().toISOString() });
    await live.rest(paceMs);
    exchange.store.setStatus(call, 'ringing');
    live.reports.status('ringing');
    await prefetch(live, settings);
    if (!(await ring(live, settings.ringSeconds))) return;
    live.answer();
    await detect(live, settings);
    await converse(live, settings.instructions);
  } catch (error) {
    if (!live.over.aborted) throw error;
  }
}

/** By the knob the carrier asks already while it rings, and asks again when the call is answered. */
async function prefetch(live: LiveCall, { instructions }: CallSettings): Promise<void> {
  const { accountSid, knobs } = live.exchange;
  if ('twiml' in instructions || !knobs.takes(live.handset, 'prefetched')) return;
  const { url, method } = instructions;
  await requestOnce(live, { url, method, fields: callFields(accountSid, live.call) });
}

/** Reports who has answered, beside the call; without a callback, the call waits for the result. */
async function detect(live: LiveCall, { detection }: CallSettings): Promise<void> {
  if (detection === undefined) return;
  const work = detected(live, detection.mode, detection.callback);
  if (detection.callback === undefined) await work;
  else live.exchange.beside(work);
}

async function detected(
  live: LiveCall,
  mode: 'Enable' | 'DetectMessageEnd',
  callback: string | undefined,
): Promise<void> {
  const { answeredBy = 'human', greetingEnd = 'beep', detectedAfterMs } = live.plan;
  const takesMs = detectedAfterMs ?? live.exchange.knobs.of(live.handset).paceMs;
  try {
    await live.rest(takesMs);
  } catch (error) {
    if (live.over.aborted) return;
    throw error;
  }
  const machine = mode === 'Enable' ? 'machine_start' : `machine_end_${greetingEnd}`;
  const result = answeredBy === 'machine' ? machine : answeredBy;
  live.exchange.store.change(live.call, { answeredBy: result });
  if (callback === undefined) return;
  const fields = { AnsweredBy: result, MachineDetectionDuration: String(Math.round(takesMs)) };
  live.reports.other('machine-detection', callback, fields);
}
