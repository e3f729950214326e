import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Context, Middleware } from 'koa';
import { TooManyRequests, Unavailable } from '../../../domain/lib/errors.js';
import type { UploadedFile } from './uploaded-file.js';

export const spoolPrefix = 'wes-upload-';

/** Uploads at once, which take room on the disk: of a process, and of those of one workspace. */
export const mostUploads = { ofProcess: 20, ofWorkspace: 4 };

/** A request's own folder for what is uploaded with it, which others cannot look into. */
export interface Spool {
  folder: string;
  workspace: string;
  file: UploadedFile | undefined;
}

const spools = new WeakMap<Context, Spool>();
/** Uploads under way, by workspace. */
const underWay = new Map<string, number>();

/**
 * Makes the request's folder. `removingSpool` takes it away.
 *
 * @throws TooManyRequests, Unavailable while too many others are under way
 */
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
    throw new Unavailable('Too many uploads are under way.', 5, 'too_many_uploads');
  }
  underWay.set(workspace, ofWorkspace + 1);
}

function endUpload(workspace: string): void {
  const left = (underWay.get(workspace) ?? 0) - 1;
  if (left > 0) underWay.set(workspace, left);
  else underWay.delete(workspace);
}

/** The file that came with the request, once its body was read. */
export function uploadedFile(ctx: Context): UploadedFile | undefined {
  return spools.get(ctx)?.file;
}

/** Serves, and takes away what was spooled for it, whatever came of it. */
export function removingSpool(serve: (ctx: Context) => Promise<void>): Middleware {
  return async (ctx) => {
    try {
      await serve(ctx);
    } finally {
      const spool = spools.get(ctx);
      if (spool !== undefined) {
        try {
          // A file that is still being opened may appear while its folder is emptied: then it is emptied again.
          await rm(spool.folder, { recursive: true, force: true, maxRetries: 5 });
        } finally {
          endUpload(spool.workspace);
        }
      }
    }
  };
}
