import type { CallToolResult } from '@modelcontextprotocol/server';
import { getCall } from '../../../domain/conversations/phone-calls/read-calls.js';
import { cancelSummary, followSummary } from '../../../domain/conversations/summaries/request-summary.js';
import type { SummaryRuns } from '../../../domain/conversations/summaries/summary-runs.js';
import { DomainError, Forbidden, NotFound } from '../../../domain/lib/errors.js';
import { cancelMemberImport } from '../../../domain/people/imports/cancel-import.js';
import { getMemberImport, resultOfImport } from '../../../domain/people/imports/follow-import.js';
import { toProblem } from '../../http/problem.js';
import { serialiserOf } from '../../http/serialise.js';
import { presentCall } from '../../resources/calls/phone-calls/presenter.js';
import { presentChat } from '../../resources/conversations/chats/presenter.js';
import type { Tool } from '../define-tool.js';
import { invalid } from '../protocol-error.js';
import { toolError, toolResult } from '../tool-result.js';
import type { Visit } from '../visit.js';
import type { TaskThing } from './task-handles.js';

/** Where a task is, as the protocol has it. The service fails no task: what a call is refused with is its result. */
export interface TaskState {
  status: 'working' | 'completed' | 'cancelled';
  statusMessage: string;
  /** Undefined if nothing has happened since the task was created. */
  updatedAt?: Date | null | undefined;
  /** What the call would have been answered, had it been waited for. */
  result?: CallToolResult;
}

/** What a thing is asked with: the tool that has begun it, for the client that has come. */
export interface Asking {
  tool: Tool;
  visit: Visit;
  runs: SummaryRuns;
}

/** Looks where a thing is, as far as the client may see it now. @throws ProtocolError, Unavailable */
export async function stateOf(thing: TaskThing, asking: Asking): Promise<TaskState> {
  return known(async () => {
    if (thing.kind === 'summary') return ofSummary(thing, asking);
    return thing.kind === 'import' ? ofImport(thing, asking) : ofCall(thing, asking);
  });
}

/**
 * Asks for the end of a thing. A phone call goes on: it is ended by those who speak in it.
 * @throws ProtocolError, Unavailable
 */
export async function cancelThing(thing: TaskThing, asking: Asking): Promise<void> {
  const { runs, visit } = asking;
  await known(async () => {
    if (thing.kind === 'summary') await cancelSummary(visit.context, runs, thing);
    else if (thing.kind === 'import') await cancelMemberImport(visit.context, thing.requestUuid);
    else await getCall(visit.context, thing.callId);
  });
}

export function noSuchTask(): Error {
  return invalid('There is no such task, or not any more.');
}

/** What is not there and what may not be seen are the same for the client. */
async function known<Result>(ask: () => Promise<Result>): Promise<Result> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof NotFound || error instanceof Forbidden) throw noSuchTask();
    throw error;
  }
}

type Of<Kind> = Extract<TaskThing, { kind: Kind }>;

async function ofSummary(thing: Of<'summary'>, { tool, visit, runs }: Asking): Promise<TaskState> {
  const { context, ctx } = visit;
  try {
    const found = await followSummary(context, runs, thing);
    if (found === undefined) throw noSuchTask();
    if (found.kind === 'running') return { status: 'working', statusMessage: 'The model reads the chat.' };
    if (found.kind === 'cancelled')
      return { status: 'cancelled', statusMessage: 'The summary was cancelled.' };
    const { chat } = found;
    const result = answered(tool, presentChat(chat));
    return {
      status: 'completed',
      statusMessage: 'The chat is summarized.',
      updatedAt: chat.summaryUpdatedAt,
      result,
    };
  } catch (error) {
    const isAnswer = error instanceof DomainError && error.kind !== 'unavailable';
    if (!isAnswer || error instanceof NotFound || error instanceof Forbidden) throw error;
    const result = toolError(tool, toProblem(error, ctx.state.requestId));
    return { status: 'completed', statusMessage: 'There is no summary.', result };
  }
}

async function ofImport({ requestUuid }: Of<'import'>, { tool, visit }: Asking): Promise<TaskState> {
  const { context, ctx } = visit;
  const found = await getMemberImport(context, requestUuid);
  const { state, rowsDone, total, updatedAt } = found;
  const rows = `${rowsDone} of ${total} rows are done.`;
  if (state === 'running') return { status: 'working', statusMessage: rows, updatedAt };
  if (state === 'cancelled') {
    return { status: 'cancelled', statusMessage: `The import was cancelled: ${rows}`, updatedAt };
  }
  try {
    const result = answered(tool, resultOfImport(found));
    return { status: 'completed', statusMessage: rows, updatedAt, result };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const result = toolError(tool, toProblem(error, ctx.state.requestId));
    return { status: 'completed', statusMessage: `The import has ended early: ${rows}`, updatedAt, result };
  }
}

async function ofCall({ callId }: Of<'call'>, { tool, visit: { context } }: Asking): Promise<TaskState> {
  const call = await getCall(context, callId);
  const { status, updatedAt } = call;
  if (call.finishedAt === null)
    return {
      status: 'working',
      statusMessage: `The call is ${status}. Only those who speak in it end it.`,
      updatedAt,
    };
  const result = answered(tool, presentCall(call, context.actor));
  return { status: 'completed', statusMessage: `The call has ended: ${status}.`, updatedAt, result };
}

function answered(tool: Tool, answer: unknown): CallToolResult {
  return toolResult(tool, noQuery, { body: serialiserOf(tool.route)(answer) });
}

const noQuery = {
  ...{ params: {}, query: {}, body: {} },
  ...{ idempotencyKey: undefined, csv: undefined },
};
