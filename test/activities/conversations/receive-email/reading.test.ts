import { describe, expect, it } from 'vitest';
import { patchInbox } from '../../../../db/channels/inboxes.js';
import { maxStartedADay } from '../../../../domain/conversations/emails/decide-mail.js';
import { StorageBusy } from '../../../../providers/storage/storage.js';
import { attachment, mimeOf, multipart } from '../../../support/emails/mime.js';
import { useMailroom } from '../../../support/emails/use-mailroom.js';
import { days, hours } from '../../../support/lib/moved-clock.js';

const { workspace, clock, inbox, room, mail, forged, handIn, stageThread } = useMailroom();

describe('quoted text', () => {
  it('is kept apart from what the sender has written', async () => {
    const { replyAddress, chatId } = await stageThread();
    const text = `On Friday.\r\n\r\nOn Mon, Nov 2, 2026 at 9:00 AM Desk <${inbox.address}> wrote:\r\n> Can I come on Friday?\r\n`;
    await handIn({ to: replyAddress, text });
    expect((await room.messages(chatId)).at(-1)).toMatchObject({
      content: 'On Friday.',
      originalContent: expect.stringContaining('> Can I come on Friday?'),
    });
  });

  it('of a mail that has HTML only is parted as well', async () => {
    const html =
      '<p>On <b>Friday</b>.</p><blockquote>Can I come on Friday?</blockquote><script>alert(1)</script><img src="cid:x">';
    const { replyAddress, chatId } = await stageThread();
    await handIn({ to: replyAddress, body: ['Content-Type: text/html; charset=utf-8', '', html] });
    expect((await room.messages(chatId)).at(-1)).toMatchObject({
      content: 'On Friday.',
      originalContent: 'On Friday.\n\n> Can I come on Friday?',
    });
  });

  it('does not hide a mail of 5,000 nested elements', async () => {
    const html = `${'<div>'.repeat(5_000)}Hello${'</div>'.repeat(5_000)}`;
    const row = await handIn({ body: ['Content-Type: text/html', '', html] });
    expect(row).toMatchObject({ state: 'chat' });
  });
});

describe('bounds', () => {
  it('on the chats that one sender begins in a day hold what comes beyond', async () => {
    for (let count = 0; count < maxStartedADay.ofSender; count += 1) {
      expect(await handIn({ text: `Matter ${count}` })).toMatchObject({ reason: 'new_chat' });
      clock.advance(hours(1));
    }
    expect(await handIn()).toMatchObject({ state: 'held', reason: 'daily_cap' });
    clock.advance(days(1));
    expect(await handIn()).toMatchObject({ reason: 'new_chat' });
  });

  it('of an inbox that is switched off leave all to a person', async () => {
    await workspace.within((tx) => patchInbox(tx, inbox.id, { enabled: false, updatedAt: new Date() }));
    expect(await handIn()).toMatchObject({ state: 'held', reason: 'inbox_disabled' });
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
    expect(await handIn({ messageId })).toMatchObject({ state: 'chat', reason: 'new_chat' });
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
    await workspace.within((tx) => tx('inbound_emails').where({ id }).update({ object_id: null }));
    expect(await room.receive(id)).toEqual({ state: 'held', reason: 'unreadable' });
  });

  it('gives up a mail at which its reader has ended three times', async () => {
    const { id } = await room.accept(mail());
    await workspace.within((tx) => tx('inbound_emails').where({ id }).update({ attempts: 3 }));
    expect(await room.receive(id)).toEqual({ state: 'held', reason: 'unreadable' });
    expect((await room.row(id)).objectId).not.toBeNull();
  });
});
