import { once } from 'node:events';
import type { LiveCall } from './live-call.js';
import { MediaStream, type StreamEnd } from './media-stream.js';
import type { Verb } from './read-twiml.js';
import { addressIn, type Place } from './verb-values.js';

/** The longest name or value of a `<Parameter>`. */
const maxParameterLength = 500;

/** `<Connect><Stream>` joins the call with a socket of the service, and lasts until the service closes that. */
export async function streamVerb(live: LiveCall, { children }: Verb, { base, turn }: Place): Promise<void> {
  const element = children[0];
  if (element === undefined || children.length > 1) {
    live.warn(12200, 'Schema validation warning: Connect contains one Stream');
    return;
  }
  const url = socketAddress(live, element.attributes.url ?? '', 31_941);
  const parameters = parametersOf(live, element);
  if (url === undefined || parameters === undefined) return;

  const { knobs, store } = live.exchange;
  const { streamAfterMs } = knobs.of(live.handset);
  if (streamAfterMs > 0) await Promise.race([live.line?.after(streamAfterMs), aborted(turn)]);
  if (turn.aborted) return;
  const stream = new MediaStream(live, url, parameters);
  const callback = element.attributes.statusCallback;
  const statusUrl = callback === undefined ? undefined : addressIn(live, callback, base);
  const report = (event: string, more: Record<string, string> = {}): void => {
    if (statusUrl === undefined) return;
    const about = { StreamEvent: event, StreamName: stream.record.sid, StreamSid: stream.record.sid };
    live.reports.other(event, statusUrl, { ...about, Timestamp: new Date().toISOString(), ...more });
  };
  const ended = await stream.run(turn, () => {
    store.change(live.call, { streams: [...live.call.streams, stream.record] });
    live.begin(stream);
    report('stream-started');
  });
  live.stream = undefined;
  store.change(live.call, {});
  tell(live, ended);
  if (ended.end === 'error') report('stream-error', { StreamError: ended.error });
  else report('stream-stopped');
}

async function aborted(turn: AbortSignal): Promise<void> {
  if (!turn.aborted) await once(turn, 'abort');
}

function tell(live: LiveCall, ended: StreamEnd): void {
  if (ended.end === 'error') live.warn(ended.code, ended.error);
}

/** The real carrier takes `wss` alone; `ws` works here for this machine. */
export function socketAddress(live: LiveCall, text: string, code: number): string | undefined {
  const url = addressIn(live, text, undefined);
  if (url === undefined) return undefined;
  const { protocol, hostname } = new URL(url);
  const isOwn = ['127.0.0.1', 'localhost', '[::1]'].includes(hostname);
  if (protocol === 'wss:' || (protocol === 'ws:' && isOwn)) return url;
  live.warn(code, 'Invalid URL: the scheme has to be wss');
  return undefined;
}

export function parametersOf(live: LiveCall, { children }: Verb): Record<string, string> | undefined {
  const entries = children.map(({ attributes }) => [attributes.name ?? '', attributes.value ?? ''] as const);
  const isUsable = entries.every(
    ([name, value]) => name !== '' && name.length <= maxParameterLength && value.length <= maxParameterLength,
  );
  if (isUsable) return Object.fromEntries(entries);
  live.warn(12200, 'Schema validation warning: a Parameter has a name, and at most 500 characters');
  return undefined;
}
