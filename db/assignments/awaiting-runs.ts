import { idCondition } from '../lib/id-condition.js';
import { markOutbox } from '../outbox.js';
import { prepared } from '../statement.js';
import type { Tx } from '../tx.js';

/** Conditions on the current task `w`: a wait with a condition may read the member, whichever part of it has changed. */
const awaits = {
  records: `w.task_type = 'collect' or w.task_type = 'wait'
    and (w.configuration ->> 'event' like 'data_record:%' or w.configuration ->> 'condition' like '%member%')`,
  member: `w.task_type = 'wait'
    and (w.configuration ->> 'event' = 'member:updated' or w.configuration ->> 'condition' like '%member%')`,
} as const;

/** The reasons of an assignment that stands until an expression gives another result. */
export const reasonsOfExpressions = [
  'no_choice_holds',
  'required_unreachable',
  'no_way_on',
  'expression_failed',
] as const;

/**
 * `poking` for assignments whose current task awaits a change of the member or of its records, or that stand until an
 * expression gives another result. Scalar subqueries are evaluated for the assignments of these members alone;
 * PostgreSQL would read those of all members for an `in` beside an `or`.
 */
export function pokingOf(ofMembers: string, changed: keyof typeof awaits, areMany = false): string {
  return poking(
    `${ofMembers} and (
       (select ${awaits[changed]} from assignment_tasks t
        join workflow_tasks w on w.workspace_id = t.workspace_id and w.id = t.task_id
        where t.workspace_id = a.workspace_id and t.id = a.current_task_id)
       or (select c.standing_reason in ('${reasonsOfExpressions.join("', '")}')
        from chats c where c.workspace_id = a.workspace_id and c.id = a.chat_id))`,
    areMany,
  );
}

/**
 * SQL that pokes the runs of active assignments `a` with this condition. The input is `AssignmentRunInput`, as
 * `domain/kernel/runs.ts` writes it for a single assignment. `areMany`: they go behind what people wait for. `offset 0`
 * keeps PostgreSQL from walking through all in the order of ids, where sorting is disabled (`db/lib/index-order.ts`).
 */
function poking(condition: string, areMany: boolean): string {
  return `insert into outbox (workspace_id, run_type, subject, action, woken, input)
     select a.workspace_id, 'runAssignment', a.uuid, 'poke', ${areMany},
       jsonb_build_object('chatId', a.chat_id, 'memberId', a.member_id, 'assignmentId', a.id,
         'definitionName', (select name from workflow_definitions where id = a.definition_id),
         'workspaceId', a.workspace_id,
         'workspaceUuid', (select uuid from identity.workspaces where id = a.workspace_id))
     from (
       select id, uuid, workspace_id, chat_id, member_id, definition_id from assignments a
       where a.status = 'active' and ${condition} offset 0
     ) a
     order by a.id
     returning id`;
}

/** Pokes the runs that collect records of these members, or wait for a change of them, in one statement. */
export async function pokeRunsAwaitingRecords(tx: Tx, memberIds: readonly number[]): Promise<void> {
  await poke(tx, memberIds, 'records');
}

/** Pokes the runs that wait for a change of these members, in one statement. */
export async function pokeRunsAwaitingMembers(tx: Tx, memberIds: readonly number[]): Promise<void> {
  if (memberIds.length > 0) await poke(tx, memberIds, 'member');
}

/** Pokes the runs that wait for a change of these members, some of a crowd. @returns how many */
export async function pokeRunsAwaitingLabelled(tx: Tx, memberIds: readonly number[]): Promise<number> {
  return execute(tx, pokingOf('a.member_id = any(?::bigint[])', 'member', true), memberIds);
}

/** Pokes the runs of those of these assignments that are active. */
export async function pokeActiveRuns(tx: Tx, assignmentIds: readonly number[]): Promise<void> {
  await execute(tx, poking('a.id = any(?::bigint[])', true), assignmentIds);
}

async function poke(tx: Tx, memberIds: readonly number[], changed: keyof typeof awaits): Promise<void> {
  const { condition, binding } = idCondition('a.member_id', memberIds);
  await execute(tx, pokingOf(condition, changed, memberIds.length > 1), binding);
}

async function execute(tx: Tx, poking: string, binding: unknown): Promise<number> {
  const poked = await prepared(tx, poking, [binding]);
  if (poked.length > 0) markOutbox(tx);
  return poked.length;
}
