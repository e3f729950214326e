import { randomUUID } from 'node:crypto';
import { insertAssignmentTasks, patchAssignmentTask } from '../../db/assignments/assignment-tasks.js';
import { insertAssignment, patchAssignment, reserveAssignmentIds } from '../../db/assignments/assignments.js';
import { insertTimelineEntries } from '../../db/assignments/timeline-entries.js';
import type { NewChat } from '../../db/conversations/chats.js';
import { loadRevisionTasks, loadTasksInForce } from '../../db/definitions/workflow-tasks.js';
import type { Tx } from '../../db/tx.js';
import { type OpenedChat, openChat } from '../chat-state/open-chat.js';
import { buildTaskTree } from '../definitions/task-tree/tree.js';
import { assignmentCreatedEvent, taskEnteredEvent } from '../kernel/events/assignment-events.js';
import { writeEvents } from '../kernel/events/write-events.js';
import type { Outreach } from '../kernel/outreach.js';
import { startAssignmentRun } from '../kernel/runs.js';
import type { Entering } from './machine/effect.js';
import { goOnFrom } from './machine/enter-task.js';
import { onlyRequestsTurn } from './machine/entry.js';
import { currentTask, type EnteringMachine, machineOf, rowOf } from './machine/machine.js';
import { causeOf, type Happening, note } from './timeline/note.js';

/** Reads what `beginAssignment` needs, in parallel with the checks whether it may begin. */
export async function prepareAssignment(
  tx: Tx,
  revision: { workflowId: number; workflowRevisionId?: number },
) {
  const [tasks, reserved] = await Promise.all([loadTasksInForce(tx, revision), reserveAssignmentIds(tx)]);
  return { tasks, ...reserved };
}

export interface NewAssignment {
  prepared: Awaited<ReturnType<typeof prepareAssignment>>;
  chat: NewChat & { revisionId: number };
  definition: { id: number; name: string; heldAt: Date | null };
  /** Further participants besides the member and the assistant, by member id with their roles. */
  others?: ReadonlyMap<number, string>;
}

const entering: Entering = { by: 'automatic', inTurn: false };

/**
 * Creates a chat with an assignment, its tasks, the entry into the root task, and the start of its run. Rows are
 * inserted in their final state: PostgreSQL re-checks all foreign keys of a row at each update in the same transaction.
 * If the definition or the workspace is held, the root task is entered after the resumption (`enterRootTask`).
 */
export async function beginAssignment(
  tx: Tx,
  { prepared, chat: newChat, definition, others }: NewAssignment,
  { outreach, now }: { outreach: Outreach; now: Date },
): Promise<{ opened: OpenedChat; machine: EnteringMachine }> {
  const { revisionId, memberId, isTest = false, createdByMemberId = null } = newChat;
  const { chatId, assignmentId, rootId, isWorkspaceHeld } = prepared;
  // Another revision may have been activated between the two look-ups.
  const isOfRevision = prepared.tasks[0]?.revisionId === revisionId;
  const tree = buildTaskTree(isOfRevision ? prepared.tasks : await loadRevisionTasks(tx, revisionId));
  const isHeld = definition.heldAt !== null || isWorkspaceHeld;
  const isAgentCalled = !isHeld && onlyRequestsTurn(tree.root);
  const chat = { ...newChat, definitionId: definition.id, id: chatId, version: isAgentCalled ? 1 : 0 };
  const run = { id: assignmentId, uuid: randomUUID(), memberId, chatId };
  const [opened, assignment, rows] = await Promise.all([
    openChat(tx, chat, now, others),
    insertAssignment(tx, {
      ...run,
      definitionId: definition.id,
      revisionId,
      currentTaskId: rootId,
      automaticSteps: isHeld ? 0 : 1,
      isTest,
      createdByMemberId,
      createdAt: now,
    }),
    insertAssignmentTasks(tx, { id: assignmentId, revisionId, rootId }, isHeld ? null : now),
    isHeld ? undefined : insertTimelineEntries(tx, [{ assignmentId, chatId, ...rootEntry(rootId) }]),
    // Must precede every poke that entering the root task may write.
    startAssignmentRun(tx, run, definition.name),
  ]);
  const { root } = tree;
  const entry = isHeld ? [] : [taskEnteredEvent(assignment, root, rootEntered(rootId))];
  await writeEvents(tx, [assignmentCreatedEvent(assignment), ...entry], now);
  const begun = machineOf({ tx, now, tree, isHeld, ofRun: true, chat: opened.chat, assignment }, rows);
  const machine = Object.assign(begun, { outreach });
  if (!isAgentCalled && !isHeld) await goOnFrom(machine, tree.root, entering);
  return { opened, machine };
}

/** Enters the root task of an assignment that began while it was held, if it has not been entered yet. */
export async function enterRootTask(machine: EnteringMachine): Promise<void> {
  const { tx, now } = machine;
  const task = currentTask(machine);
  const { id, visitedAt } = rowOf(machine, task);
  if (visitedAt !== null) return;
  machine.rows.set(task.id, await patchAssignmentTask(tx, id, { visitedAt: now }));
  machine.assignment = await patchAssignment(tx, machine.assignment.id, { automaticSteps: 1 });
  await note(machine, rootEntry(id));
  await writeEvents(tx, [taskEnteredEvent(machine.assignment, task, rootEntered(id))], now);
  await goOnFrom(machine, task, entering);
}

function rootEntered(assignmentTaskId: number) {
  return { assignmentTaskId, causedBy: entering.by };
}

function rootEntry(assignmentTaskId: number): Happening {
  return { kind: 'entered', assignmentTaskId, ...causeOf(entering) };
}
