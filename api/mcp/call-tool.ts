import type { CallToolResult } from '@modelcontextprotocol/server';
import type { Context } from 'koa';
import { callerOf } from '../http/pipeline/caller.js';
import type { Endpoint } from '../http/pipeline/endpoint.js';
import {
  answerAtOnce,
  type Done,
  performRequest,
  type ValidRequest,
} from '../http/pipeline/perform-request.js';
import { type Prefetch, preparePrefetch } from '../http/pipeline/prefetch.js';
import { recordDenied } from '../http/pipeline/record-denied.js';
import { toProblem } from '../http/problem.js';
import type { BrowserSession } from '../http/route.js';
import { removingSpool, uploadedFile } from '../http/uploads/uploaded-file.js';
import type { Tool } from './define-tool.js';
import { importCsv, inWorkspace, spoolCsv } from './import-csv.js';
import { answerText, toolError, toolResult } from './tool-result.js';
import type { Visit } from './visit.js';

/** A tool with its route, compiled. */
export interface ServedTool {
  tool: Tool;
  endpoint: Endpoint;
}

/** Stands in paths for the workspace of a token that is not looked up yet. */
const notKnownYet = '00000000-0000-0000-0000-000000000000';

/** The queries of a call that are sent with the look-up of its token; undefined as `preparePrefetch` says. */
export function prefetchCall(
  { tool, endpoint }: ServedTool,
  args: Readonly<Record<string, unknown>>,
  { req, request }: Context,
): Prefetch | undefined {
  if (endpoint.route.prefetch === undefined || tool.confirmed !== undefined) return undefined;
  try {
    const { params, query } = tool.read(args);
    const path = { ...params, workspace_uuid: notKnownYet };
    return preparePrefetch(endpoint, { params: path, query }, { req, request });
  } catch {
    return undefined;
  }
}

/**
 * Calls a tool: the steps of its route's request from where access is granted. When the visit's `signal` is aborted, nothing
 * more is waited for; what has begun is finished. @returns errors as results, too @throws the signal's reason
 */
export async function callTool(
  { tool, endpoint }: ServedTool,
  args: Readonly<Record<string, unknown>>,
  visit: Visit,
): Promise<CallToolResult> {
  const { ctx, context, signal } = visit;
  try {
    return await perform({ tool, endpoint }, args, visit);
  } catch (error) {
    if (signal?.aborted && error === signal.reason) throw error;
    const failure = toProblem(error, ctx.state.requestId);
    endpoint.server.onFailure(ctx, failure);
    recordDenied(endpoint, context, error);
    ctx.state.problemCode = failure.problem.code;
    return toolError(tool, failure);
  }
}

async function perform(
  { tool, endpoint }: ServedTool,
  args: Readonly<Record<string, unknown>>,
  visit: Visit,
): Promise<CallToolResult> {
  const { ctx, context, prefetch, signal, begun } = visit;
  const { access, body, file } = endpoint.route;
  const asked = tool.read(args);
  const { workspaceUuid } = context.actor;
  const params = { ...asked.params, workspace_uuid: workspaceUuid };
  const turns = { ip: ctx.ip, params, req: ctx.req, request: ctx.request, res: ctx.res, body: '' };
  const request = {
    granted: access.admit?.(context, context.actor),
    caller: callerOf(context),
    params,
    query: asked.query,
    prefetch: prefetch && {
      ...prefetch,
      params: { ...(prefetch.params as object), workspace_uuid: workspaceUuid },
    },
    headers: { 'idempotency-key': asked.idempotencyKey as string | undefined },
    receive: async () => {
      if (file !== undefined) await spoolCsv(endpoint, ctx, asked.csv);
      return () => (body === undefined ? undefined : asked.body);
    },
    file: () => uploadedFile(ctx),
    session: noBrowser,
    turns,
  };
  let result: CallToolResult | undefined;
  const answer = (valid: ValidRequest) => {
    const { input } = valid;
    input.signal = signal;
    input.begun = begun && (() => begun(input));
    const send = (done: Done) => {
      const query = input.query as Record<string, unknown>;
      // What the call has cost is told by all that was read, of which a result may have a part.
      turns.body = answerText(done);
      result = toolResult(tool, { ...asked, query }, done);
    };
    if (file !== undefined) {
      const goesOn = begun !== undefined || asked.idempotencyKey !== undefined;
      return importCsv(endpoint, input, { turns, goesOn, tell: visit.tell, send });
    }
    return answerAtOnce(endpoint, valid, { send, setTag: () => {} });
  };
  const serve = () => performRequest(endpoint, request, answer);
  await (file === undefined ? serve() : removingSpool(serve)(inWorkspace(ctx, params), nothingNext));
  if (result === undefined) throw new Error(`${tool.name} has sent nothing`);
  return result;
}

const nothingNext = async () => {};

function refuse(): never {
  throw new Error('A tool has no browser.');
}

const noBrowser: BrowserSession = {
  hold: refuse,
  remember: refuse,
  keepFlow: refuse,
  dropFlow: refuse,
  join: refuse,
  drop: refuse,
};
