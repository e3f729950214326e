import type { PageOf, PageRequest } from '../../domain/lib/paging.js';
import { ChatModel, type ChatRow } from '../conversations/models/chat.js';
import { workspaceIsHeld } from '../definitions/workspace-holds.js';
import { queryInIndexOrder } from '../lib/index-order.js';
import { readPage } from '../lib/read-page.js';
import { prepared } from '../statement.js';
import type { Tx } from '../tx.js';
import {
  AssignmentCancellationModel,
  AssignmentModel,
  type AssignmentRow,
  type AssignmentStatus,
} from './models/assignment.js';
import { AssignmentTaskModel } from './models/assignment-task.js';

export type { AssignmentRow, AssignmentStatus } from './models/assignment.js';

/** The database has values for the other columns. */
type NewAssignment = Omit<
  AssignmentRow,
  'workspaceId' | 'status' | 'outcome' | 'outcomeReason' | 'concludedAt' | 'updatedAt'
>;

/**
 * Ids for a new chat, its assignment and its root task, reserved so that all of them can be stored together; and whether the
 * workspace is held.
 */
export async function reserveAssignmentIds(tx: Tx) {
  const [reserved] = await prepared<{
    chatId: number;
    assignmentId: number;
    rootId: number;
    isWorkspaceHeld: boolean;
  }>(
    tx,
    `select nextval('chats_id_seq') as "chatId", nextval('assignments_id_seq') as "assignmentId",
       nextval('assignment_tasks_id_seq') as "rootId", ${workspaceIsHeld} as "isWorkspaceHeld"`,
    [],
  );
  if (reserved === undefined) throw new Error('no ids were reserved');
  return reserved;
}

export async function insertAssignment(tx: Tx, assignment: NewAssignment): Promise<AssignmentRow> {
  return AssignmentModel.insert(tx, assignment);
}

export async function findAssignment(tx: Tx, assignmentId: number): Promise<AssignmentRow | undefined> {
  return AssignmentModel.find(tx, assignmentId);
}

export async function findAssignmentOfChat(tx: Tx, chatId: number): Promise<AssignmentRow | undefined> {
  return AssignmentModel.first(tx, 'chat_id = ?', [chatId]);
}

export async function lockChatOfAssignment(tx: Tx, assignmentId: number): Promise<ChatRow | undefined> {
  const condition = 'id = (select chat_id from assignments where id = ?) for update';
  return (await ChatModel.where(tx, condition, [assignmentId]))[0];
}

/** The chat's lock must be taken before. */
export async function lockAssignment(tx: Tx, assignmentId: number): Promise<AssignmentRow | undefined> {
  return AssignmentModel.first(tx, 'id = ? for update', [assignmentId]);
}

/** Undefined changes nothing. */
export type AssignmentChanges = { [Field in keyof AssignmentRow]?: AssignmentRow[Field] | undefined };

export async function patchAssignment(tx: Tx, id: number, changes: AssignmentChanges) {
  return AssignmentModel.patch(tx, id, { ...changes, updatedAt: new Date() });
}

export interface AssignmentFilter {
  memberId?: number;
  /** The `workflow_tasks` row of the assignment's current task. */
  taskId?: number;
  workflowId?: number;
  chatId?: number;
  isTest?: boolean;
  status?: AssignmentStatus;
  /** Whether nothing can move it. */
  standing?: boolean;
  createdFrom?: string;
  createdBefore?: string;
}

export type AssignmentSortField = 'createdAt' | 'updatedAt' | 'concludedAt' | 'status';

const sortColumns: Record<AssignmentSortField, string> = {
  createdAt: 'created_at',
  updatedAt: 'updated_at',
  concludedAt: 'concluded_at',
  status: 'status',
};

export async function selectAssignments(
  tx: Tx,
  filter: AssignmentFilter,
  page: PageRequest<AssignmentSortField>,
): Promise<PageOf<AssignmentRow>> {
  const query = AssignmentModel.query(tx);
  if (filter.memberId !== undefined) query.where('member_id', filter.memberId);
  if (filter.workflowId !== undefined) query.where('definition_id', filter.workflowId);
  if (filter.chatId !== undefined) query.where('chat_id', filter.chatId);
  if (filter.isTest !== undefined) query.where('is_test', filter.isTest);
  if (filter.status !== undefined) query.where('status', filter.status);
  if (filter.createdFrom !== undefined) query.where('created_at', '>=', new Date(filter.createdFrom));
  if (filter.createdBefore !== undefined) query.where('created_at', '<', new Date(filter.createdBefore));
  if (filter.taskId !== undefined) {
    const current = AssignmentTaskModel.query(tx).whereRaw(
      'assignment_tasks.id = assignments.current_task_id',
    );
    query.whereExists(current.where({ task_id: filter.taskId }));
  }
  if (filter.standing !== undefined) {
    const standing = ChatModel.query(tx).select('id').whereNotNull('standing_reason');
    query.where('status', 'active');
    if (filter.standing) query.whereIn('chat_id', standing);
    else query.whereNotIn('chat_id', standing);
  }
  return readPage(query, page, sortColumns[page.sortBy], 'id');
}

type AssignmentId = Pick<AssignmentRow, 'id' | 'uuid'>;

/** Lists active assignments in order of id, for the reconciler. */
export async function selectActiveAssignments(
  tx: Tx,
  afterId: number,
  limit: number,
): Promise<AssignmentId[]> {
  return queryInIndexOrder(tx, {
    text: `select id, uuid from assignments where status = 'active' and id > ? order by id limit ?`,
    bindings: [afterId, limit],
  });
}

/** Returns those of the assignments that are active. */
export async function findActiveAssignments(tx: Tx, uuids: readonly string[]): Promise<AssignmentId[]> {
  return findByUuids(tx, uuids, `status = 'active'`);
}

/** Returns those of the assignments whose runs may be open: they are active, or ended after `endedAfter`. */
export async function findWithOpenRuns(
  tx: Tx,
  uuids: readonly string[],
  endedAfter: Date,
): Promise<AssignmentId[]> {
  return findByUuids(tx, uuids, `(status = 'active' or concluded_at > ?)`, endedAfter);
}

/** Looks up one by one: PostgreSQL, which does not know how many uuids there are, may read the workspace for all at once. */
function findByUuids(tx: Tx, uuids: readonly string[], condition: string, ...bindings: unknown[]) {
  return queryInIndexOrder<AssignmentId>(tx, {
    text: `select found.id, found.uuid from unnest(?::uuid[]) as given (uuid) cross join lateral (
       select id, uuid from assignments where uuid = given.uuid and ${condition} limit 1) found`,
    bindings: [uuids, ...bindings],
  });
}

/** Resets the count of automatic steps, because a person or a timer has acted. */
export async function resetAutomaticSteps(tx: Tx, chatId: number): Promise<void> {
  const counted = `chat_id = ? and status = 'active' and automatic_steps > 0`;
  await AssignmentModel.updateWhere(tx, { automaticSteps: 0 }, counted, [chatId]);
}

/** Stores who requested a cancellation and why; the run gets only the row's uuid. */
export async function insertCancellation(
  tx: Tx,
  cancellation: { uuid: string; assignmentId: number; reason: string | null; actorMemberId: number },
): Promise<void> {
  await AssignmentCancellationModel.insert(tx, cancellation);
}

export async function findCancellation(
  tx: Tx,
  uuid: string,
): Promise<{ reason: string | null; actorMemberId: number | null } | undefined> {
  return AssignmentCancellationModel.first(tx, 'uuid = ?', [uuid]);
}
