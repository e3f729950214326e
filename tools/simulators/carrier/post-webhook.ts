import { createHmac } from 'node:crypto';

export type WebhookResult =
  | { outcome: 'answered'; httpStatus: number; text: string }
  | { outcome: 'timeout' | 'connection_failed' };

export interface WebhookSender {
  authToken: string;
  timeoutMs: number;
  closing: AbortSignal;
}

/**
 * Posts signed fields as the carrier does: it retries once, after a failed connection only. The fragment of the URL
 * (`rc`: number of retries, `rp`: which failures to retry) changes that, within the same 15 seconds in total.
 * https://www.twilio.com/docs/usage/webhooks/webhooks-connection-overrides
 */
export async function postWebhook(
  sender: WebhookSender,
  address: string,
  fields: Record<string, string>,
): Promise<WebhookResult> {
  const { url, repetitions, after } = overridesOf(address);
  const deadline = Date.now() + sender.timeoutMs;
  for (let repetition = 0; ; repetition += 1) {
    const result = await postOnce(sender, url, fields);
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

async function postOnce(
  { authToken, timeoutMs, closing }: WebhookSender,
  url: string,
  fields: Record<string, string>,
): Promise<WebhookResult> {
  const deadline = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        'user-agent': 'TwilioProxy/1.1',
        'x-twilio-signature': sign(authToken, url, fields),
      },
      body: new URLSearchParams(fields).toString(),
      redirect: 'manual',
      signal: AbortSignal.any([deadline, closing]),
    });
    return { outcome: 'answered', httpStatus: response.status, text: await response.text() };
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
