import type { Knex } from 'knex';
import { tenantTable } from './tenant-table.js';

const columns = `
  digest bytea not null,
  operation text not null,
  fingerprint bytea not null,
  status integer not null,
  answer text,
  resource_id bigint,
  created_at timestamptz not null`;
const grants = 'select, insert, delete';

/**
 * The outcomes of requests with an Idempotency-Key, with their answers. Answers contain what people wrote, so those of
 * a workspace are under its policy. Those of an account (its keys, its workspaces) have no tenant and are in
 * `identity`.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(
    [
      tenantTable('idempotency_keys', `${columns}, unique (workspace_id, digest)`, grants),
      `create index on idempotency_keys (workspace_id, created_at);
       create table identity.account_idempotency_keys (
         id bigint generated always as identity primary key,
         ${columns},
         unique (digest)
       );
       create index on identity.account_idempotency_keys (created_at);
       grant ${grants} on identity.account_idempotency_keys to wes_app;`,
    ].join('\n'),
  );
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table idempotency_keys; drop table identity.account_idempotency_keys;');
}
