import { waitFor } from '../../support/lib/wait-for.js';
import { planted } from '../markers.js';
import type { Stage } from '../stage.js';

/** Emails to a member, of which one is deferred with words of its server, and the recipient unsubscribes. */
export async function writeEmails(stage: Stage, memberId: number): Promise<void> {
  const admin = stage.as();
  const { mail } = stage.system;
  const inbox = await admin('POST', '/inboxes', {
    address: planted('inboxAddress'),
    fromName: planted('inboxName'),
    signature: planted('inboxSignature'),
    authservId: planted('authservId'),
  });
  stage.keepSecret('inboundSecret', inbox.inboundSecret);
  const { port } = new URL(mail.smtpUrl);
  const smtp = { host: '127.0.0.1', port: Number(port), security: 'none' };
  const own = await admin('POST', '/inboxes', {
    address: planted('ownInboxAddress'),
    fromName: planted('inboxName'),
    smtp: { ...smtp, user: planted('smtpUser'), password: planted('smtpPassword') },
  });
  const rotated = await admin('POST', `/inboxes/${own.id}/rotate-secret`, undefined, 200);
  stage.keepSecret('rotatedInboundSecret', rotated.inboundSecret);
  await admin('POST', '/inboxes', { address: planted('refused'), fromName: planted('inboxName') }, 400);
  await admin('GET', '/inboxes', undefined, 200, { search: planted('inboxName') });

  const open = async (inboxId: number) =>
    admin('POST', '/chats', {
      channel: 'email',
      inboxId,
      memberId,
      assistantEnabled: false,
      title: planted('chatTitle'),
      initialMessage: planted('initialMessage'),
    });
  const isSent = (chatId: number, count: number) =>
    waitFor('the emails are sent', async () => {
      const { rows } = await stage.superuser.query(
        `select from deliveries where chat_id = $1 and state = 'sent'`,
        [chatId],
      );
      return rows.length === count;
    });
  const first = await open(inbox.id);
  await isSent(first.id, 1);
  await mail.plan({ to: planted('texterEmail'), replaceId: true });
  await admin('POST', `/chats/${first.id}/send-assistant-message`, { message: planted('colleagueWords') });
  await isSent(first.id, 2);
  const second = await open(own.id);
  await isSent(second.id, 1);
  const text = `5.7.1 <${planted('texterEmail')}> ${planted('mailAnswer')}`;
  await mail.plan({ to: planted('texterEmail'), at: 'RCPT', reply: 550, text });
  await admin('POST', `/chats/${second.id}/send-assistant-message`, { message: planted('colleagueWords') });
  await waitFor('it is refused', async () => (await admin('GET', `/chats/${second.id}`)).needsResponse);

  const token = 'unsubscribetokenoftheemail';
  stage.keepSecret('unsubscribeToken', token);
  await stage.superuser.query(
    `update emails set unsubscribe_token = $1 where id = (select min(id) from emails where chat_id = $2)`,
    [token, first.id],
  );
  await stage.superuser.query(
    `insert into unsubscribe_links (workspace_id, token, recipient_digest, from_name, created_at)
       select workspace_id, unsubscribe_token, 'sha256:' || repeat('0', 64), from_name, now() from emails where unsubscribe_token = $1`,
    [token],
  );
  for (const method of ['GET', 'POST']) await stage.raw()(method, `/unsubscribe/${token}`);
  await stage.raw()('POST', `/unsubscribe/${planted('refused')}`);
}
