import type { Context } from 'koa';
import type { HandlerInput } from '../http/define-route.js';
import type { Endpoint } from '../http/pipeline/endpoint.js';
import type { TurnTaker } from '../http/pipeline/large-requests.js';
import type { Done } from '../http/pipeline/perform-request.js';
import { HttpProblem, ResponseMismatch } from '../http/problem.js';
import { inTurn } from '../http/streams/serve-stream.js';
import { openSpool, spoolBytes } from '../http/uploads/uploaded-file.js';
import type { Counted } from './visit.js';

/** The request as one of the workspace's path, by which uploads are counted. */
export function inWorkspace(ctx: Context, params: Record<string, string>): Context {
  ctx.params = params;
  return ctx;
}

/**
 * Makes the text of an argument the file of the request, within the bounds of uploads.
 * @throws HttpProblem 400, TooManyRequests, Unavailable
 */
export async function spoolCsv({ route, server }: Endpoint, ctx: Context, csv: unknown): Promise<void> {
  const { file } = route;
  if (typeof csv !== 'string' || csv === '' || file === undefined) {
    const message = csv === undefined ? 'is required' : 'has to be text that is not empty';
    throw HttpProblem.invalid([{ pointer: '/csv', message }]);
  }
  const spool = await openSpool(ctx, file);
  const bytes = (async function* () {
    yield Buffer.from(csv);
  })();
  const { storage } = server.services;
  await spoolBytes(spool, { bytes, name: null, storage, maxBytes: file.maxBytes });
}

/** A line of an import: how far it is, or at last what became of it. */
interface ImportLine {
  type: 'progress' | 'complete';
  current?: number;
  total: number;
}

/**
 * Imports the file of a request batch by batch, each of which waits for its turn as over HTTP, and answers with the last
 * line. When the signal is aborted, the batch in progress is finished, and no other begins.
 * @throws what the import refuses, and the signal's reason
 */
export async function importCsv(
  { route, server, mismatches }: Endpoint,
  input: HandlerInput,
  {
    turns,
    tell,
    send,
  }: { turns: TurnTaker; tell: ((counted: Counted) => void) | undefined; send: (done: Done) => void },
): Promise<void> {
  const { context } = input;
  const leavePlace = await server.files.turn(turns, context);
  try {
    input.signal ??= new AbortController().signal;
    const lines = (await route.handler(input)) as AsyncIterable<ImportLine>;
    const iterator = lines[Symbol.asyncIterator]();
    const turn = () => server.pieces.turn(turns, context);
    try {
      for (;;) {
        const { done, value } = await inTurn({ turn }, () => iterator.next());
        if (done) throw new Error(`${route.operationId} has no last line`);
        const errors = mismatches(value);
        if (errors.length > 0) throw new ResponseMismatch(route.operationId, errors);
        if (value.type === 'complete') return send({ answer: value });
        tell?.({ progress: value.current ?? 0, total: value.total });
      }
    } finally {
      await iterator.return?.();
    }
  } finally {
    leavePlace();
  }
}
