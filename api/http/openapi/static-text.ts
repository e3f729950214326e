import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Context } from 'koa';

/** A text that never changes while the process runs. */
export interface StaticText {
  type: string;
  content: string;
  headers?: Record<string, string>;
}

/** The smallest first. */
const encodings = ['br', 'gzip'] as const;
type Encoding = (typeof encodings)[number] | 'identity';

const compress = {
  br: (content: Buffer) =>
    promisify(brotliCompress)(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
  gzip: promisify(gzip),
  identity: async (content: Buffer) => content,
};

/** Answers with the text. It is compressed once per encoding, in the thread pool, when it is first asked for. */
export function answerText({ type, content, headers = {} }: StaticText): (ctx: Context) => Promise<void> {
  const bytes = Buffer.from(content);
  const digest = createHash('sha256').update(bytes).digest('base64url');
  const compressed = new Map<Encoding, Promise<Buffer>>();
  return async (ctx) => {
    // Browsers name gzip first, and take the smaller form as well.
    const encoding = encodings.find((one) => ctx.acceptsEncodings(one) === one) ?? 'identity';
    // Strong ETags differ where the bytes do (RFC 9110, section 8.8.3).
    const etag = encoding === 'identity' ? `"${digest}"` : `"${digest}-${encoding}"`;
    ctx.set({ 'Cache-Control': 'public, max-age=300', ETag: etag, Vary: 'Accept-Encoding', ...headers });
    if (ctx.get('If-None-Match').includes(etag)) {
      ctx.status = 304;
      return;
    }
    const body = compressed.get(encoding) ?? compress[encoding](bytes);
    compressed.set(encoding, body);
    ctx.status = 200;
    ctx.type = type;
    if (encoding !== 'identity') ctx.set('Content-Encoding', encoding);
    ctx.body = await body;
  };
}
