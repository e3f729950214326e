import type { AssignmentTaskRow } from '../../db/assignments/assignment-tasks.js';
import { type AssignmentRow, patchAssignment } from '../../db/assignments/assignments.js';
import { findDeliveryOfMessage } from '../../db/channels/deliveries.js';
import { type ChatRow, patchChat } from '../../db/conversations/chats.js';
import { findMember } from '../../db/people/members.js';
import type { Tx } from '../../db/tx.js';
import type { AssignmentStep } from '../../workflows/contracts/steps.js';
import { admitTurn } from '../chat-state/admit-turn.js';
import { expireApproval } from '../chat-state/approvals.js';
import { restWhileDisabled } from '../chat-state/disabled-member.js';
import { fireFollowUps } from '../chat-state/fire-follow-ups.js';
import { earliest } from '../chat-state/held-turn.js';
import { afterCallOf } from '../definitions/task-tree/after-call.js';
import type { PassedBy } from '../definitions/task-tree/transitions.js';
import type { TaskNode } from '../definitions/task-tree/types.js';
import { type AgentBudgets, defaultAgentBudgets } from '../kernel/agent-budgets.js';
import { alertColleague, type NeedsResponseReason } from '../kernel/alert-colleague.js';
import type { OutreachContext } from '../kernel/context.js';
import { enterRootTask } from './begin-assignment.js';
import { closeChat } from './close-chats.js';
import { isCallOver } from './machine/calling.js';
import { celContextOf } from './machine/cel-context.js';
import { isCollected } from './machine/collected.js';
import { outcomesOfService } from './machine/conclude.js';
import { completeTask } from './machine/enter-task.js';
import { dismissCallOfHold, restWhileHeld } from './machine/held-workflow.js';
import { clearStandingAlert } from './machine/leave-task.js';
import {
  changeChat,
  currentTask,
  type EnteringMachine,
  lockEnteringMachine,
  type Machine,
  rowOf,
} from './machine/machine.js';
import { offeredTasks } from './machine/offered-tasks.js';
import { reopen } from './machine/reopen.js';
import { isSpoken } from './machine/spoken.js';
import { readStanding, whileDisabled, whileHeld } from './machine/standing.js';
import { checkStandingAt, isTimeOver, isWaitOver, nextCheck } from './machine/waiting.js';
import { notBegun, note } from './timeline/note.js';

/**
 * Advances an assignment as far as it goes automatically, unless its chat is archived, its member disabled or its
 * workflow or workspace held, and returns the next step of its run. Idempotent.
 */
export async function advanceAssignment(
  context: OutreachContext,
  input: { workspaceId: number; assignmentId: number },
): Promise<AssignmentStep> {
  const now = context.clock.now();
  return context.db.inWorkspace(input.workspaceId, (tx) =>
    advanceAssignmentIn(context, tx, input.assignmentId, now),
  );
}

/** `advanceAssignment` as a part of a transaction. */
export async function advanceAssignmentIn(
  { outreach, agentBudgets }: OutreachContext,
  tx: Tx,
  assignmentId: number,
  now: Date,
): Promise<AssignmentStep> {
  return advance(await lockEnteringMachine(tx, assignmentId, { outreach, now, ofRun: true }), agentBudgets);
}

/** `advanceAssignment` for a caller that holds the locks; `machine` is undefined if the assignment does not exist. */
export async function advance(
  machine: EnteringMachine | undefined,
  budgets: AgentBudgets = defaultAgentBudgets,
): Promise<AssignmentStep> {
  if (machine === undefined) return { kind: 'concluded', status: 'deleted' };

  let nextDueAt: Date | undefined;
  const isActive = machine.assignment.status === 'active';
  const { archived } = machine.chat;
  // Before the assignment rests: the time for a decision goes on meanwhile.
  const approvalUntil = isActive && !archived ? await expire(machine) : undefined;
  const rest = isActive ? await restOf(machine) : undefined;
  if (rest !== undefined) {
    // The rest itself does not end then.
    const until = approvalUntil === undefined ? {} : { until: approvalUntil.getTime(), dueAt: null };
    return { kind: 'wait', taskName: currentTask(machine).name, state: rest, ...until };
  }
  if (isActive && !archived) {
    // The assignment was created while its member was being deleted.
    if ((await findMember(machine.tx, machine.chat.memberId)) === undefined) {
      await closeChat(machine.tx, machine.chat, machine.now, machine.ofRun);
      return { kind: 'concluded', status: 'cancelled', code: 'member_deleted', ...placeOf(machine) };
    }
    await dismissCallOfHold(machine);
    await enterRootTask(machine);
    const followUps = await fireFollowUps(machine.tx, machine.chat, machine.now, budgets);
    await changeChat(machine, async () => followUps.chat);
    nextDueAt = followUps.nextDueAt;
    if (followUps.fired) await restartCount(machine);
    await completeCurrent(machine);
    await reopen(machine);
  }

  const expiresAt = machine.chat.approvalId === null ? undefined : approvalUntil;
  const { assignment } = machine;
  if (assignment.status !== 'active') return { ...concludedStep(assignment), ...placeOf(machine) };
  const task = currentTask(machine);
  const stands = afterCallOf(machine.tree, task) === 'stand';
  const terms = { budgets, outreach: machine.outreach, standsAfterCall: stands };
  const turn = await admitTurn(machine.tx, machine.chat, machine.now, terms);
  await changeChat(machine, async () => turn.chat);
  if (turn.admitted) return { kind: 'turn', ...placeOf(machine), chatVersion: turn.chat.version };
  const { dueAt } = rowOf(machine, task);
  const { standingReason } = machine.chat;
  const state =
    expiresAt === undefined
      ? await stateOf(machine, task, nextDueAt !== undefined)
      : 'waits for a colleague to approve a tool call';
  const isNew = machine.chat.standingReason !== standingReason;
  const look = archived
    ? undefined
    : (nextCheck(machine, task) ?? (isNew ? checkStandingAt(machine) : undefined));
  const until = archived ? undefined : earliest(dueAt, nextDueAt, turn.until, look, expiresAt);
  return {
    kind: 'wait',
    ...placeOf(machine),
    state,
    ...blockedReasonOf(machine.chat, expiresAt !== undefined),
    ...(until === undefined ? {} : { until: until.getTime() }),
    ...(look === undefined
      ? {}
      : { dueAt: earliest(dueAt, nextDueAt, turn.until, expiresAt)?.getTime() ?? null }),
  };
}

/** Ends a tool call that was not decided about in time. @returns when the time of one that waits is over */
async function expire(machine: Machine): Promise<Date | undefined> {
  const { chat, expiresAt } = await expireApproval(machine.tx, machine.chat, machine.now);
  await changeChat(machine, async () => chat);
  return expiresAt;
}

/** Why an active assignment rests, in words; undefined if it does not. */
async function restOf(machine: Machine): Promise<string | undefined> {
  const heldBy = await restWhileHeld(machine);
  if (heldBy !== undefined) return whileHeld[heldBy];
  const disabled = await restWhileDisabled(machine.tx, machine.chat);
  if (disabled === undefined) return undefined;
  await changeChat(machine, async () => disabled);
  return whileDisabled;
}

function placeOf(machine: Machine) {
  return { taskName: currentTask(machine).name, walk: walkOf(machine) };
}

type Visited = AssignmentTaskRow & { visitedAt: Date };

/** Every step of a run has these names in its result, so there are few of them. */
const maxNames = 8;

/** Names of the tasks that were visited last, each once, in the order of their latest visits; the current one last. */
function walkOf(machine: Machine): string[] {
  const { tree, rows } = machine;
  const current = currentTask(machine);
  const visitedBefore = [...rows.values()]
    .filter((row): row is Visited => row.visitedAt !== null && row.taskId !== current.id)
    // Tasks that were entered together follow each other in the tree.
    .sort((one, other) => one.visitedAt.getTime() - other.visitedAt.getTime() || one.id - other.id)
    .flatMap(({ taskId }) => tree.byId.get(taskId)?.name ?? []);
  return [...visitedBefore, current.name].slice(-maxNames);
}

/** The code that operators read of an assignment that goes on only when a person does something; empty if it does not wait for one. */
export function blockedReasonOf(
  chat: Pick<ChatRow, 'archived' | 'agentStoppedReason' | 'paused' | 'standingReason'>,
  awaitsApproval: boolean,
): { stands?: string } {
  if (chat.archived) return {};
  const stands = awaitsApproval
    ? 'approval'
    : (chat.agentStoppedReason ?? (chat.paused ? 'paused' : chat.standingReason));
  return stands === null ? {} : { stands };
}

function concludedStep({ status, outcome }: AssignmentRow) {
  const code = outcomesOfService.find((known) => known === outcome);
  return { kind: 'concluded' as const, status, ...(code === undefined ? {} : { code }) };
}

/** What the assignment waits for. If nothing can move it, alerts a colleague. */
async function stateOf(machine: Machine, task: TaskNode, hasFollowUp: boolean): Promise<string> {
  const { state, reason, isSuspended } = await readStanding(machine, task, hasFollowUp);
  if (isSuspended !== true) await recordStanding(machine, reason);
  return state;
}

/** Alerts a colleague once for each reason for which the assignment stands. */
async function recordStanding(machine: Machine, reason: NeedsResponseReason | undefined): Promise<void> {
  const { tx, chat } = machine;
  if ((reason ?? null) === chat.standingReason) return;
  if (reason === undefined) return clearStandingAlert(machine);
  if (reason === 'no_choice_holds' || reason === 'required_unreachable') await recordWithheld(machine);
  const changes = { standingReason: reason };
  const isCalled = reason === chat.needsResponseReason;
  await changeChat(machine, () =>
    isCalled ? patchChat(tx, chat.id, changes) : alertColleague(tx, chat, reason, changes),
  );
}

/** Notes the tasks that could come next, and which expressions keep them from it. */
async function recordWithheld(machine: Machine): Promise<void> {
  const withheld: PassedBy[] = [];
  offeredTasks(machine, await celContextOf(machine), withheld);
  await note(machine, ...notBegun(machine, withheld));
}

async function completeCurrent(machine: EnteringMachine): Promise<void> {
  const task = currentTask(machine);
  if (rowOf(machine, task).completedAt !== null) return;
  if (await isComplete(machine, task)) {
    await completeTask(machine, task, { by: 'automatic', inTurn: false });
  }
}

async function isComplete(machine: EnteringMachine, task: TaskNode): Promise<boolean> {
  const row = rowOf(machine, task);
  switch (task.taskType) {
    case 'collect': {
      if (await isCollected(machine, task)) return true;
      const isOver = await isTimeOver(machine, task);
      if (isOver) await restartCount(machine);
      return isOver;
    }
    case 'message': {
      if (row.messageId === null) return false;
      const delivery = await findDeliveryOfMessage(machine.tx, row.messageId);
      if (delivery === undefined) return isSpoken(machine, row.messageId);
      return delivery.state === 'sent' || delivery.state === 'delivered';
    }
    case 'wait': {
      const isOver = await isWaitOver(machine, task);
      // Time, a person or a system has moved the assignment, which is no loop of its own.
      if (isOver) await restartCount(machine);
      return isOver;
    }
    case 'call': {
      const isOver = await isCallOver(machine, task);
      if (isOver) await restartCount(machine);
      return isOver;
    }
    case 'handoff':
      return !machine.chat.paused;
    case 'decision':
      return true;
    default:
      return false;
  }
}

async function restartCount(machine: Machine): Promise<void> {
  machine.assignment = await patchAssignment(machine.tx, machine.assignment.id, { automaticSteps: 0 });
}
