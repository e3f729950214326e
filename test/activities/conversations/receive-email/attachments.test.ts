import { randomBytes, randomUUID } from 'node:crypto';
import { describe, expect, it, onTestFinished } from 'vitest';
import { insertMessage } from '../../../../db/conversations/messages.js';
import { removeDoomedObjects } from '../../../../db/files/collectable-objects.js';
import { countMailedBytes, countUsedBytes, doomPendingObject } from '../../../../db/files/stored-objects.js';
import { leftForPerson } from '../../../../domain/chat-state/left-for-person.js';
import { createAssistant } from '../../../../domain/conversations/assistants/create-assistant.js';
import { fileLimits } from '../../../../domain/files/limits.js';
import { reserveObject } from '../../../../domain/files/objects/reserve-object.js';
import { observeOccurrences } from '../../../../domain/kernel/occurrences.js';
import { StorageFull } from '../../../../domain/lib/errors.js';
import { createMember } from '../../../../domain/people/members/create-member.js';
import type { Mailroom } from '../../../support/emails/hand-in.js';
import { attachment, mimeOf, multipart, receivingServer } from '../../../support/emails/mime.js';
import { useMailroom } from '../../../support/emails/use-mailroom.js';
import { png } from '../../../support/files/samples.js';
import { days } from '../../../support/lib/moved-clock.js';
import { createWorkspace } from '../../../support/workspace/factories.js';
import { addInbox } from '../../../support/workspace/inboxes.js';

const { workspace, clock, inbox, room, roomOf, mail, forged, handIn, rows } = useMailroom();

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
    const row = await handIn({
      body: multipart('mixed', textPart, attachment('../../etc/pass\0wd.png', picture), inline),
    });
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
    const bytes = mail({ body: multipart('mixed', textPart, attachment('a.bin', 'x'.repeat(20_000))) });
    const full = roomOf(workspace, inbox, { bytesPerWorkspace: 40_000_000 });
    const used = (await rows('storage_usage', ['bytes']))[0]?.bytes ?? 0;
    const tight = roomOf(workspace, inbox, {
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
    const row = await handIn({ body: multipart('mixed', textPart, ...parts) });
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
    const { chatId } = await handIn();
    for (const text of ['First', 'Second']) {
      expect(await firstFiles(await handIn({ text, body }), room)).toEqual([
        { status: 'failed', reason: 'too_large' },
      ]);
    }
    await workspace.within((tx) =>
      insertMessage(tx, { chatId: Number(chatId), role: 'assistant', author: 'person', content: 'Hello' }),
    );
    expect(await firstFiles(await handIn({ text: 'Again', body }), room)).toMatchObject([
      { status: 'stored' },
    ]);
  });

  describe('of senders whom no colleague has answered', () => {
    async function stageNarrow() {
      const own = await createWorkspace(workspace.database);
      const ownInbox = await addInbox(own, { authservId: receivingServer });
      const narrow = roomOf(own, ownInbox, { bytesPerWorkspace: 1_000_000 });
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
      return { own, narrow, handIn, send };
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
      const { handIn, send, own } = await stageNarrow();
      const from = of('one.example');
      const { chatId } = await handIn(from);
      await own.within((tx) =>
        insertMessage(tx, { chatId, role: 'assistant', author: 'agent', content: 'Hello' }),
      );
      expect(await send(from, 60_000)).toBe(full);
      await own.within((tx) =>
        insertMessage(tx, { chatId, role: 'assistant', author: 'person', content: 'Hello' }),
      );
      expect(await send(from, 60_000)).toBe('stored');
      expect(await own.within(countMailedBytes)).toEqual({ all: 60_000, ofStrangers: 0 });
    });

    it('take no room of members, have a quarter at most, and too many small ones are bounded as well', async () => {
      const { own, send } = await stageNarrow();
      const known = of('known.example');
      await createMember(own.context(), { email: known, memberRoleId: own.roles.member.id });
      await send(of('one.example'), 10);
      await own.within((tx) => tx('storage_usage').update({ mail_bytes: 600_000, stranger_bytes: 250_000 }));
      expect(await send(known, 40_000)).toBe('stored');
      expect(await send(of('two.example'), 10)).toBe(full);
      await own.within((tx) => tx('storage_usage').update({ mail_bytes: 480_000, stranger_bytes: 0 }));
      expect(await send(known, 40_000)).toBe('emails_full');
      const { filesOfStrangers } = fileLimits as { filesOfStrangers: number };
      onTestFinished(() => {
        Object.assign(fileLimits, { filesOfStrangers });
      });
      Object.assign(fileLimits, { filesOfStrangers: 1 });
      expect(await send(of('two.example'), 10)).toBe(full);
    });

    it('that are not kept are reported, and a colleague is alerted once a day', async () => {
      const { own, handIn, narrow } = await stageNarrow();
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
          const left = await own.within((tx) => leftForPerson(tx, chat));
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
    const own = await createWorkspace(workspace.database);
    const context = own.context();
    const mailedDomain = randomBytes(32);
    const object = { bytes: 50, sha256: null, mimeType: 'text/plain', createdByMemberId: null, mailedDomain };
    const reserve = (mailedBy: 'member' | 'stranger' | null) =>
      reserveObject(context, own.workspaceId, { object: { ...object, mailedBy }, quota: 1_000 });
    const { id } = await reserve('stranger');
    await expect(reserve('stranger')).rejects.toThrow(StorageFull);
    await reserve('member');
    await reserve(null);
    const after = await own.within(async (tx) => {
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
