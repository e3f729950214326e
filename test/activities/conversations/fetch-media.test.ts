import { randomUUID } from 'node:crypto';
import { MockActivityEnvironment } from '@temporalio/testing';
import { pino } from 'pino';
import { describe, expect, it, onTestFinished } from 'vitest';
import { mediaActivities } from '../../../activities/conversations/fetch-media.js';
import { findMessage, type MessageFile, patchMessage } from '../../../db/conversations/messages.js';
import { countUsedBytes } from '../../../db/files/stored-objects.js';
import { takeUserMessage } from '../../../domain/conversations/chats/take-message.js';
import { awaitingMedia } from '../../../domain/conversations/media/await-media.js';
import { awaitedMedia } from '../../../domain/conversations/media/reconcile-media.js';
import { mediaLimits } from '../../../domain/files/attachments/limits.js';
import {
  type Carrier,
  CarrierBusy,
  CarrierRefused,
  CarrierUnusable,
  MediaMissing,
} from '../../../providers/carrier/carrier.js';
import {
  type Storage,
  StorageBusy,
  StorageOutcomeUnknown,
  StorageRefused,
  StorageUnusable,
} from '../../../providers/storage/storage.js';
import { stageFreeChat } from '../../support/chats/free-chat.js';
import { png } from '../../support/files/samples.js';
import { minutes } from '../../support/lib/moved-clock.js';
import { scratchStorage } from '../../support/storage/scratch-storage.js';
import { createWorkspace } from '../../support/workspace/factories.js';
import { useWorkspace } from '../../support/workspace/use-workspace.js';

const suite = useWorkspace();
const logger = pino({ level: 'silent' });

type Listed = Record<string, Buffer | Error>;

/** A chat with a message whose media are awaited, and the activity, with a carrier that has what it is told. */
async function stage(count = 1, { bytesPerWorkspace = 1_073_741_824 } = {}) {
  const workspace = await createWorkspace(suite.workspace.database);
  const { database: db, workspaceId, workspaceUuid } = workspace;
  const chat = await stageFreeChat(workspace, { channel: 'phone-sms' });
  const { storage, remove } = scratchStorage();
  onTestFinished(remove);
  const { id: messageId, uuid } = await db.inWorkspace(workspaceId, async (tx) => {
    const media = awaitingMedia(count, chat.clock.now());
    const sent = {
      content: '',
      carrierMessageId: `MM${randomUUID()}`,
      authorMemberId: workspace.member.memberId,
    };
    return takeUserMessage(tx, await chat.chat(), { ...sent, media }, chat.clock.now());
  });
  const ref = { workspaceId, workspaceUuid, messageId };
  const run = (listed: Listed | Error, over: Partial<Storage> = {}) => {
    const carrier = {
      listMedia: async () => {
        if (listed instanceof Error) throw listed;
        return Object.keys(listed);
      },
      fetchMedia: async ({ mediaId }: { mediaId: string }) => {
        const bytes = (listed as Listed)[mediaId];
        if (bytes instanceof Error) throw bytes;
        return { mimeType: 'image/png', bytes: inPieces(bytes as Buffer) };
      },
    } as unknown as Carrier;
    const failing = {
      put: storage.put.bind(storage),
      receive: storage.receive.bind(storage),
      ...over,
    } as Storage;
    const { fetchMedia } = mediaActivities({
      db,
      clock: chat.clock,
      logger,
      carrier,
      storage: failing,
      bytesPerWorkspace,
    });
    return new MockActivityEnvironment().run(fetchMedia, ref);
  };
  const message = async () => {
    const found = await db.readInWorkspace(workspaceId, (tx) => findMessage(tx, messageId));
    if (found === undefined) throw new Error('the message is gone');
    return found;
  };
  const rows = (table: string, columns: string[] = ['id']): Promise<Record<string, unknown>[]> =>
    db.readInWorkspace(workspaceId, (tx) => tx(table).select(columns).orderBy('id'));
  const statuses = async () =>
    (await message()).files.map((file) => ('reason' in file ? file.reason : file.status));
  return { workspace, chat, ref, uuid, storage, run, message, rows, statuses };
}

async function* inPieces(bytes: Buffer) {
  yield bytes.subarray(0, 5);
  yield bytes.subarray(5);
}

describe('fetchMedia', () => {
  it('makes files of the sender’s, attaches them, and wakes the agent once', async () => {
    const { workspace, chat, run, message, rows } = await stage(2);
    const { version } = await chat.chat();

    expect(await run({ ME1: png(), ME2: Buffer.from('%PDF-1.4\n%%EOF') })).toEqual({ stored: 2, failed: 0 });

    expect(await message()).toMatchObject({
      mediaAwaitedSince: null,
      files: [
        { status: 'stored', filename: 'media-1.png', mimeType: 'image/png', fileSize: png().length },
        { status: 'stored', filename: expect.stringMatching(/^media-2/), mediaId: 'ME2' },
      ],
    });
    const { memberId } = workspace.member;
    expect(await rows('files', ['owner_member_id', 'source', 'access'])).toEqual([
      { owner_member_id: memberId, source: 'message', access: 'private' },
      { owner_member_id: memberId, source: 'message', access: 'private' },
    ]);
    expect(await rows('file_attachments', ['member_id', 'chat_id', 'message_id'])).toHaveLength(2);
    expect((await chat.chat()).version).toBe(version + 1);
    expect(await run({ ME1: png(), ME2: png() })).toEqual({ stored: 2, failed: 0 });
    expect(await rows('files')).toHaveLength(2);
  });

  it.each([
    ['a program that is called an image', 'MZ\u0000\u0001\u0002', 'application/octet-stream'],
    ['a page that is called an image', '<html><script>alert(1)</script></html>', 'application/octet-stream'],
    ['a text that is called an image', 'Take two in the morning.', 'text/plain'],
  ])('keeps %s as what it is', async (_, content, mimeType) => {
    const { run, rows } = await stage();
    await run({ ME1: Buffer.from(content) });
    expect(await rows('files', ['mime_type'])).toEqual([{ mime_type: mimeType }]);
  });

  it('stores each of the media once, however the carrier orders them later', async () => {
    const { run, message, statuses } = await stage(2);
    await expect(run({ ME1: png() })).rejects.toThrow('busy');
    expect(await statuses()).toEqual(['stored', 'awaited']);

    await run({ ME2: Buffer.from('second'), ME1: png() });

    const ids = (await message()).files.map((file: MessageFile) => ('mediaId' in file ? file.mediaId : ''));
    expect(ids).toEqual(['ME1', 'ME2']);
  });

  it('stores them once for two workers that fetch at once, and dooms the rest', async () => {
    const { run, rows, workspace } = await stage();

    await Promise.all([run({ ME1: png() }), run({ ME1: png() })]);

    expect(await rows('files')).toHaveLength(1);
    const states = (await rows('stored_objects', ['state'])).map(({ state }) => state).sort();
    expect(states.filter((state) => state === 'stored')).toHaveLength(1);
    expect(states).not.toContain('pending');
    const used = await workspace.within(countUsedBytes);
    expect(used).toBe(states.length * png().length);
  });

  it('does not let media that fail hold up the others, and shows the agent what has come', async () => {
    const { chat, run, statuses } = await stage(3);
    const { version } = await chat.chat();

    const listed = {
      ME1: new CarrierBusy('http_503'),
      ME2: png(),
      ME3: new CarrierRefused('address_refused', 0),
    };
    await expect(run(listed)).rejects.toThrow('the carrier is busy');

    expect(await statuses()).toEqual(['awaited', 'stored', 'refused']);
    expect((await chat.chat()).version).toBe(version + 1);
  });

  it.each([
    ['the carrier has not got them yet', new MediaMissing(), mediaLimits.missingMs, 'gone'],
    ['the account cannot be used', new CarrierUnusable('20003'), mediaLimits.insistMs, 'unavailable'],
    ['the carrier is busy', new CarrierBusy('http_503'), mediaLimits.insistMs, 'unavailable'],
  ])('waits while %s, and then gives up, visibly', async (_, error, maxMs, reason) => {
    const { chat, run, statuses } = await stage();
    await expect(run(error)).rejects.toThrow();
    chat.clock.advance(maxMs - 1);
    await expect(run(error)).rejects.toThrow();
    expect(await statuses()).toEqual(['awaited']);

    chat.clock.advance(2);

    expect(await run(error)).toEqual({ stored: 0, failed: 1 });
    expect(await statuses()).toEqual([reason]);
  });

  it.each([
    ['too large', Buffer.alloc(mediaLimits.bytes + 1), 'too_large'],
    ['empty', Buffer.alloc(0), 'empty'],
    ['at an address that is refused', new CarrierRefused('address_refused', 0), 'refused'],
  ])('gives up media that are %s at once, and leaves no bytes', async (_, media, reason) => {
    const { run, statuses, rows } = await stage();
    await run({ ME1: media });
    expect(await statuses()).toEqual([reason]);
    expect(await rows('stored_objects')).toEqual([]);
  });

  it('gives up what is more than a member may use, and says so', async () => {
    const { run, statuses } = await stage(1, { bytesPerWorkspace: png().length * 5 });
    await run({ ME1: png() });
    expect(await statuses()).toEqual(['storage_full']);
  });

  it.each([
    ['is busy', new StorageBusy('timeout')],
    ['cannot be used', new StorageUnusable('denied')],
    ['refuses them', new StorageRefused('http_400')],
  ])('waits while the storage %s, and stores them then', async (_, error) => {
    const { run, statuses, rows } = await stage();

    await expect(run({ ME1: png() }, { put: () => Promise.reject(error) })).rejects.toThrow();

    expect([await statuses(), await rows('files')]).toEqual([['awaited'], []]);
    await run({ ME1: png() });
    expect(await statuses()).toEqual(['stored']);
    expect((await rows('stored_objects', ['state'])).map(({ state }) => state)).toEqual(['doomed', 'stored']);
  });

  it('leaves what may have been stored to the collector of pending objects', async () => {
    const { run, rows } = await stage();
    const put = () => Promise.reject(new StorageOutcomeUnknown('timeout'));
    await expect(run({ ME1: png() }, { put })).rejects.toThrow();
    expect((await rows('stored_objects', ['state'])).map(({ state }) => state)).toEqual(['pending']);
  });

  it('stores nothing for a message that was erased meanwhile', async () => {
    const { workspace, ref, storage, run, rows, message } = await stage();
    const erasing: Storage['put'] = async (key, spooled) => {
      await storage.put(key, spooled);
      await workspace.database.inWorkspace(ref.workspaceId, (tx) =>
        patchMessage(tx, ref.messageId, { files: [], mediaAwaitedSince: null }),
      );
    };

    expect(await run({ ME1: png() }, { put: erasing })).toEqual({ stored: 0, failed: 0 });

    expect(await rows('files')).toEqual([]);
    expect((await message()).files).toEqual([]);
    expect(await rows('stored_objects', ['state'])).toEqual([{ state: 'doomed' }]);
  });

  it('alerts a colleague where media come hours after the message', async () => {
    const { chat, run } = await stage();
    await chat.update({ assistantEnabled: true });
    chat.clock.advance(minutes(5 * 60));
    await run({ ME1: png() });
    expect(await chat.chat()).toMatchObject({ needsResponse: true, needsResponseReason: 'late_message' });
  });

  it('is started again by the reconciler while media are awaited, unless it is about to begin', async () => {
    const { workspace, ref, uuid, run } = await stage();
    const context = workspace.context();
    const page = () => awaitedMedia.page(context, ref.workspaceId);
    const awaiting = { workspaceId: ref.workspaceId, id: ref.messageId, uuid };
    expect((await page()).items).toEqual([awaiting]);

    await awaitedMedia.repair(context, awaiting, 'missing');

    expect((await page()).items).toEqual([]);
    await run({ ME1: png() });
    await awaitedMedia.repair(context, awaiting, 'missing');
    const started = await workspace.database.inWorkspace(ref.workspaceId, (tx) =>
      tx('outbox').where({ run_type: 'fetchMedia', subject: uuid }),
    );
    expect(started).toHaveLength(1);
  });
});
