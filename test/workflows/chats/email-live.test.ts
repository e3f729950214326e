import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { type DeliveryRow, findDeliveryOfMessage } from '../../../db/channels/deliveries.js';
import type { InboxRow } from '../../../db/channels/inboxes.js';
import { findChat } from '../../../db/conversations/chats.js';
import { selectRecentHistory } from '../../../db/conversations/messages.js';
import { updateInbox } from '../../../domain/channels/inboxes/update-inbox.js';
import { createChat } from '../../../domain/conversations/chats/create-chat.js';
import { openInbox } from '../../support/emails/open-inbox.js';
import { png } from '../../support/files/samples.js';
import { sendFile } from '../../support/files/send-file.js';
import { testEncryption } from '../../support/lib/encryption.js';
import { waitFor } from '../../support/lib/wait-for.js';
import { startSystem } from '../../support/system/system.js';
import { useSmsWorkspace } from '../../support/system/use-sms-workspace.js';
import { addMember } from '../../support/workspace/factories.js';
import { addInbox, testInboxPolicy } from '../../support/workspace/inboxes.js';

/** How far the service’s clock is ahead of the real time. */
let aheadMs = 0;
const clock = { now: () => new Date(Date.now() + aheadMs) };
const { system, workspace } = useSmsWorkspace(() => startSystem({ clock }));

interface EmailConversation {
  id: number;
  uuid: string;
  inbox: InboxRow;
  address: string;
}

async function openChat(given?: InboxRow): Promise<EmailConversation> {
  const inbox = given ?? (await addInbox(workspace, { signature: 'The Clinic' }));
  const { memberId, row } = await addMember(workspace);
  const chat = { channel: 'email', inboxId: inbox.id, memberId, assistantEnabled: false } as const;
  const { id, uuid } = await createChat(workspace.context(), chat);
  return { id, uuid, inbox, address: row.email ?? '' };
}

const within = <T>(work: Parameters<typeof system.database.inWorkspace<T>>[1]) =>
  system.database.inWorkspace(workspace.workspaceId, work);
const post = (chat: EmailConversation, message: string, files: number[] = []) =>
  workspace.asAdmin('POST', `/chats/${chat.id}/send-assistant-message`, { message, files });
const deliveryOf = (chat: EmailConversation): Promise<DeliveryRow | undefined> =>
  within(async (tx) => {
    const last = (await selectRecentHistory(tx, chat.id, 1_000)).at(-1);
    return last && findDeliveryOfMessage(tx, last.id);
  });
const inState = (chat: EmailConversation, state: DeliveryRow['state']) =>
  waitFor(`the email is ${state}`, async () => {
    const delivery = await deliveryOf(chat);
    return delivery?.state === state && delivery;
  });
const run = (chat: EmailConversation) => system.run('deliverMessages', chat.uuid);
const wake = async (chat: EmailConversation, afterMs: number) => {
  aheadMs += afterMs;
  await run(chat).signal('poke');
};

describe('an email', () => {
  it('is sent with its files, in at most three Actions', async () => {
    const chat = await openChat();
    const picture = { content: new Uint8Array(png()), filename: 'map.png' };
    const { id } = (await sendFile(system.api, workspace, picture)).body;

    expect((await post(chat, 'The **map**', [id])).status).toBe(201);

    await inState(chat, 'sent');
    await run(chat).result();
    const [email, ...others] = await system.mail.sentTo(chat.address);
    expect(others).toEqual([]);
    expect(email).toMatchObject({
      subject: expect.stringMatching(/^Workspace /),
      html: expect.stringContaining('The <strong>map</strong>'),
      text: expect.stringContaining('The Clinic'),
      attachments: [
        {
          filename: 'map.png',
          contentType: 'image/png',
          sha256: createHash('sha256').update(png()).digest('hex'),
        },
      ],
    });
    expect(email?.headers).not.toHaveProperty('auto-submitted');
    expect(email?.headers).not.toHaveProperty('list-unsubscribe');
    const { events } = await run(chat).fetchHistory();
    // Starting the run, signals, timers and activities.
    const actions = (events ?? []).filter(
      ({ workflowExecutionStartedEventAttributes: started, ...event }) =>
        started ||
        event.workflowExecutionSignaledEventAttributes ||
        event.timerStartedEventAttributes ||
        event.activityTaskScheduledEventAttributes,
    );
    expect(actions.length).toBeLessThanOrEqual(3);
  });

  it('that the server took without an answer fails once, is not sent again, and alerts a colleague', async () => {
    const chat = await openChat();
    await system.mail.plan({ to: chat.address, hangUp: true });

    await post(chat, 'once only');

    expect(await inState(chat, 'failed')).toMatchObject({ failureReason: 'unknown_outcome', attempts: 1 });
    await run(chat).result();
    expect(await system.mail.sentTo(chat.address)).toHaveLength(1);
    expect(await within((tx) => findChat(tx, chat.id))).toMatchObject({
      needsResponseReason: 'delivery_failed',
    });
  });

  it('that the recipient’s server defers is sent later, and others to it after it', async () => {
    const chat = await openChat();
    await system.mail.plan({ to: chat.address, at: 'RCPT', reply: 450, text: '4.2.0 Greylisted' });

    await post(chat, 'patience');
    await waitFor('it is deferred', async () => (await deliveryOf(chat))?.failures === 1);
    await wake(chat, 6 * 60_000);

    await inState(chat, 'sent');
    expect(await system.mail.sentTo(chat.address)).toHaveLength(1);
  });
});

/** The run waits, as operators read it. */
const waits = (chat: EmailConversation, text: string) =>
  waitFor(`the run waits: ${text}`, async () => {
    const details = await run(chat)
      .query<object>('__temporal_workflow_metadata')
      .catch(() => ({}));
    return JSON.stringify(details).includes(text);
  });
/** Waits until an email hangs, and lets it go. */
const letGo = async (name: string) => {
  await waitFor('it hangs', async () => (await system.mail.underWay()).hanging === 1);
  await system.mail.forget(name);
};

describe('a mail server that hangs', () => {
  it('before its greeting makes the email wait, which is sent once later and counts no attempt', async () => {
    const chat = await openChat();
    await system.mail.plan({ to: '*', at: 'CONNECT', chance: true, hang: true, name: 'silent' });
    await post(chat, 'Hello');
    await letGo('silent');
    await waits(chat, 'cannot be used');
    expect(await deliveryOf(chat)).toMatchObject({ attempts: 0, failures: 0 });

    await wake(chat, 6 * 60_000);

    await inState(chat, 'sent');
    expect(await system.mail.sentTo(chat.address)).toHaveLength(1);
  });

  it('at the recipient has not taken the email, which is sent once', async () => {
    const chat = await openChat();
    await system.mail.plan({ to: chat.address, at: 'RCPT', hang: true, name: 'slow' });
    await post(chat, 'Hello');
    await letGo('slow');

    expect(await inState(chat, 'sent')).toMatchObject({ failures: 0 });
    expect(await system.mail.sentTo(chat.address)).toHaveLength(1);
  });

  it('after the whole email may have taken it: it fails as unknown, and a late report says what became of it', async () => {
    const inbox = await openInbox(system, workspace);
    const chat = await openChat(inbox.row);
    await system.mail.plan({
      to: chat.address,
      hang: true,
      name: 'late',
      bounce: { afterMs: 200, status: '5.7.1' },
    });
    await post(chat, 'Hello');
    await letGo('late');

    await waitFor('the report settles it', async () => (await deliveryOf(chat))?.errorCode === '5.7.1');
    expect(await deliveryOf(chat)).toMatchObject({ state: 'failed', failureReason: 'email_refused' });
    await run(chat).result();
    expect(await system.mail.sentTo(chat.address)).toMatchObject([{ answered: false, reports: [202] }]);
    expect(await within((tx) => findChat(tx, chat.id))).toMatchObject({
      needsResponseReason: 'delivery_failed',
    });
  });
});

it('an email that was taken and is reported as refused later fails once, and a colleague is alerted', async () => {
  const inbox = await openInbox(system, workspace);
  const chat = await openChat(inbox.row);
  await system.mail.plan({ to: chat.address, bounce: { afterMs: 500, times: 3, status: '5.2.1' } });
  await post(chat, 'Hello');
  await inState(chat, 'sent');
  await run(chat).result();

  expect(await inState(chat, 'failed')).toMatchObject({ failureReason: 'mailbox_disabled', attempts: 1 });
  await waitFor('all reports came', async () => {
    const [email] = await system.mail.sentTo(chat.address);
    return email?.reports.length === 3;
  });
  expect(await within((tx) => findChat(tx, chat.id))).toMatchObject({
    needsResponseReason: 'delivery_failed',
  });
});

describe('a mail server of an inbox whose password is wrong', () => {
  it('makes its emails wait, and not those of others, until it is right', async () => {
    await system.mail.setAccount();
    const { port } = new URL(system.mail.smtpUrl);
    const smtp = { host: '127.0.0.1', port: Number(port), security: 'none', user: 'desk' } as const;
    const inbox = await addInbox(workspace, { smtp: { ...smtp, password: 'wrong' } });
    const [chat, other] = [await openChat(inbox), await openChat()];
    await system.mail.setAccount({ user: 'desk', password: 'right' });
    await post(chat, 'Hello');
    await waits(chat, 'cannot be used');
    expect(await deliveryOf(chat)).toMatchObject({ state: 'queued', attempts: 0 });
    await system.mail.setAccount();
    await post(other, 'Hello');
    await inState(other, 'sent');

    await system.mail.setAccount({ user: 'desk', password: 'right' });
    const context = { ...workspace.context(), encryption: testEncryption, policy: testInboxPolicy };
    await updateInbox(context, inbox.id, { smtp: { ...smtp, password: 'right' } });
    await wake(chat, 6 * 60_000);

    await inState(chat, 'sent');
    expect(await system.mail.sentTo(chat.address)).toHaveLength(1);
    await system.mail.setAccount();
  });
});
