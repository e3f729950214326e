import type { Knex } from 'knex';
import { agent } from './baseline/agent.js';
import { assignments, timelines } from './baseline/assignments.js';
import { calls } from './baseline/calls.js';
import { deliveries, email } from './baseline/channels.js';
import { chatTriggers } from './baseline/chat-triggers.js';
import { conversations } from './baseline/conversations.js';
import { crawls } from './baseline/crawls.js';
import { definitions } from './baseline/definitions.js';
import { events } from './baseline/events.js';
import { files } from './baseline/files.js';
import { identity } from './baseline/identity.js';
import { labels } from './baseline/labels.js';
import { numbers } from './baseline/numbers.js';
import { oauth } from './baseline/oauth.js';
import { organizations } from './baseline/organizations.js';
import { outbox } from './baseline/outbox.js';
import { passes } from './baseline/passes.js';
import { memberImports, people } from './baseline/people.js';
import { personData } from './baseline/person-data.js';
import { records } from './baseline/records.js';
import { requests } from './baseline/requests.js';
import { schema } from './baseline/schema.js';
import { search } from './baseline/search.js';
import { pages, sites, siteVersions } from './baseline/sites.js';
import { words } from './baseline/words.js';

/** In an order that foreign keys allow. */
const areas = [
  schema,
  identity,
  organizations,
  oauth,
  requests,
  people,
  numbers,
  records,
  definitions,
  conversations,
  assignments,
  timelines,
  files,
  memberImports,
  labels,
  chatTriggers,
  deliveries,
  email,
  calls,
  agent,
  personData,
  sites,
  pages,
  siteVersions,
  crawls,
  events,
  outbox,
  words,
  search,
  passes,
];

/**
 * The whole schema, as the migrations before it had made it (docs/decisions/0262-one-baseline.md). Columns
 * stand in the order in which they were added, and constraints that were added to tables with rows are not
 * validated: a new database has the same catalogue as an old one.
 */
export async function up(knex: Knex): Promise<void> {
  await requireSearchRole(knex);
  for (const area of areas) await knex.raw(area);
}

/** @throws with the command that creates the role, if it is missing */
async function requireSearchRole(knex: Knex): Promise<void> {
  const { rows } = await knex.raw(
    `select from pg_roles where rolname = 'wes_search' and pg_has_role(current_user, oid, 'member')`,
  );
  if (rows.length > 0) return;
  throw new Error(
    'The role wes_search is missing, or wes_migrator is no member of it: run `node dist/db/migrate.js provision` first.',
  );
}

/** Drops everything, except what the migrator itself keeps. */
export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop schema identity cascade;
    do $$
    declare dropped record;
    begin
      for dropped in
        select format('drop table %s cascade', oid::regclass) as statement from pg_class
        where relnamespace = 'public'::regnamespace and relkind = 'r' and relname not like 'knex_migrations%'
      loop
        execute dropped.statement;
      end loop;
      drop extension btree_gin;
      for dropped in
        select format('drop function %s cascade', oid::regprocedure) as statement from pg_proc
        where pronamespace = 'public'::regnamespace
      loop
        execute dropped.statement;
      end loop;
    end $$;
    revoke usage on schema public from wes_app, wes_relay, wes_search;
  `);
}
