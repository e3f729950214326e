import type { Knex } from 'knex';

/**
 * Gives entries of earlier releases their place among the messages, by time, and adds the conclusions. In a transaction
 * of its own, which locks none of what the previous release writes. What else happened before is not known.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    with happened as (
      select a.workspace_id, a.chat_id, e.created_at, 0 as rank, e.id, e.id as entry_id, null::bigint as concluded_id,
        null::integer as created_revision
      from assignment_timeline_entries e
      join assignments a on a.workspace_id = e.workspace_id and a.id = e.assignment_id
      where e.revision is null
      union all
      select a.workspace_id, a.chat_id, m.created_at, 1, m.id, null, null, m.created_revision
      from messages m join assignments a on a.workspace_id = m.workspace_id and a.chat_id = m.chat_id
      union all
      select a.workspace_id, a.chat_id, a.concluded_at, 2, a.id, null, a.id, null
      from assignments a where a.concluded_at is not null
        and not exists (select from assignment_timeline_entries e
          where e.workspace_id = a.workspace_id and e.assignment_id = a.id and e.kind = 'concluded')
    ), placed as materialized (
      select workspace_id, chat_id, created_at, entry_id, concluded_id,
        coalesce(max(created_revision) over (partition by chat_id order by created_at, rank, id), 0) as revision
      from happened
    ), entered as (
      update assignment_timeline_entries e set chat_id = placed.chat_id, revision = placed.revision
      from placed where e.id = placed.entry_id and e.revision is null
    )
    insert into assignment_timeline_entries
      (workspace_id, assignment_id, assignment_task_id, chat_id, kind, code, created_at, revision)
    select a.workspace_id, a.id, a.current_task_id, a.chat_id, 'concluded', a.status, a.concluded_at, placed.revision
    from placed join assignments a on a.id = placed.concluded_id;
  `);
}

/** Without it, the entries only have no place. */
export async function down(knex: Knex): Promise<void> {
  await knex.raw(`delete from assignment_timeline_entries where kind = 'concluded'`);
}
