import type { Knex } from 'knex';

/** The state that the run of a chat's deliveries is woken for: an unknown outcome, or a late receipt. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(
    `alter table deliveries
       add column outcome_unknown boolean not null default false,
       add column receipt_due_at timestamptz;
     update deliveries set outcome_unknown = true where state = 'claimed';
     update deliveries set receipt_due_at = sent_at + interval '1 hour' where state = 'sent';
     create index on deliveries (workspace_id, receipt_due_at) where receipt_due_at is not null;`,
  );
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table deliveries drop column outcome_unknown, drop column receipt_due_at;');
}
