import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Context, Middleware } from 'koa';
import type { UploadedFile } from './uploaded-file.js';

export const spoolPrefix = 'wes-upload-';

/** A request's own folder for what is uploaded with it, which others cannot look into. */
export interface Spool {
  folder: string;
  file: UploadedFile | undefined;
}

const spools = new WeakMap<Context, Spool>();

/** Makes the request's folder. `removingSpool` takes it away. */
export async function openSpool(ctx: Context): Promise<Spool> {
  const spool: Spool = { folder: await mkdtemp(join(tmpdir(), spoolPrefix)), file: undefined };
  spools.set(ctx, spool);
  return spool;
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
      // A file that is still being opened may appear while its folder is emptied: then it is emptied again.
      if (spool !== undefined) await rm(spool.folder, { recursive: true, force: true, maxRetries: 5 });
    }
  };
}
