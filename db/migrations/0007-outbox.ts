import type { Knex } from 'knex';
import { tenantTable } from './tenant-table.js';

/** Work for Temporal, written in the transaction of the change that requires it, and delivered by the relay. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(
    [
      tenantTable(
        'outbox',
        `run_type text not null,
         subject uuid not null,
         action text not null check (action in ('start', 'poke')),
         input jsonb not null,
         attempts integer not null default 0,
         available_at timestamptz not null default now(),
         parked_at timestamptz,
         last_error_code text,
         created_at timestamptz not null default now()`,
        'select, insert',
      ),
      `create index on outbox (run_type, subject, id);
       create index on outbox (available_at, id) where parked_at is null;
       create policy relay on outbox to wes_relay using (true) with check (true);
       grant usage on schema public to wes_relay;
       grant select, update, delete on outbox to wes_relay;`,
    ].join('\n'),
  );
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table outbox; revoke usage on schema public from wes_relay;');
}
