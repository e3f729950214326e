import type { Context, Middleware } from 'koa';
import { koaBody } from 'koa-body';
import { HttpProblem } from './http-problem.js';
import { unstorableText } from './unstorable-text.js';

export const bodyLimitBytes = 1_048_576;
/** Forms come from the carrier, whose messages are short, and are read before it is known who sends them. */
export const formLimitBytes = 65_536;
const limits = { json: bodyLimitBytes, form: formLimitBytes } as const;

const mediaTypes = { json: 'application/json', form: 'application/x-www-form-urlencoded' } as const;
const off = { json: false, urlencoded: false, text: false, multipart: false };
const everyMethod = { parsedMethods: ['POST', 'PUT', 'PATCH', 'DELETE', 'GET'] as never };
const parsers: Record<'json' | 'form', Middleware> = {
  json: koaBody({
    ...off,
    ...everyMethod,
    json: true,
    jsonTypes: [mediaTypes.json],
    jsonLimit: bodyLimitBytes,
  }),
  form: koaBody({
    ...off,
    ...everyMethod,
    urlencoded: true,
    urlencodedTypes: [mediaTypes.form],
    formLimit: formLimitBytes,
    // Names stay as they are: a form is a flat list of fields to us.
    queryString: { allowDots: false, depth: 0, parseArrays: false },
  }),
};

/**
 * The request's body; an empty object where there is none, so that what is required is what gets named.
 *
 * @throws HttpProblem 400 when it cannot be parsed, 413 when it is too large (before reading it, where its
 *   length is told), 415 when it is something else
 */
export async function readBody(ctx: Context, consumes: 'json' | 'form'): Promise<unknown> {
  const { length } = ctx.request;
  const chunked = ctx.req.headers['transfer-encoding'] !== undefined;
  if (!chunked && (length === undefined || length === 0)) return {};
  if (length !== undefined && length > limits[consumes]) throw tooLarge(consumes);
  if (ctx.is(mediaTypes[consumes]) === false) throw wrongMediaType(consumes);
  try {
    await parsers[consumes](ctx as never, async () => {});
  } catch (error) {
    // What is left of it is let go, so that the connection stays good.
    ctx.req.resume();
    // The parser's errors carry the body: they end here.
    throw problemFor(error, consumes);
  }
  return ctx.request.body ?? {};
}

function problemFor(error: unknown, consumes: 'json' | 'form'): HttpProblem {
  const status = typeof error === 'object' && error !== null && 'status' in error ? error.status : undefined;
  if (status === 413) return tooLarge(consumes);
  if (status === 415)
    return new HttpProblem(415, 'unsupported_media_type', 'The content encoding is not supported.');
  const unusable = unstorableText(parsedAnyway(error));
  if (unusable.length > 0) return HttpProblem.invalid(unusable);
  const what = consumes === 'json' ? 'a JSON object or array' : 'a form';
  return new HttpProblem(400, 'malformed_body', `The body is not ${what}.`);
}

/** What the parser refused although it is JSON: it takes no `__proto__`, and does not say where it stands. */
function parsedAnyway(error: unknown): unknown {
  const text = typeof error === 'object' && error !== null && 'body' in error ? error.body : undefined;
  try {
    return typeof text === 'string' ? JSON.parse(text) : undefined;
  } catch {
    return undefined;
  }
}

function tooLarge(consumes: 'json' | 'form'): HttpProblem {
  return new HttpProblem(413, 'body_too_large', `The body is larger than ${limits[consumes]} bytes.`);
}

function wrongMediaType(consumes: 'json' | 'form'): HttpProblem {
  return new HttpProblem(415, 'unsupported_media_type', `The body has to be ${mediaTypes[consumes]}.`);
}
