import { randomBytes, randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { insertEmailOptOut, selectEmailOptOuts } from '../../../db/channels/email-opt-outs.js';
import type { InboxRow } from '../../../db/channels/inboxes.js';
import { patchInbox } from '../../../db/channels/inboxes.js';
import { insertMessage } from '../../../db/conversations/messages.js';
import { removeDoomedObjects } from '../../../db/files/collectable-objects.js';
import { countMailedBytes, countUsedBytes, doomPendingObject } from '../../../db/files/stored-objects.js';
import {
  barIdentifiers,
  insertUnprovedIdentifiers,
  selectUnprovedIdentifiers,
} from '../../../db/people/unproved-identifiers.js';
import { makeToken } from '../../../domain/channels/email/addresses.js';
import { leftForPerson } from '../../../domain/chat-state/left-for-person.js';
import { createAssistant } from '../../../domain/conversations/assistants/create-assistant.js';
import { mostAnswersAnHour, mostBegunADay } from '../../../domain/conversations/emails/decide-mail.js';
import { fileLimits } from '../../../domain/files/limits.js';
import { reserveObject } from '../../../domain/files/objects/reserve-object.js';
import { observeOccurrences } from '../../../domain/kernel/occurrences.js';
import { StorageFull } from '../../../domain/lib/errors.js';
import { createMember } from '../../../domain/people/members/create-member.js';
import { StorageBusy } from '../../../providers/storage/storage.js';
import { type Mailroom, mailroomOf } from '../../support/emails/hand-in.js';
import { mimeOf, multipart, receivingServer } from '../../support/emails/mime.js';
import { png } from '../../support/files/samples.js';
import { days, hours, MovedClock } from '../../support/lib/moved-clock.js';
import { scratchStorage } from '../../support/storage/scratch-storage.js';
import { createWorkspace, type TestWorkspace } from '../../support/workspace/factories.js';
import { addInbox } from '../../support/workspace/inboxes.js';
import { useWorkspace } from '../../support/workspace/use-workspace.js';

const suite = useWorkspace();
let workspace: TestWorkspace;
beforeAll(async () => {
  workspace = await createWorkspace(suite.workspace.database);
  await createAssistant(workspace.context(), {
    name: 'Assistant',
    instructions: 'Be brief.',
    isDefault: true,
  });
});

let clock: MovedClock;
let inbox: InboxRow;
let room: Mailroom;
/** An address of its own for each test. */
let sender: string;
beforeEach(async () => {
  clock = new MovedClock();
  inbox = await addInbox(workspace, { authservId: receivingServer });
  const { storage, remove } = scratchStorage();
  onTestFinished(remove);
  room = mailroomOf(workspace, inbox, { clock, storage });
  sender = `ana-${randomUUID().slice(0, 8)}@example.org`;
});

const mail = (more: Partial<Parameters<typeof mimeOf>[0]> = {}) =>
  mimeOf({ from: `Ana <${sender}>`, to: inbox.address, ...more });
const forged = (more: Partial<Parameters<typeof mimeOf>[0]> = {}) =>
  mail({ dmarc: 'fail header.from=example.org', ...more });
const rows = (table: string, columns: string[] = ['id']): Promise<Record<string, unknown>[]> =>
  workspace.database.readInWorkspace(workspace.workspaceId, (tx) => tx(table).select(columns).orderBy('id'));
const addMember = (email: string) =>
  createMember(workspace.context(), { email, memberRoleId: workspace.roles.member.id });

/** A chat of the sender in which the inbox has written, with the token and the id of what it wrote. */
async function stageThread() {
  const { chatId } = await room.handIn(mail());
  const token = makeToken();
  const sentId = `${randomUUID()}@inboxes.example`;
  const [local, domain] = inbox.address.split('@');
  await room.sent({ chatId, replyToken: token, rfcMessageId: sentId, referenceIds: [sentId] });
  clock.advance(hours(2));
  return { chatId: Number(chatId), replyAddress: `${local}+r.${token}@${domain}`, sentId };
}

describe('a mail from an address that was only given, of a member who has proved another', () => {
  const barEmailOf = async (memberId: number) => {
    await workspace.database.inWorkspace(workspace.workspaceId, async (tx) => {
      await insertUnprovedIdentifiers(tx, [{ memberId, channel: 'email', address: sender }], clock.now());
      const noted = await selectUnprovedIdentifiers(tx, memberId);
      await barIdentifiers(
        tx,
        noted.map(({ id }) => id),
        clock.now(),
      );
    });
  };

  it('is the member’s if it answers what was sent there, and otherwise another person’s', async () => {
    const member = await addMember(sender);
    const { chatId, replyAddress } = await stageThread();
    await workspace.database.inWorkspace(workspace.workspaceId, (tx) =>
      tx('emails').where({ chat_id: chatId, direction: 'out' }).update({ to_address: sender }),
    );
    await barEmailOf(member.id);

    expect(await room.handIn(mail({ to: replyAddress }))).toMatchObject({ state: 'chat', chatId });
    clock.advance(hours(2));
    const other = await room.handIn(mail());

    expect(other).toMatchObject({ state: 'chat', reason: 'new_chat' });
    const chats = await room.chats();
    const begun = chats.find(({ id }) => id === other.chatId);
    expect(begun?.memberId).not.toBe(member.id);
    const stored = await rows('members', ['id', 'email']);
    expect(stored).toContainEqual({ id: member.id, email: null });
    expect(stored).toContainEqual({ id: begun?.memberId, email: sender });
  });
});

describe('a mail of a proved sender', () => {
  it('begins a chat of a new member, which the agent is to answer', async () => {
    const row = await room.handIn(mail({ subject: 'Appointment on Friday' }));
    expect(row).toMatchObject({
      state: 'chat',
      reason: 'new_chat',
      needsResponse: false,
      fromAddress: sender,
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
    const member = await addMember(sender);
    const { chatId } = await room.handIn(
      mail({ headers: ['Reply-To: eve@example.com', 'Sender: eve@example.com'] }),
    );
    expect((await room.chats()).find(({ id }) => id === chatId)?.memberId).toBe(member.id);
  });

  it('continues the chat of the token in its address, with a new subject as well', async () => {
    const { chatId, replyAddress } = await stageThread();
    const row = await room.handIn(
      mail({ to: `Desk <${replyAddress.toUpperCase()}>`, subject: 'Something else' }),
    );
    expect(row).toMatchObject({ state: 'chat', reason: null, chatId });
    expect((await room.messages(chatId)).at(-1)?.content).toBe('Can I come on Friday?');
    expect(await room.chats()).toHaveLength(1);
  });

  it.each(['Cc', 'Delivered-To', 'X-Original-To', 'X-Envelope-To'])(
    'continues the chat of a token in %s, as of a mail that is sent again',
    async (name) => {
      const { chatId, replyAddress } = await stageThread();
      expect(await room.handIn(mail({ headers: [`${name}: ${replyAddress}`] }))).toMatchObject({ chatId });
    },
  );

  it.each([
    ['In-Reply-To', (id: string) => `In-Reply-To: <x@example.org> <${id}>`],
    ['References', (id: string) => `References: <${id}> <y@example.org>`],
  ])('continues the chat of a message that %s names', async (_name, line) => {
    const { chatId, sentId } = await stageThread();
    expect(await room.handIn(mail({ headers: [line(sentId)] }))).toMatchObject({ state: 'chat', chatId });
  });

  it('continues the chat by the id that the relay has given to a message', async () => {
    const { chatId } = await stageThread();
    const id = await room.sent({ chatId, rfcMessageId: `${randomUUID()}@inboxes.example` });
    const relayed = `${randomUUID()}@relay.example`;
    await workspace.database.inWorkspace(workspace.workspaceId, (tx) =>
      tx('emails').where({ id }).update({ relay_message_id: relayed }),
    );
    expect(await room.handIn(mail({ headers: [`In-Reply-To: <${relayed}>`] }))).toMatchObject({ chatId });
  });

  it('continues the chat that the sender has begun, by the id of the mail that began it', async () => {
    const first = `${randomUUID()}@example.org`;
    const { chatId } = await room.handIn(mail({ messageId: first }));
    clock.advance(days(3));
    expect(await room.handIn(mail({ headers: [`In-Reply-To: <${first}>`] }))).toMatchObject({ chatId });
  });

  it('without a thread continues what the sender wrote within the hour, and begins a chat later', async () => {
    const { chatId } = await room.handIn(mail());
    expect(await room.handIn(mail({ text: 'And with my son?' }))).toMatchObject({ chatId, reason: null });
    clock.advance(hours(2));
    expect((await room.handIn(mail({ text: 'Another matter' }))).chatId).not.toBe(chatId);
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
    expect((await rows('members', ['email'])).filter(({ email }) => email === sender)).toHaveLength(1);
  });

  it('without an agent waits for a person', async () => {
    const { chatId, replyAddress } = await stageThread();
    await workspace.database.inWorkspace(workspace.workspaceId, (tx) =>
      tx('chats').where({ id: chatId }).update({ paused: true }),
    );
    await room.handIn(mail({ to: replyAddress }));
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

describe('a mail that opts out in words', () => {
  const optOuts = () =>
    workspace.database.readInWorkspace(workspace.workspaceId, (tx) =>
      selectEmailOptOuts(tx, sender, clock.now()),
    );
  const writtenTo = (chatId: unknown) =>
    rows('messages', ['chat_id', 'author', 'content']).then((all) =>
      all.filter((one) => one.chat_id === chatId),
    );

  it('is obeyed and confirmed once, is not for the agent, and alerts a colleague', async () => {
    const text = 'Please stop emailing me.';
    const { chatId } = await room.handIn(mail({ subject: 'Your mails', text }));
    expect(await optOuts()).toMatchObject([{ source: 'link' }]);
    const chat = (await room.chats()).find(({ id }) => id === chatId);
    expect(chat).toMatchObject({ needsResponseReason: 'opted_out', version: 0 });
    expect(await writtenTo(chatId)).toMatchObject([
      { author: 'member' },
      { author: 'system', content: expect.stringContaining('unsubscribed') },
    ]);
    const proofs = await rows('opt_out_proofs', ['channel', 'source', 'heard_on', 'recipient', 'words']);
    expect(proofs.filter(({ recipient }) => recipient === sender)).toMatchObject([
      { channel: 'email', source: 'words', heard_on: 'email', words: expect.stringContaining(text) },
    ]);
    clock.advance(hours(2));
    const again = await room.handIn(mail({ subject: 'Again', text }));
    expect((await writtenTo(again.chatId)).filter(({ author }) => author === 'system')).toEqual(
      again.chatId === chatId ? [expect.anything()] : [],
    );
  });

  it('pauses the chat and asks a person where it may mean something else', async () => {
    const { chatId } = await room.handIn(mail({ subject: 'Mails', text: 'How do I unsubscribe?' }));
    expect(await optOuts()).toEqual([]);
    const chat = (await room.chats()).find(({ id }) => id === chatId);
    expect(chat).toMatchObject({ paused: true, needsResponseReason: 'opt_out_unclear' });
  });

  it.each([
    ['a program has sent', { headers: ['Auto-Submitted: auto-replied'] }],
    ['came through a list', { headers: ['List-Id: <x.example>'] }],
  ])('that %s changes nothing', async (_what, more) => {
    await room.handIn(mail({ text: 'Please stop emailing me.', ...more }));
    expect(await optOuts()).toEqual([]);
  });
});

describe('a mail from an address that has opted out of email', () => {
  const optOut = (source: 'link' | 'complaint' | 'bounce', optedOutAt = clock.now()) =>
    workspace.database.inWorkspace(workspace.workspaceId, (tx) =>
      insertEmailOptOut(tx, { recipient: sender, optedOutAt, source }),
    );
  const inForce = () =>
    workspace.database.readInWorkspace(workspace.workspaceId, (tx) =>
      selectEmailOptOuts(tx, sender, clock.now()),
    );

  it.each([
    ['complaint', ['link']],
    ['bounce', []],
    ['link', ['link']],
  ] as const)('by a %s lets replies through, and no more', async (source, left) => {
    await optOut(source);
    expect(await room.handIn(mail())).toMatchObject({ state: 'chat' });
    expect((await inForce()).map((found) => found.source)).toEqual(left);
  });

  it.each(['complaint', 'bounce'] as const)('takes back no %s that came after it', async (source) => {
    await optOut(source, new Date(clock.now().getTime() + 1));
    expect(await room.handIn(mail())).toMatchObject({ state: 'chat' });
    expect(await inForce()).toMatchObject([{ source }]);
  });

  it.each([
    ['nobody vouches for', { dmarc: 'fail header.from=example.org' }],
    ['a program has sent', { headers: ['Auto-Submitted: auto-replied'] }],
    ['came through a list', { headers: ['List-Id: <x.example>'] }],
  ])('that %s changes nothing', async (_what, more) => {
    const { replyAddress } = await stageThread();
    await optOut('complaint');
    await optOut('bounce');
    await room.handIn(mail({ to: replyAddress, ...more }));
    expect((await inForce()).map((found) => found.source)).toEqual(['bounce', 'complaint']);
  });
});

describe('quoted text', () => {
  it('is kept apart from what the sender has written', async () => {
    const { replyAddress, chatId } = await stageThread();
    const text = `On Friday.\r\n\r\nOn Mon, Nov 2, 2026 at 9:00 AM Desk <${inbox.address}> wrote:\r\n> Can I come on Friday?\r\n`;
    await room.handIn(mail({ to: replyAddress, text }));
    expect((await room.messages(chatId)).at(-1)).toMatchObject({
      content: 'On Friday.',
      originalContent: expect.stringContaining('> Can I come on Friday?'),
    });
  });

  it('of a mail that has HTML only is parted as well', async () => {
    const html =
      '<p>On <b>Friday</b>.</p><blockquote>Can I come on Friday?</blockquote><script>alert(1)</script><img src="cid:x">';
    const { replyAddress, chatId } = await stageThread();
    await room.handIn(mail({ to: replyAddress, body: ['Content-Type: text/html; charset=utf-8', '', html] }));
    expect((await room.messages(chatId)).at(-1)).toMatchObject({
      content: 'On Friday.',
      originalContent: 'On Friday.\n\n> Can I come on Friday?',
    });
  });

  it('does not hide a mail of 5,000 nested elements', async () => {
    const html = `${'<div>'.repeat(5_000)}Hello${'</div>'.repeat(5_000)}`;
    const row = await room.handIn(mail({ body: ['Content-Type: text/html', '', html] }));
    expect(row).toMatchObject({ state: 'chat' });
  });
});

const attachment = (name: string, content: Uint8Array | string, more: string[] = []) => [
  `Content-Type: application/octet-stream; name="${name}"`,
  'Content-Transfer-Encoding: base64',
  `Content-Disposition: attachment; filename="${name}"`,
  ...more,
  '',
  Buffer.from(content).toString('base64'),
];

describe('attachments', () => {
  const textPart = ['Content-Type: text/plain', '', 'See the picture.'];
  const picture = png();

  it('become files of the message, as what their bytes are, under clean names', async () => {
    const inline = [
      'Content-Type: image/png',
      'Content-Transfer-Encoding: base64',
      'Content-ID: <logo@example.org>',
      '',
      picture.toString('base64'),
    ];
    const row = await room.handIn(
      mail({ body: multipart('mixed', textPart, attachment('../../etc/pass\0wd.png', picture), inline) }),
    );
    const [message] = await room.messages(Number(row.chatId));
    expect(message?.files).toMatchObject([
      {
        status: 'stored',
        filename: expect.stringMatching(/^[^/\0]*wd\.png$/),
        mimeType: 'image/png',
        fileSize: picture.length,
      },
      { status: 'stored', mimeType: 'image/png' },
    ]);
    const files = await rows('files', ['source', 'access', 'owner_member_id']);
    expect(files.at(-1)).toMatchObject({
      source: 'message',
      access: 'private',
      owner_member_id: message?.memberId,
    });
    expect(row.objectId).toBeNull();
  });

  it('for which there is no room are named as failed, and the message arrives', async () => {
    const { storage, remove } = scratchStorage();
    onTestFinished(remove);
    const bytes = mail({ body: multipart('mixed', textPart, attachment('a.bin', 'x'.repeat(20_000))) });
    const full = mailroomOf(workspace, inbox, { clock, storage, bytesPerWorkspace: 40_000_000 });
    const used = (await rows('storage_usage', ['bytes']))[0]?.bytes ?? 0;
    const tight = mailroomOf(workspace, inbox, {
      clock,
      storage,
      bytesPerWorkspace: Number(used) + bytes.length + 1_000,
    });
    const { id } = await full.accept(bytes);
    await tight.receive(id);
    const row = await room.row(id);
    expect(row).toMatchObject({ state: 'chat', objectId: expect.any(Number) });
    expect((await room.messages(Number(row.chatId)))[0]?.files).toEqual([
      { status: 'failed', reason: 'storage_full' },
    ]);
  });

  it('beyond ten, and empty ones, are left out and named', async () => {
    const parts = Array.from({ length: 12 }, (_, at) =>
      attachment(`${at}.txt`, at === 0 ? '' : `Text ${at}`),
    );
    const row = await room.handIn(mail({ body: multipart('mixed', textPart, ...parts) }));
    const files = (await room.messages(Number(row.chatId)))[0]?.files ?? [];
    expect(files.filter(({ status }) => status === 'stored')).toHaveLength(9);
    expect(files.filter(({ status }) => status === 'failed')).toEqual([
      { status: 'failed', reason: 'empty' },
      { status: 'failed', reason: 'too_many' },
    ]);
    expect(row.objectId).not.toBeNull();
  });

  const firstFiles = async ({ chatId }: { chatId: number | null }, at: Mailroom) =>
    (await at.messages(Number(chatId))).at(-1)?.files;

  it('beyond 5 MB in a mail of an unknown sender are left out, and stored once a colleague has written', async () => {
    const large = attachment('a.bin', Buffer.alloc(5.5 * 1_048_576, 'x'));
    const body = multipart('mixed', textPart, large);
    const { chatId } = await room.handIn(mail());
    for (const text of ['First', 'Second']) {
      expect(await firstFiles(await room.handIn(mail({ text, body })), room)).toEqual([
        { status: 'failed', reason: 'too_large' },
      ]);
    }
    await workspace.database.inWorkspace(workspace.workspaceId, (tx) =>
      insertMessage(tx, { chatId: Number(chatId), role: 'assistant', author: 'person', content: 'Hello' }),
    );
    expect(await firstFiles(await room.handIn(mail({ text: 'Again', body })), room)).toMatchObject([
      { status: 'stored' },
    ]);
  });

  describe('of senders whom no colleague has answered', () => {
    async function stageNarrow() {
      const own = await createWorkspace(suite.workspace.database);
      const ownInbox = await addInbox(own, { authservId: receivingServer });
      const { storage, remove } = scratchStorage();
      onTestFinished(remove);
      const narrow = mailroomOf(own, ownInbox, { clock, storage, bytesPerWorkspace: 1_000_000 });
      const handIn = async (from: string, bytes?: number) => {
        const body =
          bytes === undefined
            ? {}
            : { body: multipart('mixed', textPart, attachment('a.bin', randomBytes(bytes))) };
        const row = await narrow.handIn(mimeOf({ from, to: ownInbox.address, ...body }));
        expect(row.state).toBe('chat');
        const file = (await firstFiles(row, narrow))?.[0];
        return {
          chatId: Number(row.chatId),
          outcome: file?.status === 'failed' ? file.reason : file?.status,
        };
      };
      const send = async (from: string, bytes: number) => (await handIn(from, bytes)).outcome;
      const change = (work: Parameters<typeof own.database.inWorkspace<unknown>>[1]) =>
        own.database.inWorkspace(own.workspaceId, work);
      return { own, narrow, handIn, send, change };
    }
    const of = (domain: string) => `${randomUUID()}@${domain}`;
    const full = 'unknown_senders_full';

    it('have a bound for each domain and one for all, also after a second mail', async () => {
      const { handIn, send } = await stageNarrow();
      const [first, second] = [of('one.example'), of('one.example')];
      for (const from of [first, second]) await handIn(from);
      expect(await send(first, 40_000)).toBe('stored');
      expect(await send(first, 40_000)).toBe(full);
      expect(await send(second, 40_000)).toBe(full);
      expect(await send(of('two.example'), 40_000)).toBe('stored');
      expect(await send(of('three.example'), 40_000)).toBe(full);
      clock.advance(days(30));
      expect(await send(of('three.example'), 40_000)).toBe('stored');
    });

    it('count as those of members once a colleague has written, and not by an answer of an agent', async () => {
      const { handIn, send, change } = await stageNarrow();
      const from = of('one.example');
      const { chatId } = await handIn(from);
      await change((tx) =>
        insertMessage(tx, { chatId, role: 'assistant', author: 'agent', content: 'Hello' }),
      );
      expect(await send(from, 60_000)).toBe(full);
      await change((tx) =>
        insertMessage(tx, { chatId, role: 'assistant', author: 'person', content: 'Hello' }),
      );
      expect(await send(from, 60_000)).toBe('stored');
      expect(await change(countMailedBytes)).toEqual({ all: 60_000, ofStrangers: 0 });
    });

    it('take no room of members, have a quarter at most, and too many small ones are bounded as well', async () => {
      const { own, send, change } = await stageNarrow();
      const known = of('known.example');
      await createMember(own.context(), { email: known, memberRoleId: own.roles.member.id });
      await send(of('one.example'), 10);
      await change((tx) => tx('storage_usage').update({ mail_bytes: 600_000, stranger_bytes: 250_000 }));
      expect(await send(known, 40_000)).toBe('stored');
      expect(await send(of('two.example'), 10)).toBe(full);
      await change((tx) => tx('storage_usage').update({ mail_bytes: 480_000, stranger_bytes: 0 }));
      expect(await send(known, 40_000)).toBe('emails_full');
      const { filesOfStrangers } = fileLimits as { filesOfStrangers: number };
      onTestFinished(() => {
        Object.assign(fileLimits, { filesOfStrangers });
      });
      Object.assign(fileLimits, { filesOfStrangers: 1 });
      expect(await send(of('two.example'), 10)).toBe(full);
    });

    it('that are not kept are reported, and a colleague is alerted once a day', async () => {
      const { own, handIn, narrow, change } = await stageNarrow();
      await createAssistant(own.context(), { name: 'A', instructions: 'Be brief.', isDefault: true });
      const reported: string[] = [];
      onTestFinished(
        observeOccurrences(({ kind, workspaceId, reason }) => {
          if (workspaceId === own.workspaceId) reported.push(`${kind} ${reason}`);
        }),
      );
      const called = async () => {
        const { chatId } = await handIn(of('one.example'), 60_000);
        const chat = (await narrow.chats()).find(({ id }) => id === chatId);
        // An answer of the agent leaves it to a person.
        if (chat?.needsResponse) {
          const left = await change((tx) => leftForPerson(tx, chat));
          expect(left).toEqual({ needsResponse: true, needsResponseReason: chat.needsResponseReason });
        }
        return chat?.needsResponseReason;
      };
      expect(await called()).toBe('attachments_not_kept');
      expect(await called()).not.toBe('attachments_not_kept');
      clock.advance(days(1));
      expect(await called()).toBe('attachments_not_kept');
      expect(reported).toEqual(Array.from({ length: 3 }, () => `attachment_not_kept ${full}`));
    });
  });

  it('that are deleted make room', async () => {
    const own = await createWorkspace(suite.workspace.database);
    const context = own.context();
    const mailedDomain = randomBytes(32);
    const object = { bytes: 50, sha256: null, mimeType: 'text/plain', createdByMemberId: null, mailedDomain };
    const reserve = (mailedBy: 'member' | 'stranger' | null) =>
      reserveObject(context, own.workspaceId, { object: { ...object, mailedBy }, quota: 1_000 });
    const { id } = await reserve('stranger');
    await expect(reserve('stranger')).rejects.toThrow(StorageFull);
    await reserve('member');
    await reserve(null);
    const after = await own.database.inWorkspace(own.workspaceId, async (tx) => {
      await doomPendingObject(tx, id, new Date());
      await removeDoomedObjects(tx, [id]);
      return { counted: await countMailedBytes(tx), used: await countUsedBytes(tx) };
    });
    expect(after).toEqual({ counted: { all: 50, ofStrangers: 0 }, used: 100 });
    await reserve('stranger');
  });

  it('of a mail that is not put into a chat are not stored', async () => {
    const before = (await rows('stored_objects')).length;
    await room.handIn(forged({ body: multipart('mixed', textPart, attachment('a.png', picture)) }));
    expect((await rows('stored_objects')).length).toBe(before + 1);
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
      const row = await room.handIn(mail({ to: replyAddress, ...more }));
      expect(row).toMatchObject({ state: 'held', reason, needsResponse: true, chatId: null, proved: false });
      expect(row.objectId).not.toBeNull();
      expect(await room.messages(chatId)).toEqual(before);
      expect(await room.chats()).toHaveLength(1);
      expect((await rows('members')).length).toBe(members);
    },
  );

  it('because no server is trusted waits for a person', async () => {
    const untrusting = await addInbox(workspace);
    const { storage, remove } = scratchStorage();
    onTestFinished(remove);
    const row = await mailroomOf(workspace, untrusting, { clock, storage }).handIn(mail());
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
    const { chatId } = await room.handIn(mail({ messageId: first }));
    const row = await room.handIn(
      mimeOf({ from: `eve-${sender}`, to: inbox.address, headers: [`In-Reply-To: <${first}>`] }),
    );
    expect(row).toMatchObject({ state: 'chat', reason: 'new_chat' });
    expect(row.chatId).not.toBe(chatId);
  });

  it('finds nothing by a token that was revoked', async () => {
    const { replyAddress, chatId } = await stageThread();
    await workspace.database.inWorkspace(workspace.workspaceId, (tx) =>
      tx('emails').where({ chat_id: chatId }).update({ tokens_revoked_at: new Date() }),
    );
    const row = await room.handIn(mail({ to: replyAddress }));
    expect(row).toMatchObject({ state: 'chat', reason: 'new_chat' });
  });
});

describe('automatic mail', () => {
  it.each(['Auto-Submitted: auto-replied', 'X-Autoreply: yes', 'X-Autoresponder: x', 'Return-Path: <>'])(
    'with %s is shown in its chat, and answered by nobody',
    async (line) => {
      const { replyAddress, chatId } = await stageThread();
      const { version } = (await room.chats())[0] ?? { version: 0 };
      const row = await room.handIn(mail({ to: replyAddress, text: 'I am away.', headers: [line] }));
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
      const row = await room.handIn(mail({ to: replyAddress, headers: [line] }));
      expect(row).toMatchObject({ state: 'chat', reason: 'automatic', chatId });
      expect((await room.chats())[0]).toMatchObject({ version, needsResponseReason: 'automatic_email' });
      clock.advance(hours(2));
      expect(await room.handIn(mail({ headers: [line] }))).toMatchObject({ state: 'held', chatId: null });
    },
  );

  it('begins no chat', async () => {
    const row = await room.handIn(mail({ headers: ['Auto-Submitted: auto-generated'] }));
    expect(row).toMatchObject({ state: 'noted', reason: 'auto_submitted', needsResponse: false });
    expect(await room.chats()).toEqual([]);
  });

  it('of a list that has put itself into From is of no member', async () => {
    await addMember(sender);
    const row = await room.handIn(
      mimeOf({
        from: '"Ana via Friends" <friends@lists.example>',
        to: inbox.address,
        headers: ['List-Id: <friends.lists.example>', `X-Original-From: ${sender}`, `Reply-To: ${sender}`],
      }),
    );
    expect(row).toMatchObject({ state: 'held', reason: 'mailing_list' });
  });
});

describe('loops', () => {
  it('of programs that do not say what they are end with a person', async () => {
    const { replyAddress, chatId } = await stageThread();
    const { version } = (await room.chats())[0] ?? { version: 0 };
    await workspace.database.inWorkspace(workspace.workspaceId, (tx) =>
      tx.raw(
        `with answers as (
           insert into messages (workspace_id, chat_id, role, content)
           select ?, ?, 'assistant', '"Hello"' from generate_series(1, ?) returning workspace_id, chat_id, id)
         insert into deliveries (workspace_id, chat_id, message_id, channel, purpose, sender, recipient, state, expires_at, created_at)
         select workspace_id, chat_id, id, 'email', 'reply', ?, ?, 'sent', now(), ? from answers`,
        [workspace.workspaceId, chatId, mostAnswersAnHour, inbox.address, sender, clock.now()],
      ),
    );
    const row = await room.handIn(mail({ to: replyAddress, text: 'And again.' }));
    expect(row).toMatchObject({ state: 'chat', reason: 'capped' });
    expect((await room.chats())[0]).toMatchObject({ version, needsResponseReason: 'too_many_emails' });
  });

  it('of our own mail that comes back have no effect', async () => {
    const { sentId } = await stageThread();
    const copy = mimeOf({ from: inbox.address, to: sender, messageId: sentId });
    expect(await room.handIn(copy)).toMatchObject({ state: 'noted', reason: 'own_mail' });
  });

  it('of our own mail have no effect where a relay has replaced its Message-ID', async () => {
    const { replyAddress, sentId, chatId } = await stageThread();
    const before = (await room.messages(chatId)).length;
    const headers = [`Reply-To: ${replyAddress}`, `References: <${sentId}>`];
    const copy = mimeOf({ from: inbox.address, to: sender, headers });
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
      to: sender,
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
    const { chatId } = await room.handIn(mail({ messageId: first }));
    const answer = mimeOf({ from: inbox.address, to: sender, headers: [`In-Reply-To: <${first}>`] });
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
    const answer = mimeOf({ from: inbox.address, to: sender, headers: [`References: <${sentId}>`], ...more });
    expect(await room.handIn(answer)).toMatchObject({ state: 'held', reason: 'own_address' });
    expect(await room.messages(chatId)).toHaveLength(before);
    expect((await room.chats())[0]).toMatchObject({ paused: false });
  });
});

describe('bounds', () => {
  it('on the chats that one sender begins in a day hold what comes beyond', async () => {
    for (let count = 0; count < mostBegunADay.ofSender; count += 1) {
      expect(await room.handIn(mail({ text: `Matter ${count}` }))).toMatchObject({ reason: 'new_chat' });
      clock.advance(hours(1));
    }
    expect(await room.handIn(mail())).toMatchObject({ state: 'held', reason: 'daily_cap' });
    clock.advance(days(1));
    expect(await room.handIn(mail())).toMatchObject({ reason: 'new_chat' });
  });

  it('of an inbox that is switched off leave all to a person', async () => {
    await workspace.database.inWorkspace(workspace.workspaceId, (tx) =>
      patchInbox(tx, inbox.id, { enabled: false, updatedAt: new Date() }),
    );
    expect(await room.handIn(mail())).toMatchObject({ state: 'held', reason: 'inbox_disabled' });
  });
});

describe('a mail that cannot be read', () => {
  it.each([
    ['a header of 3 MB', () => Buffer.concat([Buffer.from('X: '), Buffer.alloc(3_000_000, 'a'), mail()])],
    ['no header', () => Buffer.from('Hello')],
    [
      '5,000 parts',
      () => mail({ body: multipart('mixed', ...Array.from({ length: 5_000 }, () => ['', 'x'])) }),
    ],
  ])('because of %s is kept, and waits for a person', async (_why, bytes) => {
    const row = await room.handIn(bytes());
    expect(row).toMatchObject({ state: 'held', reason: 'unreadable', needsResponse: true });
    expect(row.objectId).not.toBeNull();
  });
});

describe('copies', () => {
  it('that are handed in again are one mail', async () => {
    const bytes = mail({ messageId: 'same@example.org' });
    const copy = Buffer.from(bytes.toString().replace('Received: by', 'Received: from elsewhere by'));
    const [one, two] = await Promise.all([room.accept(bytes), room.accept(copy)]);
    expect(two).toEqual(one);
    await Promise.all([room.receive(one.id), room.receive(one.id)]);
    expect(await room.accept(bytes)).toEqual(one);
    expect(await room.rows()).toHaveLength(1);
    expect(await room.messages((await room.chats())[0]?.id ?? 0)).toHaveLength(1);
  });

  it('of a Message-ID with other content, or without proof, suppress nothing', async () => {
    const messageId = 'same@example.org';
    await room.handIn(mimeOf({ from: 'eve@example.com', to: inbox.address, messageId }));
    await room.handIn(forged({ messageId }));
    expect(await room.handIn(mail({ messageId }))).toMatchObject({ state: 'chat', reason: 'new_chat' });
    expect(await room.rows()).toHaveLength(3);
  });
});

describe('the activity', () => {
  it('has no effect twice', async () => {
    const { id } = await room.accept(mail());
    await room.receive(id);
    expect(await room.receive(id)).toEqual({ state: 'chat', reason: 'new_chat' });
    expect(await room.messages((await room.chats())[0]?.id ?? 0)).toHaveLength(1);
  });

  it('is tried again while the storage is away, and nothing of it counts', async () => {
    const { id } = await room.accept(mail());
    const away = { get: () => Promise.reject(new StorageBusy('timeout')) };
    await expect(room.receive(id, away)).rejects.toMatchObject({ type: 'storage_busy' });
    expect(await room.row(id)).toMatchObject({ state: 'received', attempts: 0 });
    expect(await room.receive(id)).toMatchObject({ state: 'chat' });
  });

  it('that ends between attachments leaves nothing, and is done once when it is tried again', async () => {
    const parts = [attachment('1.txt', 'One'), attachment('2.txt', 'Two')];
    const { id } = await room.accept(
      mail({ body: multipart('mixed', ['Content-Type: text/plain', '', 'Hello'], ...parts) }),
    );
    let puts = 0;
    const failing = {
      put: () => {
        puts += 1;
        return puts === 1 ? Promise.resolve() : Promise.reject(new StorageBusy('timeout'));
      },
    };
    await expect(room.receive(id, failing)).rejects.toMatchObject({ type: 'storage_busy' });
    expect(await room.chats()).toEqual([]);
    await room.receive(id);
    const [chat] = await room.chats();
    expect((await room.messages(chat?.id ?? 0))[0]?.files.map(({ status }) => status)).toEqual([
      'stored',
      'stored',
    ]);
  });

  it('ends with a person for a mail that fails each time', async () => {
    const { id } = await room.accept(mail());
    const broken = { receive: () => Promise.reject(new Error('poison')) };
    for (let count = 0; count < 3; count += 1)
      await expect(room.receive(id, broken)).rejects.toThrow('poison');
    expect(await room.receive(id, broken)).toEqual({ state: 'held', reason: 'unreadable' });
  });

  it('keeps a mail whose bytes are lost as one that cannot be read', async () => {
    const { id } = await room.accept(mail());
    await workspace.database.inWorkspace(workspace.workspaceId, (tx) =>
      tx('inbound_emails').where({ id }).update({ object_id: null }),
    );
    expect(await room.receive(id)).toEqual({ state: 'held', reason: 'unreadable' });
  });

  it('gives up a mail at which its reader has ended three times', async () => {
    const { id } = await room.accept(mail());
    await workspace.database.inWorkspace(workspace.workspaceId, (tx) =>
      tx('inbound_emails').where({ id }).update({ attempts: 3 }),
    );
    expect(await room.receive(id)).toEqual({ state: 'held', reason: 'unreadable' });
    expect((await room.row(id)).objectId).not.toBeNull();
  });
});
