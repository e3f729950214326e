import type { ServerResponse } from 'node:http';
import type { Context } from 'koa';

/** The reader has disconnected: there is nothing to answer. */
export function readerGone(ctx: Context): void {
  ctx.respond = false;
  ctx.status = 200;
  ctx.state.problemCode = 'client_gone';
}

/** Resolves once the reader has taken what was written, has disconnected, or was disconnected after `patienceMs`. */
export function taken(res: ServerResponse, event: 'drain' | 'finish', patienceMs: number): Promise<void> {
  return new Promise((resolve) => {
    const impatience = setTimeout(() => res.destroy(), patienceMs);
    const done = () => {
      clearTimeout(impatience);
      res.off(event, done).off('close', done);
      resolve();
    };
    res.once(event, done).once('close', done);
    if (res.destroyed) done();
  });
}

/**
 * Writes a piece whose memory is used again afterwards. Resolves once the connection has taken it, the reader has
 * disconnected, or was disconnected after `patienceMs`.
 */
export function given(res: ServerResponse, piece: Uint8Array, patienceMs: number): Promise<void> {
  return new Promise((resolve) => {
    const impatience = setTimeout(() => res.destroy(), patienceMs);
    const done = () => {
      clearTimeout(impatience);
      res.off('close', done);
      resolve();
    };
    res.once('close', done);
    res.write(piece, done);
  });
}
