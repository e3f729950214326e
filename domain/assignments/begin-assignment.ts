import { randomUUID } from 'node:crypto';
import { insertAssignmentTasks, insertVisit } from '../../db/assignments/assignment-tasks.js';
import {
  type AssignmentIds,
  insertAssignment,
  reserveAssignmentIds,
} from '../../db/assignments/assignments.js';
import type { NewChat } from '../../db/conversations/chats.js';
import type { Tx } from '../../db/database.js';
import {
  loadRevisionTasks,
  loadTasksInForce,
  type WorkflowTaskRow,
} from '../../db/definitions/workflow-tasks.js';
import { type OpenedChat, openChat } from '../chat-state/open-chat.js';
import { startAssignmentRun } from '../kernel/runs.js';
import { type Entering, goOnFrom } from './machine/enter-task.js';
import { onlyCallsAgent } from './machine/entry.js';
import { type Machine, machineOf, treeOf } from './machine/machine.js';

/** What can be asked for while it is looked up whether the assignment may begin. */
export interface PreparedAssignment {
  tasks: WorkflowTaskRow[];
  ids: AssignmentIds;
}

/** Asks for what beginning an assignment needs: ids, and the tasks of the revision that is named, else the active one. */
export async function prepareAssignment(
  tx: Tx,
  revision: { workflowId: number; workflowRevisionId?: number },
): Promise<PreparedAssignment> {
  const [tasks, ids] = await Promise.all([loadTasksInForce(tx, revision), reserveAssignmentIds(tx)]);
  return { tasks, ids };
}

/** A chat that is to be led through a workflow. */
export interface NewAssignment {
  prepared: PreparedAssignment;
  chat: NewChat & { revisionId: number };
  definition: { id: number; name: string };
  /** Members that take part besides the member and the assistant, with their roles. */
  others?: ReadonlyMap<number, string>;
}

const entering: Entering = { by: 'automatic', inTurn: false };

/**
 * Opens a chat with an assignment: all its tasks, the root current and entered, and the start of its run, in the
 * caller's transaction. They are stored together, as they will be once the root is entered: PostgreSQL checks all
 * foreign keys of a row anew for each update in the transaction that inserted it.
 */
export async function beginAssignment(
  tx: Tx,
  { prepared, chat: newChat, definition, others }: NewAssignment,
  now: Date,
): Promise<{ opened: OpenedChat; machine: Machine }> {
  const { revisionId, memberId, isTest = false, createdByMemberId = null } = newChat;
  const { chatId, assignmentId, rootId } = prepared.ids;
  // Another revision may have been activated between the two look-ups.
  const isOfRevision = prepared.tasks[0]?.revisionId === revisionId;
  const tree = treeOf(isOfRevision ? prepared.tasks : await loadRevisionTasks(tx, revisionId));
  const isAgentCalled = onlyCallsAgent(tree.root);
  const run = { id: assignmentId, uuid: randomUUID(), memberId, chatId };
  const [opened, assignment, rows] = await Promise.all([
    openChat(
      tx,
      { ...newChat, definitionId: definition.id, id: chatId, version: isAgentCalled ? 1 : 0 },
      now,
      others,
    ),
    insertAssignment(tx, {
      ...run,
      definitionId: definition.id,
      revisionId,
      currentTaskId: rootId,
      automaticSteps: 1,
      isTest,
      createdByMemberId,
    }),
    insertAssignmentTasks(tx, { id: assignmentId, revisionId, rootId }, now),
    insertVisit(tx, {
      assignmentId,
      assignmentTaskId: rootId,
      fromAssignmentTaskId: null,
      requestUuid: null,
      enteredBy: entering.by,
      actorMemberId: null,
    }),
    // Before anything the root does on entry asks for a poke.
    startAssignmentRun(tx, run, definition.name),
  ]);
  const machine = machineOf({ tx, now, tree, chat: opened.chat, assignment }, rows);
  if (!isAgentCalled) await goOnFrom(machine, tree.root, entering);
  return { opened, machine };
}
