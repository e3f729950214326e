import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Context, Middleware } from 'koa';
import { TooManyRequests, Unavailable } from '../../../domain/lib/errors.js';

/** The upload that a route accepts as the part `file` of its body. */
export interface FileDeclaration {
  /** A larger file is refused: before reading if Content-Length shows the size, otherwise while reading. */
  maxBytes: number;
  description: string;
}

/** An uploaded file. It exists until the request is answered, and only this request may use it. */
export interface UploadedFile {
  path: string;
  bytes: number;
  /** The sender's file name; null if there is none. Never use it as a path to write to. */
  name: string | null;
}

export const csvFile: FileDeclaration = {
  maxBytes: 10 * 1_048_576,
  description: 'CSV (UTF-8, with a header), 10 MB at most',
};

export const spoolPrefix = 'wes-upload-';

/** Limits of concurrent uploads, which use disk space: per process, and per workspace. */
export const mostUploads = { ofProcess: 20, ofWorkspace: 4 };

/** A temporary folder for the upload of one request, not readable by other users. */
export interface Spool {
  folder: string;
  workspace: string;
  file: UploadedFile | undefined;
}

const spools = new WeakMap<Context, Spool>();
/** Uploads in progress, by workspace. */
const underWay = new Map<string, number>();

/** Creates the request's folder. @throws TooManyRequests, Unavailable while too many other uploads are in progress */
export async function openSpool(ctx: Context): Promise<Spool> {
  const workspace = String(ctx.params.workspace_uuid ?? '');
  beginUpload(workspace);
  try {
    const spool: Spool = { folder: await mkdtemp(join(tmpdir(), spoolPrefix)), workspace, file: undefined };
    spools.set(ctx, spool);
    return spool;
  } catch (error) {
    endUpload(workspace);
    throw error;
  }
}

function beginUpload(workspace: string): void {
  const ofWorkspace = underWay.get(workspace) ?? 0;
  const ofProcess = [...underWay.values()].reduce((total, count) => total + count, 0);
  if (ofWorkspace >= mostUploads.ofWorkspace) {
    const message = `A workspace has at most ${mostUploads.ofWorkspace} uploads under way.`;
    throw new TooManyRequests(message, 5, 'too_many_uploads');
  }
  if (ofProcess >= mostUploads.ofProcess) {
    throw new Unavailable('Too many uploads are in progress.', 5, 'too_many_uploads');
  }
  underWay.set(workspace, ofWorkspace + 1);
}

function endUpload(workspace: string): void {
  const left = (underWay.get(workspace) ?? 0) - 1;
  if (left > 0) underWay.set(workspace, left);
  else underWay.delete(workspace);
}

export function uploadedFile(ctx: Context): UploadedFile | undefined {
  return spools.get(ctx)?.file;
}

/** Serves the request, and deletes its folder in any case. */
export function removingSpool(serve: (ctx: Context) => Promise<void>): Middleware {
  return async (ctx) => {
    try {
      await serve(ctx);
    } finally {
      const spool = spools.get(ctx);
      if (spool !== undefined) {
        try {
          // A file that is still being opened may appear while the folder is being emptied; the retries delete it.
          await rm(spool.folder, { recursive: true, force: true, maxRetries: 5 });
        } finally {
          endUpload(spool.workspace);
        }
      }
    }
  };
}
