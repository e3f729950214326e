import { countRefusalAgain, findEntryByRequest } from '../../db/assignments/timeline-entries.js';
import { patchChat } from '../../db/conversations/chats.js';
import { databaseTimeMs } from '../../db/lib/database-time.js';
import type { SelectTaskRequest, SelectTaskResult } from '../../workflows/contracts/commands.js';
import type { SelectionStep } from '../../workflows/contracts/steps.js';
import { supersedeTurn } from '../chat-state/supersede-turn.js';
import { type Entry, mayEnter } from '../definitions/task-tree/transitions.js';
import type { NeedsResponseReason } from '../kernel/alert-colleague.js';
import type { OutreachContext } from '../kernel/context.js';
import { type CelContext, failureOf } from '../lib/cel.js';
import { advance } from './advance-assignment.js';
import { celContextOf } from './machine/cel-context.js';
import { enterTask } from './machine/enter-task.js';
import {
  changeChat,
  currentTask,
  type EnteringMachine,
  lockEnteringMachine,
  type Machine,
} from './machine/machine.js';
import { selectableByMember } from './machine/offered-tasks.js';
import { causeOf, note } from './timeline/note.js';

const ended: NeedsResponseReason = 'call_ended';

export type SelectTask = SelectTaskRequest & { workspaceId: number; assignmentId: number };

/**
 * Enters a task that a person selected. Guards apply to every caller, the offer to members without `assignments:write`.
 * A refusal is an answer, not an error. A turn in progress detects the selection by the chat's version.
 */
export async function selectTask(context: OutreachContext, input: SelectTask): Promise<SelectionStep> {
  const step = { outreach: context.outreach, now: context.clock.now(), ofRun: true };
  return context.db.inWorkspace(input.workspaceId, async (tx) => {
    const machine = await lockEnteringMachine(tx, input.assignmentId, step);
    const answer: SelectTaskResult =
      machine === undefined ? { kind: 'not_active' } : await selectIn(machine, input);
    return { answer, next: await advance(machine, context.agentBudgets) };
  });
}

async function selectIn(machine: EnteringMachine, input: SelectTask): Promise<SelectTaskResult> {
  const [visit, celContext, tooLate] = await Promise.all([
    findEntryByRequest(machine.tx, input.requestUuid),
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
  if (!entry.allowed) {
    await recordRefusal(machine, input, entry.rule, entry.task?.id);
    return refusalOf(entry, celContext);
  }
  if (input.anyTask === false) {
    const offered = selectableByMember(machine, celContext).map(({ uuid }) => uuid);
    if (!offered.includes(entry.task.uuid)) {
      await recordRefusal(machine, input, 'not_offered');
      return { kind: 'refused', taskUuid: entry.task.uuid, rule: 'not_offered', offeredTaskUuids: offered };
    }
  }

  await changeChat(machine, supersedeTurn);
  // The colleague who was alerted because a call has ended lets the agent go on by text.
  if (input.byOperator && machine.chat.needsResponseReason === ended) {
    await changeChat(machine, (tx, chat, now) => patchChat(tx, chat.id, { attendedAt: now }));
  }
  await enterTask(machine, entry.task, {
    ...selecting(input),
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

function selecting({ byOperator, actorMemberId }: SelectTask) {
  return { by: byOperator ? 'operator' : 'member', actorMemberId } as const;
}

/** Stores a refusal once for each task, rule and person while the assignment stays where it is, and then counts. */
async function recordRefusal(machine: Machine, input: SelectTask, rule: string, ruleTaskId?: number) {
  const isOfTree = [...machine.rows.values()].some(({ id }) => id === input.assignmentTaskId);
  const assignmentTaskId = isOfTree ? input.assignmentTaskId : null;
  const { actorMemberId } = input;
  const refusal = { chatId: machine.chat.id, assignmentTaskId, code: rule, actorMemberId };
  if (await countRefusalAgain(machine.tx, refusal)) return;
  const cause = causeOf(selecting(input));
  await note(machine, { kind: 'refused', assignmentTaskId, code: rule, ruleTaskId, ...cause });
}

async function isTooLate({ tx, now }: Machine, { answerBy, notAfter }: SelectTask): Promise<boolean> {
  if (answerBy !== undefined) return (await databaseTimeMs(tx)) > answerBy;
  return notAfter !== undefined && now.getTime() > notAfter;
}
