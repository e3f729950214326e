import type { IncomingMessage } from 'node:http';
import { HttpProblem } from '../problems/http-problem.js';

/** Enough for an empty object with some white space. */
const longestEmptyBody = 1_024;
const emptyBody = /^\s*(?:\{\s*\})?\s*$/;

/**
 * Refuses a body where the operation takes none, so that its fields are never silently ignored. An empty object, which
 * some clients always send, counts as no body.
 *
 * @throws HttpProblem 400 `unexpected_body`
 */
export async function refuseBody(request: IncomingMessage): Promise<void> {
  const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
  if (encoding === undefined && (length === undefined || Number(length) === 0)) return;
  const text = await readShortText(request);
  if (text !== undefined && emptyBody.test(text)) return;
  // Discards the rest of the body, so that the connection can be used again.
  request.resume();
  throw new HttpProblem(400, 'unexpected_body', 'This operation takes no body.');
}

/** Reads the whole body; undefined if it is longer than an empty body can be, or incomplete. */
function readShortText(request: IncomingMessage): Promise<string | undefined> {
  return new Promise((resolve) => {
    let bytes = Buffer.alloc(0);
    const finish = (text: string | undefined) => {
      request.off('data', take).off('end', end).off('close', breakOff);
      resolve(text);
    };
    const take = (chunk: Buffer) => {
      bytes = Buffer.concat([bytes, chunk]);
      if (bytes.length > longestEmptyBody) finish(undefined);
    };
    const end = () => finish(bytes.toString('latin1'));
    const breakOff = () => finish(undefined);
    request.on('data', take).on('end', end).on('close', breakOff).on('error', breakOff);
  });
}
