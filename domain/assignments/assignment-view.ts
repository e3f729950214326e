import {
  type AssignmentDetails,
  type AssignmentTaskDetails,
  detailsOfAssignments,
  tasksOfAssignments,
} from '../../db/assignments/assignment-details.js';
import type { AssignmentRow } from '../../db/assignments/assignments.js';
import { filesOfAssignments } from '../../db/files/file-attachments.js';
import { countFitting } from '../../db/lib/within-bytes.js';
import { recordsOfAssignmentTasks, sizesOfAssignments } from '../../db/records/data-records.js';
import { type PageOfAssignment, pagesOfAssignments } from '../../db/sites/assignment-pages.js';
import type { Tx } from '../../db/tx.js';
import { type FileView, viewFiles } from '../files/files/file-view.js';
import type { Actor } from '../kernel/actor.js';
import { readerOf } from '../kernel/who-reads.js';
import { NotFound } from '../lib/errors.js';
import { type DataRecordView, withFiles } from '../records/data-records/queries/files-of-records.js';
import { accessModes } from '../records/data-records/record-access.js';

export interface AssignmentTaskView extends AssignmentTaskDetails {
  workflowId: number;
  children: AssignmentTaskView[];
}

export interface AssignmentView extends AssignmentRow {
  details: AssignmentDetails;
  rootTask: AssignmentTaskView | null;
  currentTask: AssignmentTaskView | null;
  tasks: ReadonlyMap<number, AssignmentTaskView>;
  /** Records written for its tasks that the caller may see: limited to the newest, sorted oldest first. */
  dataRecords: DataRecordView[];
  dataRecordsAreCut: boolean;
  /** Files attached to it that the caller may read, the latest first. */
  files: FileView[];
  filesAreCut: boolean;
  /** Published pages attached to it, in the order in which they were attached. */
  pages: PageOfAssignment[];
  pagesAreCut: boolean;
}

/** For any number of assignments it takes six queries, and five more for files. A list is first limited by `fittingAssignments`. */
export async function viewAssignments(
  tx: Tx,
  actor: Actor,
  assignments: readonly AssignmentRow[],
  now: Date,
): Promise<AssignmentView[]> {
  if (assignments.length === 0) return [];
  const ids = assignments.map(({ id }) => id);
  const visible = new Set(assignments.filter((one) => seesData(actor, one)).map(({ id }) => id));
  const known = new Map((await detailsOfAssignments(tx, ids)).map((row) => [row.assignmentId, row]));
  const tasks = await tasksOfAssignments(tx, ids);
  const { items: found, isCut } = await recordsOfAssignmentTasks(
    tx,
    tasks.filter((task) => visible.has(task.assignmentId)).map((task) => task.id),
  );
  const records = await withFiles(tx, actor, found);
  const filesOf = await viewFilesOf(tx, actor, ids, now);
  const attached = await viewPagesOf(tx, actor, ids);
  return assignments.map((assignment) => {
    const details = known.get(assignment.id);
    if (details === undefined) throw new Error(`assignment ${assignment.id} has no workflow`);
    const views = taskViews(assignment, tasks);
    return {
      ...assignment,
      details,
      rootTask: [...views.values()].find((task) => task.parentId === null) ?? null,
      currentTask: views.get(assignment.currentTaskId ?? 0) ?? null,
      tasks: views,
      dataRecords: records.filter(
        (record) =>
          record.assignmentTaskId !== null &&
          views.has(record.assignmentTaskId) &&
          (actor.can('data:read') ||
            (record.accessMode !== accessModes.hidden && !actor.isKeptFrom(record.updatedAt))),
      ),
      dataRecordsAreCut: isCut,
      ...filesOf(assignment.id),
      pages: attached.pages.filter(({ assignmentId }) => assignmentId === assignment.id),
      pagesAreCut: attached.cut.has(assignment.id),
    };
  });
}

/** A credential without the scope of reading sites gets none. */
async function viewPagesOf(tx: Tx, actor: Actor, assignmentIds: readonly number[]) {
  if (!actor.hasScope('sites:read')) return { pages: [], cut: new Set<number>() };
  return pagesOfAssignments(tx, assignmentIds);
}

/** Returns the first assignments whose details fit into one response, at least one. */
export async function fittingAssignments(
  tx: Tx,
  assignments: readonly AssignmentRow[],
): Promise<AssignmentRow[]> {
  const ids = assignments.map(({ id }) => id);
  return assignments.slice(0, countFitting(await sizesOfAssignments(tx, ids)));
}

/** Their answers have addresses of bytes, so that a credential without the scope of reading files gets none. */
async function viewFilesOf(
  tx: Tx,
  actor: Actor,
  assignmentIds: readonly number[],
  now: Date,
): Promise<(assignmentId: number) => Pick<AssignmentView, 'files' | 'filesAreCut'>> {
  if (!actor.hasScope('files:read')) return () => ({ files: [], filesAreCut: false });
  const found = await filesOfAssignments(tx, assignmentIds, readerOf(actor));
  const rows = new Map([...found.files.values()].flat().map((file) => [file.id, file]));
  const views = new Map((await viewFiles(tx, actor, [...rows.values()], now)).map((view) => [view.id, view]));
  return (assignmentId) => ({
    files: (found.files.get(assignmentId) ?? []).flatMap(({ id }) => views.get(id) ?? []),
    filesAreCut: found.cut.has(assignmentId),
  });
}

export async function viewAssignment(tx: Tx, actor: Actor, assignment: AssignmentRow, now: Date) {
  const [view] = await viewAssignments(tx, actor, [assignment], now);
  if (view === undefined) throw new Error('an assignment was given and none came back');
  return view;
}

/** Whether the actor may see the records of an assignment's member. */
export function seesData(actor: Actor, { memberId }: Pick<AssignmentRow, 'memberId'>): boolean {
  return memberId === actor.memberId || actor.can('data:read');
}

type AssignmentIds = Pick<AssignmentRow, 'id' | 'definitionId'>;

/** Returns every task of the assignment, with its subtasks, by its id. Expects parents before their children. */
function taskViews({ id, definitionId }: AssignmentIds, tasks: readonly AssignmentTaskDetails[]) {
  const views = new Map<number, AssignmentTaskView>();
  for (const task of tasks.filter(({ assignmentId }) => assignmentId === id)) {
    const view = { ...task, workflowId: definitionId, children: [] };
    views.set(task.id, view);
    if (task.parentId !== null) views.get(task.parentId)?.children.push(view);
  }
  return views;
}

/** @throws NotFound */
export async function findTaskView(
  tx: Tx,
  assignment: AssignmentIds,
  assignmentTaskId: number,
): Promise<AssignmentTaskView> {
  const task = taskViews(assignment, await tasksOfAssignments(tx, [assignment.id])).get(assignmentTaskId);
  if (task === undefined) throw new NotFound('Task');
  return task;
}
