import { createHmac } from 'node:crypto';

export type WebhookResult =
  | { outcome: 'answered'; httpStatus: number; text: string; contentType: string }
  | { outcome: 'timeout' | 'connection_failed' };

export interface WebhookSender {
  authToken: string;
  timeoutMs: number;
  closing: AbortSignal;
}

/**
 * Sends signed fields as the carrier does, in the body of a POST or the query of a GET: it retries once, after a failed
 * connection only. The fragment of the URL (`rc`: number of retries, `rp`: which failures to retry) changes that, within
 * the same 15 seconds in total.
 * https://www.twilio.com/docs/usage/webhooks/webhooks-connection-overrides
 */
export async function postWebhook(
  sender: WebhookSender,
  address: string,
  fields: Record<string, string>,
  method: 'GET' | 'POST' = 'POST',
): Promise<WebhookResult> {
  const { url, repetitions, after } = overridesOf(address);
  const request = method === 'POST' ? { url, fields } : { url: withQuery(url, fields) };
  const deadline = Date.now() + sender.timeoutMs;
  for (let repetition = 0; ; repetition += 1) {
    const result = await sendOnce(sender, request);
    const isLast = repetition >= repetitions || sender.closing.aborted || Date.now() >= deadline;
    if (isLast || !after.has(failureOf(result))) return result;
  }
}

/** The failure of a result in the terms of the overrides; empty if it succeeded. */
function failureOf(result: WebhookResult): string {
  if (result.outcome !== 'answered') return result.outcome === 'timeout' ? 'rt' : 'ct';
  return result.httpStatus < 400 ? '' : `${String(result.httpStatus)[0]}xx`;
}

function overridesOf(address: string): { url: string; repetitions: number; after: ReadonlySet<string> } {
  const [url = '', fragment = ''] = address.split('#');
  const given = new URLSearchParams(fragment);
  const policies = (given.get('rp') ?? 'ct').split(',');
  const after = policies.includes('all') ? ['ct', 'rt', '4xx', '5xx'] : policies;
  return { url, repetitions: Math.min(Number(given.get('rc') ?? 1), 5), after: new Set(after) };
}

function withQuery(url: string, fields: Record<string, string>): string {
  return `${url}${url.includes('?') ? '&' : '?'}${new URLSearchParams(fields)}`;
}

/** A request without fields is a GET, which is signed over its address alone. */
async function sendOnce(
  { authToken, timeoutMs, closing }: WebhookSender,
  { url, fields }: { url: string; fields?: Record<string, string> },
): Promise<WebhookResult> {
  const deadline = AbortSignal.timeout(timeoutMs);
  const headers = {
    'user-agent': 'TwilioProxy/1.1',
    'x-twilio-signature': sign(authToken, url, fields ?? {}),
  };
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const sent =
    fields === undefined
      ? { method: 'GET', headers }
      : { method: 'POST', headers: { ...headers, ...form }, body: new URLSearchParams(fields).toString() };
  try {
    const signal = AbortSignal.any([deadline, closing]);
    const response = await fetch(url, { ...sent, redirect: 'manual', signal });
    const contentType = response.headers.get('content-type') ?? '';
    return { outcome: 'answered', httpStatus: response.status, text: await response.text(), contentType };
  } catch {
    return { outcome: deadline.aborted ? 'timeout' : 'connection_failed' };
  }
}

/** HMAC-SHA1 over the full address and all fields' names and values, sorted (the carrier's “Webhooks security”). */
export function sign(authToken: string, url: string, fields: Record<string, string>): string {
  const text = Object.keys(fields)
    .sort()
    .reduce((signed, name) => `${signed}${name}${fields[name]}`, url);
  return createHmac('sha1', authToken).update(text, 'utf8').digest('base64');
}
