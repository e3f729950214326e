import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Context, Middleware } from 'koa';
import type { ObjectStore, SpooledBytes } from '../../../domain/files/object-store.js';
import { TooManyRequests, Unavailable } from '../../../domain/lib/errors.js';
import { addressName } from '../address-name.js';
import type { Caller } from '../pipeline/caller.js';
import { releasing } from './release.js';

/** The upload that a route accepts as the part `file` of its body, or as its whole body. */
export interface FileDeclaration {
  /** A larger file is refused: before reading if Content-Length shows the size, otherwise while reading. */
  maxBytes: number;
  description: string;
  /** The file is to be kept: it is received into the spool folder of the storage, so that storing it is a rename. */
  kept?: boolean;
  /** The body is the file, of this type. */
  mediaType?: string;
}

/** An uploaded file. It exists until the request is answered or it is stored, and only this request may use it. */
export interface UploadedFile {
  path: string;
  bytes: number;
  /** Hexadecimal. */
  sha256: string;
  /** The sender's file name; null if there is none. Never use it as a path to write to. */
  name: string | null;
}

export const csvFile: FileDeclaration = {
  maxBytes: 10 * 1_048_576,
  description: 'CSV (UTF-8, with a header), 10 MB at most',
};

export const spoolPrefix = 'wes-upload-';

/** Limits of concurrent uploads, which use disk space: per process, per workspace or inbox, and per member or account. */
export const mostUploads = { ofProcess: 20, ofWorkspace: 4, ofVisitors: 2, ofCaller: 2 };
/**
 * Mails that are received before it is known whether their signature is right, of addresses that lately had none for the
 * inbox: of the process, beside other uploads, and of an address. One that comes more slowly than `bytesPerMs` is given up
 * after `patienceMs`, so that its place is free again.
 */
export const mostUnproved = { ofProcess: 8, ofAddress: 4, patienceMs: 30_000, bytesPerMs: 64 };
/** A mail without it is received before its sender is known. */
export const inboxSecretHeader = 'x-inbox-secret';

/** Where the upload of one request is received, not readable by other users. */
export interface Spool {
  /** Undefined for a file that is kept: the storage receives it. */
  temporaryFolder: string | undefined;
  holders: readonly Holder[];
  /** Of a stranger, which has to come quickly. */
  isUnproved: boolean;
  file: UploadedFile | undefined;
}

/** Whose uploads are counted together. */
interface Holder {
  name: string;
  most: number;
  isOf: string;
}

const spools = new WeakMap<Context, Spool>();
/** Uploads in progress: of the process, without unproved ones, and of each holder. */
let underWay = 0;
const underWayOf = new Map<string, number>();

/**
 * Begins the upload of a request. A temporary folder is created for a file that is not kept.
 * @throws TooManyRequests, Unavailable while too many other uploads are in progress
 */
export async function openSpool(ctx: Context, { kept }: FileDeclaration): Promise<Spool> {
  const isUnproved = isOfStranger(ctx);
  const holders = isUnproved ? unprovedHolders(ctx) : holdersOf(ctx);
  beginUpload(holders, isUnproved);
  try {
    const temporaryFolder = kept ? undefined : await mkdtemp(join(tmpdir(), spoolPrefix));
    const spool: Spool = { temporaryFolder, holders, isUnproved, file: undefined };
    spools.set(ctx, spool);
    return spool;
  } catch (error) {
    endUpload(holders, isUnproved);
    throw error;
  }
}

interface Spooling {
  bytes: AsyncIterable<Uint8Array>;
  name: string | null;
  storage: Pick<ObjectStore, 'receive'>;
  maxBytes: number;
}

/** Receives the file of a request, which then has it. @throws errors of the source, Unavailable */
export async function spoolBytes(spool: Spool, { bytes, name, storage, maxBytes }: Spooling): Promise<void> {
  const { temporaryFolder } = spool;
  const received =
    temporaryFolder === undefined
      ? await storage.receive(releasing(bytes), { maxBytes })
      : await receiveTemporarily(join(temporaryFolder, randomUUID()), bytes);
  spool.file = { ...received, name };
}

/** Its bytes are few, and need not survive a crash. */
async function receiveTemporarily(path: string, source: AsyncIterable<Uint8Array>): Promise<SpooledBytes> {
  const hash = createHash('sha256');
  let bytes = 0;
  async function* counted(chunks: AsyncIterable<Uint8Array>) {
    for await (const chunk of chunks) {
      bytes += chunk.byteLength;
      hash.update(chunk);
      yield chunk;
    }
  }
  await pipeline(source, counted, createWriteStream(path, { flags: 'wx', mode: 0o600 }));
  return { path, bytes, sha256: hash.digest('hex') };
}

/** Whether a mail has only a signature, of an address that lately had no right one for the inbox. */
function isOfStranger({ params, headers, state }: Context): boolean {
  const hasSecret = headers[inboxSecretHeader] !== undefined;
  return params.inbox_uuid !== undefined && !hasSecret && state.isKnownMailServer !== true;
}

/** Strangers must not use up the places of the inbox, nor of others. */
function unprovedHolders({ ip }: Context): Holder[] {
  const { ofProcess, ofAddress } = mostUnproved;
  const address = { name: `unproved:${addressName(ip)}`, most: ofAddress, isOf: 'An address' };
  return [address, { name: 'unproved', most: ofProcess, isOf: 'Mail with signatures' }];
}

function holdersOf({ params, state }: Context): Holder[] {
  const { ofWorkspace, ofVisitors, ofCaller } = mostUploads;
  const inboxUuid: string | undefined = params.inbox_uuid;
  if (inboxUuid !== undefined) {
    return [{ name: `inbox:${inboxUuid.toLowerCase()}`, most: ofWorkspace, isOf: 'An inbox' }];
  }
  const caller: Caller | undefined = state.caller;
  if (caller?.credential.kind === 'visitor_token') {
    // Strangers must not use up the places of the team.
    const visitors = { name: `visitors:${params.workspace_uuid}`, most: ofVisitors, isOf: 'All visitors' };
    return [{ name: caller.owner, most: 1, isOf: 'A visitor' }, visitors];
  }
  const workspace = { name: `workspace:${params.workspace_uuid}`, most: ofWorkspace, isOf: 'A workspace' };
  return caller === undefined
    ? [workspace]
    : [{ name: caller.owner, most: ofCaller, isOf: 'A member' }, workspace];
}

function beginUpload(holders: readonly Holder[], isUnproved: boolean): void {
  for (const { name, most, isOf } of holders) {
    if ((underWayOf.get(name) ?? 0) < most) continue;
    throw new TooManyRequests(`${isOf} has at most ${most} uploads in progress.`, 5, 'too_many_uploads');
  }
  if (!isUnproved && underWay >= mostUploads.ofProcess) {
    throw new Unavailable('Too many uploads are in progress.', 5, 'too_many_uploads');
  }
  if (!isUnproved) underWay += 1;
  for (const { name } of holders) underWayOf.set(name, (underWayOf.get(name) ?? 0) + 1);
}

function endUpload(holders: readonly Holder[], isUnproved: boolean): void {
  if (!isUnproved) underWay -= 1;
  for (const { name } of holders) {
    const left = (underWayOf.get(name) ?? 0) - 1;
    if (left > 0) underWayOf.set(name, left);
    else underWayOf.delete(name);
  }
}

export function uploadedFile(ctx: Context): UploadedFile | undefined {
  return spools.get(ctx)?.file;
}

/** Serves the request, and deletes what it received in any case, unless it was stored. */
export function removingSpool(serve: (ctx: Context) => Promise<void>): Middleware {
  return async (ctx) => {
    try {
      await serve(ctx);
    } finally {
      const spool = spools.get(ctx);
      if (spool !== undefined) {
        const received = spool.temporaryFolder ?? spool.file?.path;
        try {
          if (received !== undefined) await rm(received, { recursive: true, force: true });
        } finally {
          endUpload(spool.holders, spool.isUnproved);
        }
      }
    }
  };
}
