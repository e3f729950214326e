import type { AssignmentTaskRow } from '../../db/assignments/assignment-tasks.js';
import { findChat } from '../../db/conversations/chats.js';
import { selectPendingFollowUps } from '../../db/conversations/follow-ups.js';
import { effectiveHold } from '../../db/definitions/effective-hold.js';
import { isMemberDisabled } from '../../db/people/members.js';
import type { Tx } from '../../db/tx.js';
import { earliest, heldUntil } from '../chat-state/held-turn.js';
import { inheritedAbilities } from '../definitions/task-tree/inherited-abilities.js';
import { eligibleChildren, type PassedBy } from '../definitions/task-tree/transitions.js';
import { childrenOf, parentOf } from '../definitions/task-tree/tree.js';
import type { TaskAbility, TaskNode } from '../definitions/task-tree/types.js';
import type { CommandContext } from '../kernel/context.js';
import { type CelContext, dataNamedIn } from '../lib/cel.js';
import { NotFound } from '../lib/errors.js';
import { renderTemplate } from '../lib/template.js';
import { seesData } from './assignment-view.js';
import { celContextOf } from './machine/cel-context.js';
import { assemble, currentTask, type Machine, rowOf } from './machine/machine.js';
import { readStanding, whileDisabled, whileHeld } from './machine/standing.js';
import { readableAssignment } from './require-assignment.js';

/** A task of a definition with its progress in an assignment. */
export interface PlacedTask {
  task: TaskNode;
  row: AssignmentTaskRow;
}

export interface CurrentTask extends PlacedTask {
  assignmentId: number;
  renderedPrompt: string | null;
  /** Declared by ancestors and in force in this task. */
  inheritedAbilities: TaskAbility[];
  children: (PlacedTask & { passedBy?: PassedBy | undefined })[];
  parent: PlacedTask | null;
  /** What the assignment waits for, in words, as operators read it in Temporal. */
  state: string;
}

/** The rendered prompt contains the member's records only if the actor may read them. @throws NotFound, Forbidden */
export async function describeCurrentTask(
  context: CommandContext,
  assignmentId: number,
): Promise<CurrentTask> {
  return readMachine(context, assignmentId, async (machine) => {
    const place = (task: TaskNode): PlacedTask => ({ task, row: rowOf(machine, task) });
    const task = currentTask(machine);
    const parent = parentOf(machine.tree, task);
    const seen = await celContextOf(machine);
    const passed: PassedBy[] = [];
    eligibleChildren(machine.tree, task, seen, passed);
    const ofMember = seesData(context.actor, machine.assignment) ? 'shown' : 'none';
    const readsData = context.actor.can('data:read');
    const mayKnow = ({ of, rule }: PassedBy) => readsData || namesNoData(of, rule);
    const shown = readsData ? seen : await celContextOf(machine, ofMember);
    return {
      ...place(task),
      assignmentId,
      renderedPrompt: task.prompt === null ? null : renderTemplate(task.prompt, shown, 'plain').text,
      inheritedAbilities: inheritedAbilities(machine.tree, task, seen)
        .filter(({ task: owner }) => owner.id !== task.id)
        .map(({ ability }) => ability),
      children: childrenOf(machine.tree, task).map((child) => ({
        ...place(child),
        passedBy: passed.find((one) => one.task === child && mayKnow(one)),
      })),
      parent: parent === null ? null : place(parent),
      state: (await readState(machine, task)).state,
    };
  });
}

/** Whether a rule says nothing of the member's records: that it does not hold is then no word about them. */
function namesNoData(task: TaskNode, rule: PassedBy['rule']): boolean {
  const named = dataNamedIn((rule === 'cel_guard' ? task.celGuard : task.celCondition) ?? '');
  return named !== 'all' && named.size === 0;
}

/** Where an assignment is, and what it waits for. */
export interface WhereItStands extends PlacedTask {
  /** In words, as in `CurrentTask`. */
  state: string;
  until?: Date | undefined;
}

/** Reads what `describeCurrentTask` tells about waiting, for a caller that has the rows. */
export async function whereItStands(
  tx: Tx,
  now: Date,
  { chat, assignment }: Pick<Machine, 'chat' | 'assignment'>,
): Promise<WhereItStands> {
  const machine = await assemble(tx, now, chat, assignment);
  const task = currentTask(machine);
  return { task, row: rowOf(machine, task), ...(await readState(machine, task)) };
}

async function readState(machine: Machine, task: TaskNode): Promise<Pick<WhereItStands, 'state' | 'until'>> {
  const { tx, assignment, chat } = machine;
  if (assignment.status !== 'active') return { state: `concluded: ${assignment.status}` };
  if (machine.isHeld)
    return { state: whileHeld[(await effectiveHold(tx, assignment.definitionId)) ?? 'workflow'] };
  if (await isMemberDisabled(tx, chat.memberId)) return { state: whileDisabled };
  const [followUp] = await selectPendingFollowUps(tx, chat.id);
  const { state } = await readStanding(machine, task, followUp !== undefined);
  if (chat.archived) return { state };
  const { dueAt } = rowOf(machine, task);
  const ofAgent = [heldUntil(chat, machine.now), chat.agentStoppedUntil];
  return { state, until: earliest(dueAt, followUp?.dueAt, ...ofAgent) };
}

/** The context of the assignment's conditions, without the member's records. @throws NotFound, Forbidden */
export async function previewCelContext(context: CommandContext, assignmentId: number): Promise<CelContext> {
  return readMachine(context, assignmentId, (machine) => celContextOf(machine, 'none'));
}

async function readMachine<T>(
  { db, actor, clock }: CommandContext,
  assignmentId: number,
  read: (machine: Machine) => Promise<T>,
): Promise<T> {
  return db.inWorkspace(actor.workspaceId, async (tx) => {
    const assignment = await readableAssignment(tx, actor, assignmentId);
    const chat = await findChat(tx, assignment.chatId);
    if (chat === undefined) throw new NotFound('Chat');
    return read(await assemble(tx, clock.now(), chat, assignment));
  });
}
