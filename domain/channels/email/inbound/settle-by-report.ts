import { lockDelivery } from '../../../../db/channels/deliveries.js';
import type { EmailRow } from '../../../../db/channels/emails.js';
import type { Tx } from '../../../../db/tx.js';
import { settleDelivery } from '../../deliveries/settle-delivery.js';
import { optAddressOut } from '../../outreach/opt-outs.js';
import { watchOptOut } from '../../outreach/record-opt-out.js';
import { callAboutEmail } from './call-about-email.js';
import type { DeliveryReport } from './delivery-report.js';

/**
 * Records what a report says of a message that we sent. A complaint ends all mail to the recipient at once. A delay says
 * nothing yet. Repeated reports change nothing.
 * `byToken`: it came to the return path, which only the envelope has
 */
export async function settleByReport(
  tx: Tx,
  sent: Pick<EmailRow, 'deliveryId' | 'toAddress' | 'chatId'>,
  { kind, status, recipients, byToken }: DeliveryReport & { byToken: boolean },
  now: Date,
): Promise<void> {
  if (kind === 'complaint' && !byToken) {
    await callAboutEmail(tx, sent, 'email_complaint');
    return;
  }
  if (kind === 'complaint') {
    const tell = await watchOptOut(tx, 'email', { email: sent.toAddress }, now);
    await optAddressOut(tx, sent.toAddress, 'complaint', now);
    await tell('complaint');
    return;
  }
  if (kind === 'delayed' || sent.deliveryId === null) return;
  const delivery = await lockDelivery(tx, sent.deliveryId);
  if (delivery === undefined || delivery.state === 'queued') return;
  // An id is seen by all who get the email forwarded. Where the recipient forwards its mail, a mailbox of somebody else is missing.
  const isAboutOthers = !byToken || (recipients.length > 0 && !recipients.includes(sent.toAddress));
  const news =
    kind === 'delivered'
      ? ({ state: 'delivered' } as const)
      : ({ state: 'failed', errorCode: isAboutOthers ? '5.0.0' : finalCode(status) } as const);
  await settleDelivery(tx, delivery, { ...news, learntBy: 'callback' }, now);
}

/** What was given up after delays will not be delivered: the code is that of an email whose time is over. */
function finalCode(status: string | null): string {
  if (status === null) return '5.0.0';
  return status.startsWith('5') ? status : '5.4.7';
}
