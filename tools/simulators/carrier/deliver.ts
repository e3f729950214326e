import { setTimeout as delay } from 'node:timers/promises';
import type { Delivery } from './delivery.js';
import { fetchMedia } from './fetch-media.js';
import type { Message, Status } from './message-store.js';
import { postWebhook } from './post-webhook.js';

interface Report {
  status: Status;
  errorCode: number | null;
}

/**
 * Advances a message, queued → sent → delivered or undelivered, and reports every status, in order without a knob. One
 * whose media are wrong fails before it is sent. `waitMs`: in the queue of its number.
 */
export async function deliver(
  delivery: Delivery,
  message: Message,
  { waitMs = 0, failsWith }: { waitMs?: number; failsWith?: number | undefined } = {},
): Promise<void> {
  const { store, knobs } = delivery;
  const reversed = knobs.takes(message.to, 'outOfOrder');
  const failing = knobs.applies(message.to, 'failing');
  const held: Report[] = [];
  const report = async (status: Status, errorCode: number | null = null): Promise<void> => {
    if (reversed) held.unshift({ status, errorCode });
    else await callBack(delivery, message, { status, errorCode });
  };

  await report('queued');
  if (waitMs > 0 && failsWith === undefined)
    await delay(waitMs, undefined, { signal: delivery.sender.closing });
  await pause(delivery, message);
  const wrongMedia = await fetchMedia(delivery, message);
  if (wrongMedia === undefined) {
    store.setStatus(message, 'sent');
    await report('sent');
    await pause(delivery, message);
  }
  const end = endOf(wrongMedia, failsWith ?? failing?.code);
  store.setStatus(message, end.status, end.errorCode);
  await report(end.status, end.errorCode);
  for (const late of held) await callBack(delivery, message, late);
}

function endOf(wrongMedia: number | undefined, failing: number | undefined): Report {
  if (wrongMedia !== undefined) return { status: 'failed', errorCode: wrongMedia };
  if (failing !== undefined) return { status: 'undelivered', errorCode: failing };
  return { status: 'delivered', errorCode: null };
}

async function callBack(delivery: Delivery, message: Message, { status, errorCode }: Report): Promise<void> {
  const { store, knobs, sender, accountSid } = delivery;
  if (message.statusCallback === null) return;
  if (knobs.takes(message.to, 'lost')) {
    store.addCallback(message, status, { outcome: 'lost' });
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
    store.addCallback(message, status, await postWebhook(sender, message.statusCallback, fields));
  }
}

async function pause({ knobs, sender }: Delivery, message: Message): Promise<void> {
  await delay(knobs.of(message.to).paceMs, undefined, { signal: sender.closing });
}
