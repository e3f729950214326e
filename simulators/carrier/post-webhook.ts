import { sign } from './sign.js';

export type WebhookResult =
  | { outcome: 'answered'; httpStatus: number; text: string }
  | { outcome: 'timeout' | 'connection_failed' };

export interface WebhookSender {
  authToken: string;
  /** The carrier waits 15 seconds. */
  timeoutMs: number;
  /** Aborted when the simulator closes. */
  closing: AbortSignal;
}

/**
 * Posts signed fields as the carrier does: what is not answered in time stays so; only a failed connection is
 * tried a second time; the status of an answer does not matter to it.
 */
export async function postWebhook(
  sender: WebhookSender,
  url: string,
  fields: Record<string, string>,
): Promise<WebhookResult> {
  const first = await postOnce(sender, url, fields);
  return first.outcome === 'connection_failed' && !sender.closing.aborted
    ? postOnce(sender, url, fields)
    : first;
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
