import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Context, Middleware } from 'koa';
import type { ObjectStore, SpooledBytes } from '../../../domain/files/object-store.js';
import { admissionTerms } from '../../../domain/kernel/admissions.js';
import { Admission } from '../../../domain/lib/admission.js';
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

/** An unproved mail that comes more slowly is given up after `patienceMs`, so that its place is free again. */
export const slowestUnproved = { patienceMs: 30_000, bytesPerMs: 64 };
/** A mail without it is received before its sender is known. */
export const inboxSecretHeader = 'x-inbox-secret';

/** Where the upload of one request is received, not readable by other users. */
export interface Spool {
  /** Undefined for a file that is kept: the storage receives it. */
  temporaryFolder: string | undefined;
  /** Ends the upload: another may begin in its place. */
  leave: () => void;
  /** Of a stranger, which has to come quickly. */
  isUnproved: boolean;
  file: UploadedFile | undefined;
}

const spools = new WeakMap<Context, Spool>();
const uploads = new Admission(admissionTerms.uploads);
const unprovedMails = new Admission(admissionTerms.unprovedMails);

/**
 * Begins the upload of a request. A temporary folder is created for a file that is not kept.
 * @throws TooManyRequests, Unavailable while too many other uploads are in progress
 */
export async function openSpool(ctx: Context, { kept }: FileDeclaration): Promise<Spool> {
  const isUnproved = isOfStranger(ctx);
  const leave = isUnproved
    ? unprovedMails.admit({ address: addressName(ctx.ip) })
    : uploads.admit(uploadersOf(ctx));
  try {
    const temporaryFolder = kept ? undefined : await mkdtemp(join(tmpdir(), spoolPrefix));
    const spool: Spool = { temporaryFolder, leave, isUnproved, file: undefined };
    spools.set(ctx, spool);
    return spool;
  } catch (error) {
    leave();
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

function uploadersOf({ params, state }: Context) {
  const inbox: string | undefined = params.inbox_uuid;
  if (inbox !== undefined) return { inbox: inbox.toLowerCase() };
  // Outside of workspaces, all count together.
  const workspace: string = params.workspace_uuid ?? 'none';
  const caller: Caller | undefined = state.caller;
  if (caller?.credential.kind === 'visitor_token') return { visitor: caller.owner, visitors: workspace };
  return { member: caller?.owner, workspace };
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
          spool.leave();
        }
      }
    }
  };
}
