import { Webhook } from 'standardwebhooks';
import type { ReceivedWebhook } from './webhook-receiver.js';

/** How many of a webhook's signatures there are, and whether one of them is of this secret, by Standard Webhooks. */
export function signaturesOf(
  { headers, body }: ReceivedWebhook,
  secret: string,
): { count: number; isSigned: boolean } {
  const listed = String(headers['webhook-signature'] ?? '').split(' ');
  const expected = new Webhook(secret).sign(String(headers['webhook-id']), timestampOf({ headers }), body);
  return { count: listed.length, isSigned: listed.includes(expected) };
}

/** When it says that it was sent. */
export function timestampOf({ headers }: Pick<ReceivedWebhook, 'headers'>): Date {
  return new Date(Number(headers['webhook-timestamp']) * 1_000);
}
