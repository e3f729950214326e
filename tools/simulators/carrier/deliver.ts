import { setTimeout as delay } from 'node:timers/promises';
import type { Knobs } from './knobs.js';
import type { Message, MessageStore, Status } from './message-store.js';
import { postWebhook, type WebhookSender } from './post-webhook.js';

export interface Delivery {
  accountSid: string;
  store: MessageStore;
  knobs: Knobs;
  sender: WebhookSender;
}

/**
 * Advances an outbound message to its final status, queued → sent → delivered or undelivered, and reports every
 * status to the callback, in order unless a knob changes it.
 */
export async function deliver(delivery: Delivery, message: Message): Promise<void> {
  const { store, knobs } = delivery;
  const reversed = knobs.takes(message.to, 'outOfOrder');
  const failing = knobs.applies(message.to, 'failing');
  const reports: Report[] = [];
  const report = async (status: Status, errorCode: number | null = null): Promise<void> => {
    if (reversed) reports.unshift({ status, errorCode });
    else await callBack(delivery, message, { status, errorCode });
  };

  await report('queued');
  await pause(delivery, message);
  store.setStatus(message, 'sent');
  await report('sent');
  await pause(delivery, message);
  const end: Report = failing
    ? { status: 'undelivered', errorCode: failing.code }
    : { status: 'delivered', errorCode: null };
  store.setStatus(message, end.status, end.errorCode);
  await report(end.status, end.errorCode);
  for (const late of reports) await callBack(delivery, message, late);
}

interface Report {
  status: Status;
  errorCode: number | null;
}

async function callBack(delivery: Delivery, message: Message, { status, errorCode }: Report): Promise<void> {
  const { store, knobs, sender, accountSid } = delivery;
  if (message.statusCallback === null) return;
  if (knobs.takes(message.to, 'lost')) {
    store.addCallback(message, { status, outcome: 'lost' });
    return;
  }
  const fields = {
    AccountSid: accountSid,
    ApiVersion: '2010-04-01',
    From: message.from,
    MessageSid: message.sid,
    MessageStatus: status,
    SmsSid: message.sid,
    SmsStatus: status,
    To: message.to,
    ...(errorCode === null ? {} : { ErrorCode: String(errorCode) }),
  };
  const times = knobs.takes(message.to, 'doubled') ? 2 : 1;
  for (let time = 0; time < times; time += 1) {
    await delay(knobs.lateness(message.to), undefined, { signal: sender.closing });
    const result = await postWebhook(sender, message.statusCallback, fields);
    const { outcome } = result;
    const httpStatus = outcome === 'answered' ? { httpStatus: result.httpStatus } : {};
    store.addCallback(message, { status, outcome, ...httpStatus });
  }
}

async function pause({ knobs, sender }: Delivery, message: Message): Promise<void> {
  await delay(knobs.of(message.to).paceMs, undefined, { signal: sender.closing });
}
