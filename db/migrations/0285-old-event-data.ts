import type { Knex } from 'knex';
import { dueLists, has, workspacesDue } from './baseline/passes.js';
import { addIndex, givingWay } from './while-in-use.js';

export const config = { transaction: false };

const indexes = {
  event_rule_secrets_expiring: 'event_rule_secrets (workspace_id, expires_at) where expires_at is not null',
  event_rule_notices_by_creation: 'event_rule_notices (workspace_id, created_at)',
  event_rules_deleted: 'event_rules (workspace_id, deleted_at) where deleted_at is not null',
};

/** Nothing that `table` has of the workspace `w` refers to the row. */
const unusedBy = (table: string, column: string) =>
  `not exists (select from public.${table} u where u.workspace_id = w.id and u.${column} = r.id)`;

const oldEvents = has('events where r.created_at < $1');

const eventLists = {
  // A delivery is never older than its event.
  old_webhook_deliveries: oldEvents,
  old_events: oldEvents,
  old_event_rule_secrets: has('event_rule_secrets where r.expires_at is not null and r.expires_at <= $1'),
  old_event_rule_notices: has('event_rule_notices where r.created_at < $1'),
  old_handoff_notices: has('handoff_notices where r.created_at < $1'),
  old_event_rules: has('event_rules where r.deleted_at is not null and r.deleted_at < $1'),
  unused_webhook_endpoints: has(
    `webhook_endpoints where ${unusedBy('event_rules', 'webhook_endpoint_id')}
       and ${unusedBy('webhook_attempts', 'webhook_endpoint_id')}`,
  ),
  unused_webhook_hosts: has(`webhook_hosts where ${unusedBy('webhook_endpoints', 'webhook_host_id')}`),
};

/** Adds the lists of the nightly deletion of old event data, which entered each workspace that had any. */
export async function up(knex: Knex): Promise<void> {
  for (const [name, definition] of Object.entries(indexes)) await addIndex(knex, name, definition);
  await knex.raw(workspacesDue({ ...dueLists, ...eventLists }, ' or replace'));
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(workspacesDue(dueLists, ' or replace'));
  for (const name of Object.keys(indexes)) await givingWay(knex, `drop index if exists ${name}`);
}
