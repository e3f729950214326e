import type { Context } from 'koa';
import { expectedTags, isKnown } from '../pipeline/conditional.js';
import { HttpProblem } from '../problem.js';
import { type ByteRange, readRange } from './byte-range.js';
import { fileTag } from './file-headers.js';
import type { ServedFile } from './served-file.js';

/** Which bytes of a file a request asks for; undefined: all. */
export type Part = ByteRange | undefined;

/**
 * Evaluates the preconditions and the range of a request for a file, in the order of RFC 9110, section 13.2.2.
 * @throws HttpProblem 400 `malformed_if_match`, 412 `precondition_failed`, 416 `range_not_satisfiable`
 */
export function readPart(ctx: Pick<Context, 'method' | 'headers'>, file: ServedFile): Part | 'not_modified' {
  const { 'if-match': ifMatch, 'if-none-match': ifNoneMatch, range } = ctx.headers;
  const tag = fileTag(file);
  if (ifMatch !== undefined) {
    const expected = expectedTags(ifMatch);
    if (expected !== '*' && !expected.includes(tag)) {
      const why = 'The file has changed since the ETag in If-Match was read. Download it from its beginning.';
      throw new HttpProblem(412, 'precondition_failed', why);
    }
  }
  if (ifNoneMatch !== undefined && isKnown(ifNoneMatch, tag)) return 'not_modified';
  // Ranges are defined for GET only (RFC 9110, section 14.2).
  if (range === undefined || ctx.method !== 'GET' || !isStillTheFile(ctx, tag)) return undefined;
  const part = readRange(range, file.bytes);
  if (part !== 'unsatisfiable') return part;
  const why = `The range begins beyond the end of the file, which has ${file.bytes} bytes.`;
  const headers = { 'Content-Range': `bytes */${file.bytes}` };
  throw new HttpProblem(416, 'range_not_satisfiable', why, { headers });
}

/** By strong comparison: a weak tag never matches, nor does a date, as files have no `Last-Modified`. */
function isStillTheFile({ headers }: Pick<Context, 'headers'>, tag: string): boolean {
  const { 'if-range': ifRange } = headers;
  return ifRange === undefined || [ifRange].flat()[0]?.trim() === tag;
}
