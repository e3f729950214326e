import type { Knex } from 'knex';

/**
 * How a wait ended, and, for one that waits for an event, what it had seen of such events when it was entered
 * (`domain/assignments/machine/event-mark.ts`).
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table assignment_tasks
      add column ended_by text check (ended_by in ('time', 'time_limit', 'condition', 'event', 'reply')),
      add column event_mark bigint;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table assignment_tasks drop column ended_by, drop column event_mark;');
}
