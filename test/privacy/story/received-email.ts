import { multipart } from '../../support/emails/mime.js';
import { waitFor } from '../../support/lib/wait-for.js';
import { planted } from '../markers.js';
import { answered, type Stage } from '../stage.js';

/** Mails that are handed in: of a proved sender, who quotes something, a forged one, and one with a wrong secret. */
export async function receiveEmails(stage: Stage): Promise<void> {
  const admin = stage.as();
  const inbox = await admin('POST', '/inboxes', {
    address: planted('receivingInbox'),
    fromName: planted('inboxName'),
    authservId: planted('authservId'),
  });
  stage.keepSecret('receivingSecret', inbox.inboundSecret);
  const handIn = (from: string, result: string, secret = inbox.inboundSecret) => {
    const lines = [
      `Authentication-Results: ${planted('authservId')}; dmarc=${result} header.from=example.org`,
      `From: <${from}>`,
      `To: <${planted('receivingInbox')}>`,
      `Subject: ${planted('mailSubject')}`,
      ...multipart(
        'mixed',
        [
          'Content-Type: text/plain',
          '',
          planted('mailWords'),
          '',
          'On Monday, The Clinic <desk@clinic.example> wrote:',
          `> ${planted('quotedWords')}`,
        ],
        [
          `Content-Type: text/plain; name="${planted('attachedName')}.txt"`,
          'Content-Disposition: attachment',
          '',
          planted('mailWords'),
        ],
      ),
    ];
    const headers = { 'Content-Type': 'message/rfc822', 'X-Inbox-Secret': secret };
    return stage.api.request('POST', `/inboxes/${inbox.uuid}/inbound`, { raw: lines.join('\r\n'), headers });
  };
  answered(await handIn(planted('mailSender'), 'pass'), 202);
  answered(await handIn(planted('forgedSender'), 'fail'), 202);
  await handIn(planted('mailSender'), 'pass', planted('refused'));
  const { items } = await waitFor('the mails are settled', async () => {
    const page = await admin('GET', '/inbound-emails');
    return page.items.every(({ state }: { state: string }) => state !== 'received') && page;
  });
  for (const { id, hasRaw, needsResponse } of items) {
    if (hasRaw) await stage.raw()('GET', `/inbound-emails/${id}/raw`);
    if (needsResponse) await admin('POST', `/inbound-emails/${id}/resolve`, undefined, 200);
  }
}
