import { type ChatRow, lockChat, raiseChatVersion } from '../../../db/conversations/chats.js';
import {
  findMessage,
  type MessageFile,
  type MessageRow,
  patchMessage,
} from '../../../db/conversations/messages.js';
import { type FileRow, insertFile, type VersionContent } from '../../../db/files/files.js';
import { doomPendingObject } from '../../../db/files/stored-objects.js';
import type { Tx } from '../../../db/tx.js';
import { answeredForMs } from '../../chat-state/store-received.js';
import { asFileOfMessage, attachToMessage } from '../../files/attachments/attach-to-message.js';
import type { MediaFailure } from '../../files/attachments/limits.js';
import { beginIndexing } from '../../files/indexing/begin-indexing.js';
import { fileKinds } from '../../files/kinds/accepted-mime-types.js';
import { withSourceOfFile } from '../../files/kinds/file-source.js';
import { recognizeKind } from '../../files/kinds/recognize-kind.js';
import { fileLimits } from '../../files/limits.js';
import { objectKey, type SpooledBytes } from '../../files/object-store.js';
import type { FileStorage } from '../../files/objects/file-storage.js';
import { reserveObject } from '../../files/objects/reserve-object.js';
import { keepObject } from '../../files/versions/store-upload.js';
import { alertColleague } from '../../kernel/alert-colleague.js';
import type { ServiceContext } from '../../kernel/context.js';
import { fileEvent } from '../../kernel/events/file-events.js';
import { writeEvents } from '../../kernel/events/write-events.js';
import { pokeChatRun } from '../../kernel/runs.js';

export interface MediaRef {
  workspaceId: number;
  workspaceUuid: string;
  messageId: number;
}

export interface AwaitedMedia {
  carrierMessageId: string;
  /** Of the member who sent them. */
  memberId: number;
  awaitedSince: Date;
  /** Places among the files of the message. */
  places: number[];
  /** The carrier's ids of media that other places have. */
  knownIds: string[];
}

/** The media of a message that are still to be fetched; undefined if there are none. */
export async function findAwaitedMedia(
  context: ServiceContext,
  ref: MediaRef,
): Promise<AwaitedMedia | undefined> {
  const message = await context.db.readInWorkspace(ref.workspaceId, (tx) => findMessage(tx, ref.messageId));
  if (message === undefined || message.mediaAwaitedSince === null) return undefined;
  const { carrierMessageId, memberId, mediaAwaitedSince, files } = message;
  if (carrierMessageId === null || memberId === null) return undefined;
  const places = files.flatMap(({ status }, place) => (status === 'awaited' ? [place] : []));
  const knownIds = files.flatMap((file) => (file.status === 'awaited' ? [] : (file.mediaId ?? [])));
  return { carrierMessageId, memberId, awaitedSince: mediaAwaitedSince, places, knownIds };
}

export interface MediaFetched {
  stored: number;
  failed: number;
}

/** How many media of a message became files, and how many were given up. */
export async function countMedia(context: ServiceContext, ref: MediaRef): Promise<MediaFetched> {
  const message = await context.db.readInWorkspace(ref.workspaceId, (tx) => findMessage(tx, ref.messageId));
  const count = (wanted: string) => message?.files.filter(({ status }) => status === wanted).length ?? 0;
  return { stored: count('stored'), failed: count('failed') };
}

/** What the carrier has sent: received completely, and of the type that it says. */
export interface ReceivedMedia {
  spooled: SpooledBytes;
  mimeType: string;
  /** The carrier's id. */
  mediaId: string;
}

/**
 * Makes a file of received media, once for each place of a message: a second one is dropped. It is kept as what its
 * bytes are, whatever the carrier calls it. @throws Conflict `storage_full`, TooManyRequests, Unavailable
 */
export async function keepMedia(
  context: ServiceContext,
  { objects, bytesPerWorkspace }: FileStorage,
  ref: MediaRef,
  {
    place,
    memberId,
    received,
    storedNothing,
  }: {
    place: number;
    memberId: number;
    received: ReceivedMedia;
    /** Whether a failure of the storage says that there are no bytes. What was reserved for them is then free soon. */
    storedNothing: (error: unknown) => boolean;
  },
): Promise<void> {
  const { spooled } = received;
  const described = await describe(received, place);
  const object = await reserveObject(context, ref.workspaceId, {
    object: {
      bytes: spooled.bytes,
      sha256: Buffer.from(spooled.sha256, 'hex'),
      mimeType: described.mimeType,
      createdByMemberId: memberId,
    },
    quota: bytesPerWorkspace,
    // Strangers can send media, so that they have the bound of uploads of members.
    quotaOfMember: Math.floor(bytesPerWorkspace * fileLimits.shareOfMember),
  });
  const now = context.clock.now();
  const key = objectKey(ref.workspaceUuid, object.uuid);
  await objects.put(key, spooled, { mimeType: described.mimeType }).catch(async (error) => {
    if (storedNothing(error))
      await context.db.inWorkspace(ref.workspaceId, (tx) => doomPendingObject(tx, object.id, now));
    throw error;
  });
  await context.db.inWorkspace(ref.workspaceId, async (tx) => {
    const found = await lockAwaited(tx, ref.messageId, place);
    const { mediaId } = received;
    if (found === undefined || hasMedia(found.message, mediaId)) {
      await doomPendingObject(tx, object.id, now);
      return;
    }
    const content = { objectId: object.id, ...described };
    const file = await insertMedia(tx, found.chat, content, now);
    await attachToMessage(tx, found.chat, found.message, [file], null);
    await settle(tx, found, place, { ...asFileOfMessage(file), mediaId }, now);
  });
}

/** Says in the message why media were not fetched, and will not be. */
export async function giveUpMedia(
  context: ServiceContext,
  ref: MediaRef,
  { place, mediaId, reason }: { place: number; mediaId: string | undefined; reason: MediaFailure },
): Promise<void> {
  await context.db.inWorkspace(ref.workspaceId, async (tx) => {
    const found = await lockAwaited(tx, ref.messageId, place);
    if (found === undefined) return;
    await settle(
      tx,
      found,
      place,
      { status: 'failed', reason, ...(mediaId && { mediaId }) },
      context.clock.now(),
    );
  });
}

interface ChatAndMessage {
  chat: ChatRow;
  message: MessageRow;
}

/** Locks the chat of a message, and returns it with the message as it is then. */
async function lockChatOf(tx: Tx, messageId: number): Promise<ChatAndMessage | undefined> {
  const chatId = (await findMessage(tx, messageId))?.chatId;
  const chat = chatId === undefined ? undefined : await lockChat(tx, chatId);
  const message = chat && (await findMessage(tx, messageId));
  return chat && message && { chat, message };
}

/** Locks the chat, and returns it with the message if media at this place are still awaited. */
async function lockAwaited(tx: Tx, messageId: number, place: number): Promise<ChatAndMessage | undefined> {
  const found = await lockChatOf(tx, messageId);
  return found?.message.files[place]?.status === 'awaited' ? found : undefined;
}

/** Puts the outcome into the message. With the last one, the agent has something new to consider. */
async function settle(
  tx: Tx,
  { chat, message }: ChatAndMessage,
  place: number,
  file: MessageFile,
  now: Date,
): Promise<void> {
  const files = message.files.with(place, file);
  const isComplete = files.every(({ status }) => status !== 'awaited');
  await patchMessage(tx, message.id, { files, ...(isComplete ? { mediaAwaitedSince: null } : {}) });
  if (isComplete) await announce(tx, chat, message, now);
}

/** Lets the agent consider what has come so far, while the rest may take long. */
export async function announceMedia(context: ServiceContext, ref: MediaRef): Promise<void> {
  await context.db.inWorkspace(ref.workspaceId, async (tx) => {
    const found = await lockChatOf(tx, ref.messageId);
    if (found === undefined || found.message.mediaAwaitedSince === null) return;
    await announce(tx, found.chat, found.message, context.clock.now());
  });
}

/** Keywords such as STOP are not for the agent, and what was sent hours ago is for a person. */
async function announce(tx: Tx, chat: ChatRow, message: MessageRow, now: Date): Promise<void> {
  if (message.smsKeyword !== null) return;
  const sentAt = message.carrierReceivedAt ?? message.createdAt;
  if (now.getTime() - sentAt.getTime() > answeredForMs) await alertColleague(tx, chat, 'late_message', {});
  else await pokeChatRun(tx, await raiseChatVersion(tx, chat.id));
}

function hasMedia({ files }: MessageRow, mediaId: string): boolean {
  return files.some((file) => file.status !== 'awaited' && file.mediaId === mediaId);
}

/** Makes a file of received bytes that are in the storage: the evidence of the chat's member. */
export async function insertMedia(
  tx: Tx,
  chat: Pick<ChatRow, 'memberId'>,
  content: VersionContent,
  now: Date,
): Promise<FileRow> {
  await keepObject(tx, content, now);
  const values = {
    title: content.filename,
    description: null,
    folderId: null,
    ownerMemberId: chat.memberId,
    access: 'private',
    source: 'message',
    choicePrompt: null,
    externalId: null,
    lastEditedByMemberId: chat.memberId,
  } as const;
  const file = await insertFile(tx, values, content, now);
  await beginIndexing(tx, file.currentVersionId);
  await writeEvents(tx, [fileEvent('created', file)], now);
  return file;
}

/** Extensions for the name, which the carrier does not give. */
const extensions: Record<string, string> = {
  'image/png': '.png',
  'image/jpeg': '.jpg',
  'image/gif': '.gif',
  'image/webp': '.webp',
  'image/heic': '.heic',
  'application/pdf': '.pdf',
  'audio/mpeg': '.mp3',
  'audio/amr': '.amr',
  'video/mp4': '.mp4',
  'video/3gpp': '.3gp',
  'text/plain': '.txt',
  'text/vcard': '.vcf',
};

async function describe(
  { spooled, mimeType: said }: ReceivedMedia,
  place: number,
): Promise<Omit<VersionContent, 'objectId'>> {
  const recognized = await withSourceOfFile(spooled.path, (source) => recognizeKind(source, 'media'));
  const { mimeType, kind } = recognized ?? { mimeType: unrecognizedType(said), kind: 'other' as const };
  const filename = `media-${place + 1}${extensions[mimeType] ?? ''}`;
  return { filename, mimeType, kind, fileSize: spooled.bytes };
}

/** The type of bytes that are not recognised: a type whose bytes would have been is not theirs. */
export function unrecognizedType(said: string): string {
  return said in fileKinds || said === 'text/html' ? 'application/octet-stream' : said;
}
