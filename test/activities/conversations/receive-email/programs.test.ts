import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { maxAnswersAnHour } from '../../../../domain/conversations/emails/decide-mail.js';
import { mimeOf } from '../../../support/emails/mime.js';
import { useMailroom } from '../../../support/emails/use-mailroom.js';
import { hours } from '../../../support/lib/moved-clock.js';

const { workspace, clock, inbox, room, sender, handIn, addMember, rows, stageThread } = useMailroom();

describe('automatic mail', () => {
  it.each(['Auto-Submitted: auto-replied', 'X-Autoreply: yes', 'X-Autoresponder: x', 'Return-Path: <>'])(
    'with %s is shown in its chat, and answered by nobody',
    async (line) => {
      const { replyAddress, chatId } = await stageThread();
      const { version } = (await room.chats())[0] ?? { version: 0 };
      const row = await handIn({ to: replyAddress, text: 'I am away.', headers: [line] });
      expect(row).toMatchObject({ state: 'chat', reason: 'automatic', chatId });
      expect((await room.messages(chatId)).at(-1)).toMatchObject({
        role: 'user',
        author: 'system',
        content: 'I am away.',
      });
      expect((await room.chats())[0]).toMatchObject({ version, needsResponse: false });
    },
  );

  it.each(['Precedence: bulk', 'List-Id: <x.example>', 'X-Auto-Response-Suppress: All'])(
    'that a person may have written (%s) is shown to a person',
    async (line) => {
      const { replyAddress, chatId } = await stageThread();
      const { version } = (await room.chats())[0] ?? { version: 0 };
      const row = await handIn({ to: replyAddress, headers: [line] });
      expect(row).toMatchObject({ state: 'chat', reason: 'automatic', chatId });
      expect((await room.chats())[0]).toMatchObject({ version, needsResponseReason: 'automatic_email' });
      clock.advance(hours(2));
      expect(await handIn({ headers: [line] })).toMatchObject({ state: 'held', chatId: null });
    },
  );

  it('begins no chat', async () => {
    const row = await handIn({ headers: ['Auto-Submitted: auto-generated'] });
    expect(row).toMatchObject({ state: 'noted', reason: 'auto_submitted', needsResponse: false });
    expect(await room.chats()).toEqual([]);
  });

  it('of a list that has put itself into From is of no member', async () => {
    await addMember(sender());
    const row = await room.handIn(
      mimeOf({
        from: '"Ana via Friends" <friends@lists.example>',
        to: inbox.address,
        headers: [
          'List-Id: <friends.lists.example>',
          `X-Original-From: ${sender()}`,
          `Reply-To: ${sender()}`,
        ],
      }),
    );
    expect(row).toMatchObject({ state: 'held', reason: 'mailing_list' });
  });
});

describe('loops', () => {
  it('of programs that do not say what they are end with a person', async () => {
    const { replyAddress, chatId } = await stageThread();
    const { version } = (await room.chats())[0] ?? { version: 0 };
    await workspace.within((tx) =>
      tx.raw(
        `with answers as (
           insert into messages (workspace_id, chat_id, role, content)
           select ?, ?, 'assistant', '"Hello"' from generate_series(1, ?) returning workspace_id, chat_id, id)
         insert into deliveries (workspace_id, chat_id, message_id, channel, purpose, sender, recipient, state, expires_at, created_at)
         select workspace_id, chat_id, id, 'email', 'reply', ?, ?, 'sent', now(), ? from answers`,
        [workspace.workspaceId, chatId, maxAnswersAnHour, inbox.address, sender(), clock.now()],
      ),
    );
    const row = await handIn({ to: replyAddress, text: 'And again.' });
    expect(row).toMatchObject({ state: 'chat', reason: 'capped' });
    expect((await room.chats())[0]).toMatchObject({ version, needsResponseReason: 'too_many_emails' });
  });

  it('of our own mail that comes back have no effect', async () => {
    const { sentId } = await stageThread();
    const copy = mimeOf({ from: inbox.address, to: sender(), messageId: sentId });
    expect(await room.handIn(copy)).toMatchObject({ state: 'noted', reason: 'own_mail' });
  });

  it('of our own mail have no effect where a relay has replaced its Message-ID', async () => {
    const { replyAddress, sentId, chatId } = await stageThread();
    const before = (await room.messages(chatId)).length;
    const headers = [`Reply-To: ${replyAddress}`, `References: <${sentId}>`];
    const copy = mimeOf({ from: inbox.address, to: sender(), headers });
    expect(await room.handIn(copy)).toMatchObject({ state: 'noted', reason: 'own_mail' });
    expect(await room.messages(chatId)).toHaveLength(before);
  });
});

describe('a colleague who answers from the mailbox', () => {
  it('takes over: the agent is paused, and nothing is sent', async () => {
    const { chatId, sentId } = await stageThread();
    const deliveries = (await rows('deliveries')).length;
    const answer = mimeOf({
      from: inbox.address,
      to: sender(),
      text: 'Come at ten.',
      headers: [`References: <${sentId}>`],
    });
    expect(await room.handIn(answer)).toMatchObject({ state: 'chat', reason: 'takeover', chatId });
    expect((await room.messages(chatId)).at(-1)).toMatchObject({
      role: 'assistant',
      author: 'person',
      memberId: null,
      content: 'Come at ten.',
    });
    const [chat] = await room.chats();
    expect(chat).toMatchObject({ paused: true, pausedReason: 'operator_reply', needsResponse: false });
    expect(chat?.handledVersion).toBe(chat?.version);
    expect((await rows('deliveries')).length).toBe(deliveries);
  });

  it('answers a mail of the member that the service has never answered', async () => {
    const first = `${randomUUID()}@example.org`;
    const { chatId } = await handIn({ messageId: first });
    const answer = mimeOf({ from: inbox.address, to: sender(), headers: [`In-Reply-To: <${first}>`] });
    expect(await room.handIn(answer)).toMatchObject({ reason: 'takeover', chatId });
  });

  it.each([
    ['is not proved', { dmarc: 'none header.from=inboxes.example' }],
    ['writes to somebody else', { to: 'eve@example.com' }],
    ['names no thread', { headers: [] }],
    ['is a program', { headers: ['Auto-Submitted: auto-replied'] }],
  ])('and %s waits for a person', async (_why, more) => {
    const { chatId, sentId } = await stageThread();
    const before = (await room.messages(chatId)).length;
    const answer = mimeOf({
      from: inbox.address,
      to: sender(),
      headers: [`References: <${sentId}>`],
      ...more,
    });
    expect(await room.handIn(answer)).toMatchObject({ state: 'held', reason: 'own_address' });
    expect(await room.messages(chatId)).toHaveLength(before);
    expect((await room.chats())[0]).toMatchObject({ paused: false });
  });
});
