import type { Knex } from 'knex';
import { tenantKey, tenantTable } from './tenant-table.js';

/** By which imports know that somebody was erased meanwhile (docs/decisions/0212-imports-pass-over-who-was-erased.md). */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(
    [
      tenantTable(
        'erased_identifiers',
        `erasure_id bigint not null,
         digest bytea not null check (length(digest) = 32),
         erased_at timestamptz not null,
         unique (workspace_id, erasure_id, digest),
         ${tenantKey('erasure_id', 'person_erasures', 'on delete cascade')}`,
        'select, insert, delete',
      ),
      'create index on erased_identifiers (workspace_id, digest, erased_at);',
    ].join('\n'),
  );
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table erased_identifiers;');
}
