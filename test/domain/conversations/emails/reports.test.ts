import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { findEmailOptOut } from '../../../../db/channels/email-opt-outs.js';
import { patchInbox } from '../../../../db/channels/inboxes.js';
import { patchChat } from '../../../../db/conversations/chats.js';
import { claimDelivery } from '../../../../domain/channels/deliveries/claim-delivery.js';
import { recordDeliveryNews } from '../../../../domain/channels/deliveries/record-delivery-news.js';
import { plusAddress } from '../../../../domain/channels/email/addresses.js';
import { alertColleague } from '../../../../domain/kernel/alert-colleague.js';
import { type EmailStage, type QueuedEmail, stageEmails } from '../../../support/chats/email-stage.js';
import { type Mailroom, mailroomOf } from '../../../support/emails/hand-in.js';
import { bounceOf, complaintOf, mimeOf, receivingServer } from '../../../support/emails/mime.js';
import { MovedClock } from '../../../support/lib/moved-clock.js';
import { scratchStorage } from '../../../support/storage/scratch-storage.js';
import { useWorkspace } from '../../../support/workspace/use-workspace.js';

const { workspace } = useWorkspace();
let clock: MovedClock;
let stage: EmailStage;
let room: Mailroom;
beforeEach(async () => {
  clock = new MovedClock();
  stage = await stageEmails(workspace, clock);
  const { storage, remove } = scratchStorage();
  onTestFinished(remove);
  room = mailroomOf(workspace, stage.inbox, { clock, storage });
});

const context = () => ({ db: workspace.database, clock });
/** An email that the mail server has taken. */
async function sent(): Promise<QueuedEmail> {
  const queued = await stage.write('Come on Friday.');
  const ref = { workspaceId: workspace.workspaceId, deliveryId: queued.delivery.id };
  await claimDelivery(context(), ref, randomUUID());
  await recordDeliveryNews(context(), ref, 1, { state: 'sent' });
  return queued;
}
const bounce = (options: Parameters<typeof bounceOf>[0]) =>
  bounceOf({ recipient: stage.address, ...options });
const returnPath = ({ email }: QueuedEmail) =>
  plusAddress(stage.inbox.address, 'return', email.returnToken ?? '');
const now = (queued: QueuedEmail) => stage.queued(queued.message.uuid);
const optOut = () => workspace.within((tx) => findEmailOptOut(tx, stage.address, clock.now()));

describe('a delivery status notification', () => {
  it('to the return path fails its message, also without the original', async () => {
    const queued = await sent();
    const row = await room.handIn(bounce({ to: returnPath(queued), status: '5.2.2' }));
    expect(row).toMatchObject({ state: 'report', reason: 'failed', needsResponse: false });
    expect((await now(queued)).delivery).toMatchObject({ state: 'failed', errorCode: '5.2.2' });
    expect(await optOut()).toBeUndefined();
  });

  it('elsewhere fails the message whose id it has, and blocks nobody, as others may know the id', async () => {
    const queued = await sent();
    const messageId = queued.email.rfcMessageId ?? '';
    await room.handIn(bounce({ to: stage.inbox.address, status: '5.1.1', messageId }));
    expect((await now(queued)).delivery).toMatchObject({ state: 'failed', errorCode: '5.0.0' });
    expect(await optOut()).toBeUndefined();
  });

  it('of a mailbox that does not exist blocks the address', async () => {
    const queued = await sent();
    await room.handIn(bounce({ to: returnPath(queued), status: '5.1.1' }));
    expect(await optOut()).toBe('bounce');
  });

  it('about another address, to which the recipient forwards, blocks nobody', async () => {
    const queued = await sent();
    await room.handIn(bounce({ to: returnPath(queued), status: '5.1.1', recipient: 'other@x.example' }));
    expect((await now(queued)).delivery).toMatchObject({ state: 'failed', errorCode: '5.0.0' });
    expect(await optOut()).toBeUndefined();
  });

  it('that gives up after delays is final', async () => {
    const queued = await sent();
    await room.handIn(bounce({ to: returnPath(queued), status: '4.4.7' }));
    expect((await now(queued)).delivery).toMatchObject({ state: 'failed', errorCode: '5.4.7' });
  });

  it('of a delay changes nothing, and of a receipt shows the message as delivered', async () => {
    const queued = await sent();
    await room.handIn(bounce({ to: returnPath(queued), action: 'delayed', status: '4.4.1' }));
    expect((await now(queued)).delivery.state).toBe('sent');
    await room.handIn(bounce({ to: returnPath(queued), action: 'delivered', status: '2.0.0' }));
    expect((await now(queued)).delivery.state).toBe('delivered');
  });

  it('has its effect once, however often it comes', async () => {
    const queued = await sent();
    for (let count = 0; count < 3; count += 1) {
      await room.handIn(bounce({ to: returnPath(queued), status: '5.1.1' }));
    }
    const { delivery } = await now(queued);
    await room.handIn(bounce({ to: returnPath(queued), status: '5.2.2' }));
    expect((await now(queued)).delivery).toEqual(delivery);
  });

  it('of a message that is not ours has no effect, and begins no conversation', async () => {
    const row = await room.handIn(
      bounce({ to: stage.inbox.address, status: '5.1.1', messageId: 'x@y.example' }),
    );
    expect(row).toMatchObject({ state: 'noted', reason: 'unknown_message', needsResponse: false });
    expect(await room.chats()).toHaveLength(1);
  });
});

describe('a complaint', () => {
  it('ends all mail to the recipient at once, and fails nothing', async () => {
    const queued = await sent();
    const messageId = queued.email.rfcMessageId ?? '';
    const row = await room.handIn(complaintOf({ to: returnPath(queued), messageId }));
    expect(row).toMatchObject({ state: 'report', reason: 'complaint' });
    expect(await optOut()).toBe('complaint');
    expect((await now(queued)).delivery.state).toBe('sent');
  });
});

describe('a complaint that has only the id of a message', () => {
  it('alerts a colleague', async () => {
    const messageId = (await sent()).email.rfcMessageId ?? '';
    await room.handIn(complaintOf({ to: stage.inbox.address, messageId }));
    expect(await optOut()).toBeUndefined();
    expect(await stage.chat()).toMatchObject({ needsResponseReason: 'email_complaint' });
  });
});

describe('a mail that came back in words alone', () => {
  const words = (to: string, more: Partial<Parameters<typeof mimeOf>[0]> = {}) =>
    mimeOf({
      from: 'MAILER-DAEMON@mx.example.org',
      to,
      subject: 'failure notice',
      dmarc: null,
      text: 'Hi. This is the qmail-send program. I am afraid I was not able to deliver your message.',
      ...more,
    });

  it.each([
    ['the sender of bounces', {}],
    ['an empty return path', { from: 'system@exchange.example.org', headers: ['Return-Path: <>'] }],
    ['the sender of bounces, as an answer', { headers: ['Auto-Submitted: auto-replied'] }],
    [
      'a program that names who failed',
      {
        from: 'mail@x.example',
        headers: ['Auto-Submitted: auto-replied', 'X-Failed-Recipients: a@x.example'],
      },
    ],
  ])('to the return path, from %s, alerts a colleague, and settles nothing', async (_what, more) => {
    const queued = await sent();
    const { chatId } = queued.email;
    for (let count = 0; count < 2; count += 1) {
      const row = await room.handIn(words(returnPath(queued), { ...more, subject: `failure ${count}` }));
      expect(row).toMatchObject({ state: 'report', reason: 'returned', chatId, needsResponse: false });
    }
    expect(await stage.chat()).toMatchObject({ needsResponse: true, needsResponseReason: 'email_returned' });
    expect((await now(queued)).delivery.state).toBe('sent');
    expect(await optOut()).toBeUndefined();
  });

  it.each(['handoff', 'approval'] as const)('leaves a chat its %s, whose notice is due', async (reason) => {
    const queued = await sent();
    await workspace.within((tx) =>
      alertColleague(tx, { id: queued.email.chatId ?? 0 }, reason, { snoozedAt: clock.now() }),
    );
    expect(await room.handIn(words(returnPath(queued)))).toMatchObject({ reason: 'returned' });
    const messageId = queued.email.rfcMessageId ?? '';
    await room.handIn(complaintOf({ to: stage.inbox.address, messageId }));
    expect(await stage.chat()).toMatchObject({ needsResponseReason: reason, snoozedAt: clock.now() });
  });

  it('opens a chat of the archive', async () => {
    const queued = await sent();
    await workspace.within((tx) => patchChat(tx, queued.email.chatId ?? 0, { archived: true }));
    await room.handIn(words(returnPath(queued)));
    expect(await stage.chat()).toMatchObject({ archived: false, needsResponseReason: 'email_returned' });
  });

  it('alerts nobody in the chat of a deleted member', async () => {
    const queued = await sent();
    await workspace.within(async (tx) => {
      const chat = await stage.chat();
      await tx('members').where({ id: chat.memberId }).update({ deleted_at: clock.now() });
    });
    expect(await room.handIn(words(returnPath(queued)))).toMatchObject({ reason: 'returned' });
    expect(await stage.chat()).toMatchObject({ needsResponse: false });
  });

  it('reaches its chat while the inbox is disabled', async () => {
    const queued = await sent();
    await workspace.within((tx) =>
      patchInbox(tx, stage.inbox.id, { enabled: false, updatedAt: clock.now() }),
    );
    expect(await room.handIn(words(returnPath(queued)))).toMatchObject({ reason: 'returned' });
  });

  it('elsewhere, or to a return path of nothing, alerts nobody', async () => {
    const queued = await sent();
    const unknown = plusAddress(stage.inbox.address, 'return', 'a'.repeat(26));
    for (const to of [stage.inbox.address, unknown]) {
      const row = await room.handIn(words(to, { headers: ['Return-Path: <>'] }));
      expect(row).toMatchObject({ state: 'noted', reason: 'empty_return_path' });
    }
    const reply = plusAddress(stage.inbox.address, 'reply', queued.email.replyToken ?? '');
    await room.handIn(words(reply, { headers: ['Return-Path: <>'] }));
    expect(await stage.chat()).toMatchObject({ needsResponse: false });
  });
});

describe('a vacation notice to the return path', () => {
  it.each([
    ['with proof', {}, 'chat', ['Auto-Submitted: auto-generated']],
    ['without proof', { dmarc: null }, 'noted', ['Auto-Submitted: auto-generated']],
    [
      'from another address',
      { from: 'lee@x.example', dmarc: null },
      'noted',
      ['X-Auto-Response-Suppress: All'],
    ],
    ['with an old sign', { from: 'lee@x.example', dmarc: null }, 'noted', ['Precedence: auto_reply']],
    ['that says so', { from: 'lee@x.example', dmarc: null }, 'noted', ['Auto-Submitted: auto-replied']],
  ])('%s calls and blocks nobody', async (_what, more, state, headers) => {
    const queued = await sent();
    await workspace.within((tx) =>
      patchInbox(tx, stage.inbox.id, { authservId: receivingServer, updatedAt: clock.now() }),
    );
    const absent = { from: stage.address, to: returnPath(queued), headers: ['Return-Path: <>', ...headers] };
    expect(await room.handIn(mimeOf({ ...absent, ...more }))).toMatchObject({ state });
    expect(await stage.chat()).toMatchObject({ needsResponse: false });
    expect((await now(queued)).delivery.state).toBe('sent');
    expect(await optOut()).toBeUndefined();
  });
});
