import { findVisitByRequest } from '../../db/assignments/assignment-tasks.js';
import { databaseTimeMs } from '../../db/lib/database-time.js';
import type { SelectTaskRequest, SelectTaskResult } from '../../workflows/contracts/commands.js';
import type { SelectionStep } from '../../workflows/contracts/steps.js';
import { supersedeTurn } from '../chat-state/supersede-turn.js';
import { type Entry, mayEnter } from '../definitions/task-tree/transitions.js';
import type { ServiceContext } from '../kernel/context.js';
import { type CelContext, failureOf } from '../lib/cel.js';
import { advance } from './advance-assignment.js';
import { celContextOf } from './machine/cel-context.js';
import { enterTask } from './machine/enter-task.js';
import { currentTask, lockMachine, type Machine } from './machine/machine.js';
import { selectableByMember } from './machine/offered-tasks.js';

export type SelectTask = SelectTaskRequest & { workspaceId: number; assignmentId: number };

/**
 * Enters a task that a person selected. Guards apply to every caller, the offer to members without `assignments:write`.
 * A refusal is an answer, not an error. A turn in progress detects the selection by the chat's version.
 */
export async function selectTask(context: ServiceContext, input: SelectTask): Promise<SelectionStep> {
  const now = context.clock.now();
  return context.db.inWorkspace(input.workspaceId, async (tx) => {
    const machine = await lockMachine(tx, input.assignmentId, now);
    const answer: SelectTaskResult =
      machine === undefined ? { kind: 'not_active' } : await selectIn(machine, input);
    return { answer, next: await advance(machine, context.agentBudgets) };
  });
}

async function selectIn(machine: Machine, input: SelectTask): Promise<SelectTaskResult> {
  const [visit, celContext, tooLate] = await Promise.all([
    findVisitByRequest(machine.tx, input.requestUuid),
    celContextOf(machine),
    isTooLate(machine, input),
  ]);
  if (visit !== undefined) return { kind: 'entered' };
  if (machine.assignment.status !== 'active') return { kind: 'not_active' };
  if (tooLate) return { kind: 'expired' };
  if (machine.isHeld) return { kind: 'held' };

  const { tree, rows } = machine;
  const row = [...rows.values()].find(({ id }) => id === input.assignmentTaskId);
  const target = tree.byId.get(row?.taskId ?? 0)?.uuid ?? '';
  const entry = mayEnter(tree, target, { asChildOf: currentTask(machine) }, celContext);
  if (!entry.allowed) return refusalOf(entry, celContext);
  if (input.anyTask === false) {
    const offered = selectableByMember(machine, celContext).map(({ uuid }) => uuid);
    if (!offered.includes(entry.task.uuid)) {
      return { kind: 'refused', taskUuid: entry.task.uuid, rule: 'not_offered', offeredTaskUuids: offered };
    }
  }

  machine.chat = await supersedeTurn(machine.tx, machine.chat);
  await enterTask(machine, entry.task, {
    by: input.byOperator ? 'operator' : 'member',
    actorMemberId: input.actorMemberId,
    requestUuid: input.requestUuid,
    inTurn: false,
  });
  return { kind: 'entered' };
}

function refusalOf(entry: Extract<Entry, { allowed: false }>, context: CelContext): SelectTaskResult {
  const { rule, task, taskUuid } = entry;
  const expression =
    rule === 'cel_guard' ? task.celGuard : rule === 'cel_condition' ? task.celCondition : null;
  const failure = expression === null ? undefined : failureOf(expression, context);
  return { kind: 'refused', taskUuid, rule, ...(failure && { failure: failure.message }) };
}

async function isTooLate({ tx, now }: Machine, { answerBy, notAfter }: SelectTask): Promise<boolean> {
  if (answerBy !== undefined) return (await databaseTimeMs(tx)) > answerBy;
  return notAfter !== undefined && now.getTime() > notAfter;
}
