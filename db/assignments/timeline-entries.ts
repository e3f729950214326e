import { columnsOf } from '../lib/table-model.js';
import { prepared, statement } from '../statement.js';
import type { Tx } from '../tx.js';
import { TimelineEntryModel, type TimelineEntryRow } from './models/timeline-entry.js';

export type { CausedBy, TimelineEntryRow } from './models/timeline-entry.js';

type Needed = 'assignmentId' | 'chatId' | 'kind';
type Set = Exclude<
  keyof TimelineEntryRow,
  Needed | 'id' | 'workspaceId' | 'revision' | 'times' | 'createdAt'
>;
export type NewTimelineEntry = Pick<TimelineEntryRow, Needed> & {
  [Field in Set]?: TimelineEntryRow[Field] | undefined;
};

/** Inserts entries in their order, in one statement. The caller holds the chat's row lock. */
export async function insertTimelineEntries(
  tx: Tx,
  entries: readonly NewTimelineEntry[],
): Promise<TimelineEntryRow[]> {
  if (entries.length === 0) return [];
  return TimelineEntryModel.insertAll(tx, entries.map(complete));
}

/** Rows that are inserted together have the same fields. */
function complete(entry: NewTimelineEntry) {
  return {
    assignmentId: entry.assignmentId,
    chatId: entry.chatId,
    kind: entry.kind,
    assignmentTaskId: entry.assignmentTaskId ?? null,
    fromAssignmentTaskId: entry.fromAssignmentTaskId ?? null,
    requestUuid: entry.requestUuid ?? null,
    causedBy: entry.causedBy ?? null,
    actorMemberId: entry.actorMemberId ?? null,
    code: entry.code ?? null,
    reason: entry.reason ?? null,
    until: entry.until ?? null,
    messageId: entry.messageId ?? null,
    ruleTaskId: entry.ruleTaskId ?? null,
  };
}

/** Names the member that acts in this transaction, for entries that triggers insert. */
export async function nameActingMember(tx: Tx, memberId: number): Promise<void> {
  await prepared(tx, `select set_config('app.acting_member', ?, true)`, [String(memberId)]);
}

export async function patchEntryReason(tx: Tx, entryId: number, reason: string): Promise<void> {
  await TimelineEntryModel.updateWhere(tx, { reason }, 'id = ?', [entryId]);
}

type Refusal = Pick<TimelineEntryRow, 'chatId' | 'assignmentTaskId' | 'code' | 'actorMemberId'>;

/**
 * Counts a repeated refusal: one for the same reason, task and person since a task was last entered.
 * @returns whether there was one
 */
export async function countRefusalAgain(
  tx: Tx,
  { chatId, assignmentTaskId, code, actorMemberId }: Refusal,
): Promise<boolean> {
  const counted = await prepared(
    tx,
    `update assignment_timeline_entries set times = times + 1
     where kind = 'refused' and chat_id = ? and assignment_task_id is not distinct from ? and code = ?
       and actor_member_id = ? and id > coalesce((
         select id from assignment_timeline_entries where chat_id = ? and kind = 'entered'
         order by revision desc, id desc limit 1), 0)
     returning id`,
    [chatId, assignmentTaskId, code, actorMemberId, chatId],
  );
  return counted.length > 0;
}

/** Lists the entries into tasks of an assignment that came after one, in their order. */
export async function selectVisitsAfter(tx: Tx, assignmentId: number, entryId: number) {
  const condition = `assignment_id = ? and id > ? and kind = 'entered' order by id`;
  return TimelineEntryModel.where(tx, condition, [assignmentId, entryId]);
}

/** How often a task of an assignment was entered. */
export async function countEntries(tx: Tx, assignmentId: number, assignmentTaskId: number): Promise<number> {
  const intoTask = `assignment_id = ? and kind = 'entered' and assignment_task_id = ?`;
  return TimelineEntryModel.count(tx, intoTask, [assignmentId, assignmentTaskId]);
}

export async function findEntryByRequest(tx: Tx, requestUuid: string): Promise<TimelineEntryRow | undefined> {
  return TimelineEntryModel.first(tx, 'request_uuid = ?', [requestUuid]);
}

/** An entry with what it names. */
export interface TimelineEntryDetails extends Omit<TimelineEntryRow, 'requestUuid' | 'workspaceId'> {
  taskId: number | null;
  taskName: string | null;
  fromTaskId: number | null;
  fromTaskName: string | null;
  ruleTaskName: string | null;
  ruleTaskGuard: string | null;
  ruleTaskCondition: string | null;
  messageUuid: string | null;
  /** Of the assignment, where it is concluded by this entry. */
  outcome: string | null;
  outcomeReason: string | null;
}

/** A place in a timeline: a revision of the chat, and in it the id of an entry; a message comes before all entries. */
export interface TimelinePlace {
  revision: number;
  entryId: number;
}

export interface TimelineRange {
  chatId: number;
  kinds: readonly string[];
  order: 'asc' | 'desc';
  /** The revision that the chat had: until then, entries and messages are complete. */
  upTo: number;
  /** Where the last page ended. */
  after?: TimelinePlace | undefined;
  limit: number;
}

export async function selectTimelineEntries(tx: Tx, range: TimelineRange): Promise<TimelineEntryDetails[]> {
  const { chatId, kinds, order, upTo, after, limit } = range;
  if (kinds.length === 0) return [];
  const from = after ? `and (revision, id) ${order === 'asc' ? '>' : '<'} (?, ?)` : '';
  const place = after ? [after.revision, after.entryId] : [];
  return withDetails(
    tx,
    `select * from assignment_timeline_entries
      where chat_id = ? and revision <= ? and kind = any(?::text[]) ${from}
      order by revision ${order}, id ${order} limit ?`,
    [chatId, upTo, [...kinds], ...place, limit],
    order,
  );
}

/** About as many entries of a read for followers as this: those of one transaction stay together. */
const aboutRead = 500;

/** Lists entries after one revision and up to another, in order, and up to which revision they are complete. */
export async function selectEntriesBetween(
  tx: Tx,
  chatId: number,
  { after, upTo }: { after: number; upTo: number },
): Promise<{ entries: TimelineEntryDetails[]; readTo: number }> {
  const between = 'chat_id = ? and revision > ? and revision <= ?';
  const bounds = [chatId, after, upTo];
  const entries = await withDetails(
    tx,
    `select * from assignment_timeline_entries
      where ${between} and revision <= coalesce((
        select revision from assignment_timeline_entries where ${between}
        order by revision, id limit 1 offset ?), ?)
      order by revision, id`,
    [...bounds, ...bounds, aboutRead - 1, upTo],
    'asc',
  );
  return { entries, readTo: entries.length < aboutRead ? upTo : (entries.at(-1)?.revision ?? upTo) };
}

const columns = columnsOf({
  tableName: 'e',
  fields: TimelineEntryModel.fields.filter((field) => field !== 'requestUuid' && field !== 'workspaceId'),
});

/** The tenant is compared in each join, although the policies do it too, so that the keys are used. */
async function withDetails(
  tx: Tx,
  entries: string,
  bindings: readonly unknown[],
  order: 'asc' | 'desc',
): Promise<TimelineEntryDetails[]> {
  const text = `
    select ${columns}, task.task_id as "taskId", definition.name as "taskName",
      source.task_id as "fromTaskId", source_definition.name as "fromTaskName",
      rule.name as "ruleTaskName", rule.cel_guard as "ruleTaskGuard", rule.cel_condition as "ruleTaskCondition",
      message.uuid as "messageUuid", ended.outcome, ended.outcome_reason as "outcomeReason"
    from (${entries}) e
    left join assignment_tasks task on task.workspace_id = e.workspace_id and task.id = e.assignment_task_id
    left join workflow_tasks definition
      on definition.workspace_id = e.workspace_id and definition.id = task.task_id
    left join assignment_tasks source
      on source.workspace_id = e.workspace_id and source.id = e.from_assignment_task_id
    left join workflow_tasks source_definition
      on source_definition.workspace_id = e.workspace_id and source_definition.id = source.task_id
    left join workflow_tasks rule on rule.workspace_id = e.workspace_id and rule.id = e.rule_task_id
    left join assignments ended
      on ended.workspace_id = e.workspace_id and ended.id = e.assignment_id and e.kind = 'concluded'
    left join messages message on message.workspace_id = e.workspace_id and message.id = e.message_id
    order by e.revision ${order}, e.id ${order}`;
  return statement<TimelineEntryDetails>(tx, text, bindings);
}
