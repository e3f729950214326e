import type { Context } from 'koa';
import { HttpProblem } from '../http/problem.js';
import { receiveBody } from '../http/read-body.js';
import { unstorableText } from '../http/validation/unstorable-text.js';

/**
 * Receives one message, within the bounds of every body: 1 MiB, and nested 64 levels deep. @throws HttpProblem, also for
 * several messages at once, which the protocol no longer has
 */
export async function readJsonBody(ctx: Context): Promise<object> {
  const parse = await receiveBody(ctx, 'json');
  const body = parse() as object;
  if (Array.isArray(body)) {
    throw new HttpProblem(400, 'malformed_body', 'The body has to be one message.');
  }
  const errors = unstorableText(body);
  if (errors.length > 0) throw HttpProblem.invalid(errors);
  return body;
}
