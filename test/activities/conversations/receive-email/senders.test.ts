import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  barIdentifiers,
  insertUnprovedIdentifiers,
  selectUnprovedIdentifiers,
} from '../../../../db/people/unproved-identifiers.js';
import { mimeOf } from '../../../support/emails/mime.js';
import { useMailroom } from '../../../support/emails/use-mailroom.js';
import { days, hours } from '../../../support/lib/moved-clock.js';
import { addInbox } from '../../../support/workspace/inboxes.js';

const { workspace, clock, inbox, room, roomOf, sender, mail, forged, handIn, addMember, rows, stageThread } =
  useMailroom();

describe('a mail of a proved sender', () => {
  it('begins a chat of a new member, which the agent is to answer', async () => {
    const row = await handIn({ subject: 'Appointment on Friday' });
    expect(row).toMatchObject({
      state: 'chat',
      reason: 'new_chat',
      needsResponse: false,
      fromAddress: sender(),
      subject: 'Appointment on Friday',
      proved: true,
      objectId: null,
    });
    const [chat] = await room.chats();
    expect(chat).toMatchObject({
      id: row.chatId,
      channel: 'email',
      title: 'Appointment on Friday',
      assistantEnabled: true,
      needsResponse: false,
      version: 1,
      handledVersion: 0,
    });
    expect(await room.messages(Number(row.chatId))).toMatchObject([
      {
        id: row.messageId,
        role: 'user',
        author: 'member',
        memberId: chat?.memberId,
        content: 'Appointment on Friday\n\nCan I come on Friday?',
        inboxId: inbox.id,
        emailId: expect.any(Number),
      },
    ]);
  });

  it('is a message of the member who has the address, whatever else the mail says', async () => {
    const member = await addMember(sender());
    const { chatId } = await handIn({ headers: ['Reply-To: eve@example.com', 'Sender: eve@example.com'] });
    expect((await room.chats()).find(({ id }) => id === chatId)?.memberId).toBe(member.id);
  });

  it('continues the chat of the token in its address, with a new subject as well', async () => {
    const { chatId, replyAddress } = await stageThread();
    const row = await handIn({ to: `Desk <${replyAddress.toUpperCase()}>`, subject: 'Something else' });
    expect(row).toMatchObject({ state: 'chat', reason: null, chatId });
    expect((await room.messages(chatId)).at(-1)?.content).toBe('Can I come on Friday?');
    expect(await room.chats()).toHaveLength(1);
  });

  it.each(['Cc', 'Delivered-To', 'X-Original-To', 'X-Envelope-To'])(
    'continues the chat of a token in %s, as of a mail that is sent again',
    async (name) => {
      const { chatId, replyAddress } = await stageThread();
      expect(await handIn({ headers: [`${name}: ${replyAddress}`] })).toMatchObject({ chatId });
    },
  );

  it.each([
    ['In-Reply-To', (id: string) => `In-Reply-To: <x@example.org> <${id}>`],
    ['References', (id: string) => `References: <${id}> <y@example.org>`],
  ])('continues the chat of a message that %s names', async (_name, line) => {
    const { chatId, sentId } = await stageThread();
    expect(await handIn({ headers: [line(sentId)] })).toMatchObject({ state: 'chat', chatId });
  });

  it('continues the chat by the id that the relay has given to a message', async () => {
    const { chatId } = await stageThread();
    const id = await room.sent({ chatId, rfcMessageId: `${randomUUID()}@inboxes.example` });
    const relayed = `${randomUUID()}@relay.example`;
    await workspace.within((tx) => tx('emails').where({ id }).update({ relay_message_id: relayed }));
    expect(await handIn({ headers: [`In-Reply-To: <${relayed}>`] })).toMatchObject({ chatId });
  });

  it('continues the chat that the sender has begun, by the id of the mail that began it', async () => {
    const first = `${randomUUID()}@example.org`;
    const { chatId } = await handIn({ messageId: first });
    clock.advance(days(3));
    expect(await handIn({ headers: [`In-Reply-To: <${first}>`] })).toMatchObject({ chatId });
  });

  it('without a thread continues what the sender wrote within the hour, and begins a chat later', async () => {
    const { chatId } = await handIn();
    expect(await handIn({ text: 'And with my son?' })).toMatchObject({ chatId, reason: null });
    clock.advance(hours(2));
    expect((await handIn({ text: 'Another matter' })).chatId).not.toBe(chatId);
  });

  it('twice at once, of a new sender, begins one chat of one member', async () => {
    const accepted = await Promise.all([
      room.accept(mail({ text: 'One' })),
      room.accept(mail({ text: 'Two' })),
    ]);
    await Promise.all(accepted.map(({ id }) => room.receive(id)));
    const chats = await room.chats();
    expect(chats).toHaveLength(1);
    expect(await room.messages(chats[0]?.id ?? 0)).toHaveLength(2);
    expect((await rows('members', ['email'])).filter(({ email }) => email === sender())).toHaveLength(1);
  });

  it('without an agent waits for a person', async () => {
    const { chatId, replyAddress } = await stageThread();
    await workspace.within((tx) => tx('chats').where({ id: chatId }).update({ paused: true }));
    await handIn({ to: replyAddress });
    expect((await room.chats())[0]).toMatchObject({
      needsResponse: true,
      needsResponseReason: 'agent_silent',
    });
  });

  it('that is read hours late is shown to a person, and not answered', async () => {
    const { id } = await room.accept(mail());
    clock.advance(hours(5));
    await room.receive(id);
    const { chatId } = await room.row(id);
    expect((await room.chats()).find((chat) => chat.id === chatId)).toMatchObject({
      needsResponseReason: 'late_message',
      version: 0,
    });
  });
});

describe('a mail from an address that was only given, of a member who has proved another', () => {
  const barEmailOf = async (memberId: number) => {
    await workspace.within(async (tx) => {
      await insertUnprovedIdentifiers(tx, [{ memberId, channel: 'email', address: sender() }], clock.now());
      const noted = await selectUnprovedIdentifiers(tx, memberId);
      await barIdentifiers(
        tx,
        noted.map(({ id }) => id),
        clock.now(),
      );
    });
  };

  it('is the member’s if it answers what was sent there, and otherwise another person’s', async () => {
    const member = await addMember(sender());
    const { chatId, replyAddress } = await stageThread();
    await workspace.within((tx) =>
      tx('emails').where({ chat_id: chatId, direction: 'out' }).update({ to_address: sender() }),
    );
    await barEmailOf(member.id);

    expect(await handIn({ to: replyAddress })).toMatchObject({ state: 'chat', chatId });
    clock.advance(hours(2));
    const other = await handIn();

    expect(other).toMatchObject({ state: 'chat', reason: 'new_chat' });
    const chats = await room.chats();
    const begun = chats.find(({ id }) => id === other.chatId);
    expect(begun?.memberId).not.toBe(member.id);
    const stored = await rows('members', ['id', 'email']);
    expect(stored).toContainEqual({ id: member.id, email: null });
    expect(stored).toContainEqual({ id: begun?.memberId, email: sender() });
  });
});

describe('a mail whose sender is not proved', () => {
  it.each([
    ['fails DMARC', { dmarc: 'fail header.from=example.org' }, 'sender_unproved'],
    ['has no result', { dmarc: null }, 'sender_unproved'],
    ['passes for another domain', { dmarc: 'pass header.from=attacker.example' }, 'sender_unproved'],
    ['has two From fields', { headers: ['From: eve@example.com'] }, 'sender_unclear'],
  ])(
    'because it %s waits for a person, and reaches no chat, no agent and no member',
    async (_why, more, reason) => {
      const { replyAddress, chatId } = await stageThread();
      const before = await room.messages(chatId);
      const members = (await rows('members')).length;
      const row = await handIn({ to: replyAddress, ...more });
      expect(row).toMatchObject({ state: 'held', reason, needsResponse: true, chatId: null, proved: false });
      expect(row.objectId).not.toBeNull();
      expect(await room.messages(chatId)).toEqual(before);
      expect(await room.chats()).toHaveLength(1);
      expect((await rows('members')).length).toBe(members);
    },
  );

  it('because no server is trusted waits for a person', async () => {
    const untrusting = await addInbox(workspace);
    const row = await roomOf(workspace, untrusting).handIn(mail());
    expect(row).toMatchObject({ state: 'held', reason: 'sender_unproved' });
  });

  it('is only noted if a program has sent it', async () => {
    const row = await room.handIn(forged({ headers: ['Auto-Submitted: auto-generated'] }));
    expect(row).toMatchObject({ state: 'noted', reason: 'auto_submitted', needsResponse: false });
  });
});

describe('a mail of a proved sender into the thread of another', () => {
  it('by its token waits for a person, without its words in the chat', async () => {
    const { replyAddress, chatId, sentId } = await stageThread();
    const before = (await room.messages(chatId)).length;
    const other = mimeOf({ from: 'Eve <eve@example.com>', to: replyAddress });
    expect(await room.handIn(other)).toMatchObject({ state: 'held', reason: 'other_sender', chatId: null });
    const byId = mimeOf({
      from: 'Eve <eve@example.com>',
      to: inbox.address,
      headers: [`In-Reply-To: <${sentId}>`],
    });
    expect(await room.handIn(byId)).toMatchObject({ state: 'held', reason: 'other_sender' });
    expect(await room.messages(chatId)).toHaveLength(before);
  });

  it('by the Message-ID of a mail of the other begins a chat of its own', async () => {
    const first = `${randomUUID()}@example.org`;
    const { chatId } = await handIn({ messageId: first });
    const row = await room.handIn(
      mimeOf({ from: `eve-${sender()}`, to: inbox.address, headers: [`In-Reply-To: <${first}>`] }),
    );
    expect(row).toMatchObject({ state: 'chat', reason: 'new_chat' });
    expect(row.chatId).not.toBe(chatId);
  });

  it('finds nothing by a token that was revoked', async () => {
    const { replyAddress, chatId } = await stageThread();
    await workspace.within((tx) =>
      tx('emails').where({ chat_id: chatId }).update({ tokens_revoked_at: new Date() }),
    );
    const row = await handIn({ to: replyAddress });
    expect(row).toMatchObject({ state: 'chat', reason: 'new_chat' });
  });
});
