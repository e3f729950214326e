import type { Context } from 'koa';
import type { CommandContext } from '../../domain/kernel/context.js';
import { cancelMemberImport } from '../../domain/people/imports/cancel-import.js';
import type { Endpoint } from '../http/pipeline/endpoint.js';
import type { TurnTaker } from '../http/pipeline/large-requests.js';
import type { Done } from '../http/pipeline/perform-request.js';
import { HttpProblem, ResponseMismatch } from '../http/problem.js';
import type { HandlerInput } from '../http/route.js';
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

interface Awaited {
  turns: TurnTaker;
  /** Whether the import goes on when the client waits no longer: it can ask for it again. */
  goesOn: boolean;
  tell: ((counted: Counted) => void) | undefined;
  send: (done: Done) => void;
}

/**
 * Begins the import of the file of a request, which a run carries out, tells how far it is, and answers with its last line.
 * @throws what the import refuses, and the signal's reason
 */
export async function importCsv(
  { route, server, mismatches, serialise }: Endpoint,
  input: HandlerInput,
  { turns, goesOn, tell, send }: Awaited,
): Promise<void> {
  const { context, requestUuid } = input;
  const signal = input.signal ?? new AbortController().signal;
  input.signal = signal;
  const leavePlace = await server.turns.streams.enter(turns, context);
  const begun = route.handler(input) as Promise<AsyncIterable<ImportLine>>;
  const lines = await begun.finally(leavePlace);
  try {
    for await (const line of lines) {
      const errors = mismatches(line);
      if (errors.length > 0) throw new ResponseMismatch(route.operationId, errors);
      if (line.type === 'complete') return send({ body: serialise(line) });
      tell?.({ progress: line.current ?? 0, total: line.total });
    }
  } catch (error) {
    if (signal.aborted && !goesOn) await cancelMemberImport(context as CommandContext, requestUuid);
    throw error;
  }
  throw new Error(`${route.operationId} has no last line`);
}
