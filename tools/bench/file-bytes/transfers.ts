import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { get, type IncomingMessage, request } from 'node:http';

export const megabytes = 50;
const bytes = megabytes * 1_048_576 - 1_024;

/** A film of the largest size, less the rest of a form. */
export function film(): Buffer {
  const content = randomBytes(bytes);
  Buffer.from('\0\0\0\x18ftypisom\0\0\x02\0isommp41', 'latin1').copy(content);
  return content;
}

export interface Target {
  url: string;
  headers?: Record<string, string>;
}

/** Reads all bytes and forgets them. @returns megabytes per second */
export async function download({ url, headers = {} }: Target): Promise<number> {
  const startedAt = performance.now();
  const [answer] = (await once(get(url, { headers }), 'response')) as [IncomingMessage];
  let received = 0;
  for await (const chunk of answer) received += chunk.length;
  if (answer.statusCode !== 200 || received !== bytes) throw new Error(`download: ${answer.statusCode}`);
  return rate(startedAt);
}

/** @returns megabytes per second */
export async function upload({ url, headers = {} }: Target, body: Uint8Array): Promise<number> {
  const startedAt = performance.now();
  const sending = request(url, { method: 'POST', headers: { ...headers, 'Content-Length': body.length } });
  sending.end(body);
  const [answer] = (await once(sending, 'response')) as [IncomingMessage];
  answer.resume();
  await once(answer, 'end');
  if (answer.statusCode !== 201) throw new Error(`upload: ${answer.statusCode}`);
  return rate(startedAt);
}

const rate = (startedAt: number): number => megabytes / ((performance.now() - startedAt) / 1_000);

/** The film as a form, with the header that describes it. */
export async function formOf(content: Buffer): Promise<{ body: Buffer; type: string }> {
  const form = new FormData();
  form.append('file', new Blob([content as Buffer<ArrayBuffer>]), 'film.mp4');
  const sent = new Response(form);
  return { body: Buffer.from(await sent.arrayBuffer()), type: String(sent.headers.get('content-type')) };
}
