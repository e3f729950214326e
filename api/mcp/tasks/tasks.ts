import {
  type CallToolResult,
  fromJsonSchema,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { SummaryRuns } from '../../../domain/conversations/summaries/summary-runs.js';
import type { Clock } from '../../../domain/lib/clock.js';
import { callerOf } from '../../http/pipeline/caller.js';
import { callTool, type ServedTool } from '../call-tool.js';
import type { Tool } from '../define-tool.js';
import { invalid } from '../protocol-error.js';
import type { Visit } from '../visit.js';
import { knowsTasks, lacksTasks } from './extension.js';
import { TaskHandles, type TaskRef, type TaskThing, taskTtlMs } from './task-handles.js';
import { cancelThing, noSuchTask, stateOf } from './task-states.js';

const pollEveryMs: Readonly<Record<TaskThing['kind'], number>> = {
  summary: 2_000,
  import: 2_000,
  call: 5_000,
};

const taskParams = fromJsonSchema<{ taskId: string }>({
  type: 'object',
  properties: { taskId: { type: 'string', minLength: 1, maxLength: 1_000 } },
  required: ['taskId'],
});

export interface TasksOptions {
  tools: ReadonlyMap<string, ServedTool>;
  runs: SummaryRuns;
  clock: Clock;
  /** From which the key of ids is derived. */
  secret: string;
}

/** Answers calls of long tools with tasks, to clients that say they know them. */
export class Tasks {
  readonly #handles: TaskHandles;
  readonly #runs: SummaryRuns;
  readonly #clock: Clock;
  /** The tools that begin things, by their kinds. */
  readonly #tools: ReadonlyMap<TaskThing['kind'], Tool>;

  constructor({ tools, runs, clock, secret }: TasksOptions) {
    this.#handles = new TaskHandles(secret);
    this.#runs = runs;
    this.#clock = clock;
    const begun = [...tools.values()].flatMap(({ tool }) => (tool.task ? [[tool.task, tool] as const] : []));
    this.#tools = new Map(begun);
  }

  /** Serves the methods about tasks. `told` makes errors of ours those of the protocol. */
  register(
    server: Server,
    visit: Visit,
    told: <Result>(answer: () => Promise<Result>) => Promise<Result>,
  ): void {
    const serve = (method: string, answer: (taskId: string) => Promise<object>) => {
      server.setRequestHandler(method, { params: taskParams }, async ({ taskId }, call) => {
        requireTasks(call);
        return (await told(() => answer(taskId))) as never;
      });
    };
    serve('tasks/get', async (taskId) => {
      const { ref, asking } = await this.#find(visit, taskId);
      return { resultType: 'complete', ...(await this.#present(taskId, ref, asking)) };
    });
    // No task waits for input: what comes is passed over, as for a request that was answered already.
    serve('tasks/update', async (taskId) => {
      const { ref, asking } = await this.#find(visit, taskId);
      await stateOf(ref.thing, asking);
      return { resultType: 'complete' };
    });
    serve('tasks/cancel', async (taskId) => {
      const { ref, asking } = await this.#find(visit, taskId);
      await cancelThing(ref.thing, asking);
      return { resultType: 'complete' };
    });
  }

  /** Calls a tool. @returns a task as soon as the thing is there that goes on, or the result if it is there first */
  async call(
    found: ServedTool,
    args: Readonly<Record<string, unknown>>,
    visit: Visit,
  ): Promise<CallToolResult> {
    const { task } = found.tool;
    if (task === 'summary' || task === 'import') return this.#begin(task, found, args, visit);
    const result = await callTool(found, args, visit);
    const { id: callId } = (result.structuredContent ?? {}) as { id?: unknown };
    // Who may place a call is not always allowed to read it.
    const mayFollow = visit.context.actor.hasScope('chats:read');
    if (task !== 'call' || result.isError === true || typeof callId !== 'number' || !mayFollow) return result;
    return this.#begun({ kind: 'call', callId }, visit);
  }

  /** Waits until the run has begun for which the call would wait. */
  async #begin(
    kind: 'summary' | 'import',
    found: ServedTool,
    args: Readonly<Record<string, unknown>>,
    visit: Visit,
  ): Promise<CallToolResult> {
    const leaving = new AbortController();
    let thing: TaskThing | undefined;
    try {
      return await callTool(found, args, {
        ...visit,
        signal: AbortSignal.any([leaving.signal, ...(visit.signal ? [visit.signal] : [])]),
        begun: ({ requestUuid, params }) => {
          const { chat_id: chatId } = params as { chat_id: number };
          thing = kind === 'summary' ? { kind, requestUuid, chatId } : { kind, requestUuid };
          leaving.abort();
        },
      });
    } catch (error) {
      if (thing === undefined || error !== leaving.signal.reason) throw error;
      return this.#begun(thing, visit);
    }
  }

  async #begun(thing: TaskThing, { context }: Visit): Promise<CallToolResult> {
    const ref = { thing, createdAt: this.#clock.now().getTime() };
    const taskId = await this.#handles.seal(context.actor, ref);
    const task = { resultType: 'task', ...shown(taskId, ref), status: 'working' };
    // The library has no type for it.
    return task as unknown as CallToolResult;
  }

  async #present(taskId: string, ref: TaskRef, asking: Parameters<typeof stateOf>[1]) {
    const { updatedAt, result, ...state } = await stateOf(ref.thing, asking);
    const { createdAt } = ref;
    // The clock of the database is another one.
    const updated = Math.max(createdAt, updatedAt?.getTime() ?? 0);
    return {
      ...shown(taskId, ref),
      lastUpdatedAt: iso(updated),
      ...state,
      // The library adds the type to results of requests alone.
      ...(result && { result: { resultType: 'complete', ...result } }),
    };
  }

  /** @throws ProtocolError */
  async #find(visit: Visit, taskId: string) {
    const { actor, db } = visit.context;
    const ref = await this.#handles.open(actor, taskId);
    const tool = ref && this.#tools.get(ref.thing.kind);
    if (ref === undefined || tool === undefined) throw noSuchTask();
    const lacking = tool.scopes.find((scope) => !actor.hasScope(scope));
    if (lacking !== undefined) throw invalid(`The token lacks the scope ${lacking}.`);
    const holder = callerOf(visit.context)?.owner;
    const context = {
      ...visit.context,
      db: db.withTerms({ ...(holder !== undefined && { holder }), isForCommand: false }),
    };
    return { ref, asking: { tool, visit: { ...visit, context }, runs: this.#runs } };
  }
}

function shown(taskId: string, { thing, createdAt }: TaskRef) {
  return {
    taskId,
    createdAt: iso(createdAt),
    lastUpdatedAt: iso(createdAt),
    ttlMs: taskTtlMs,
    pollIntervalMs: pollEveryMs[thing.kind],
  };
}

function iso(at: number): string {
  return new Date(at).toISOString();
}

/** @throws ProtocolError -32021 */
function requireTasks({ mcpReq: { envelope } }: ServerContext): void {
  if (!knowsTasks(envelope)) throw lacksTasks();
}
