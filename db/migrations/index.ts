import type { Knex } from 'knex';
import * as baseline from './0001-baseline.js';
import * as impliedKeys from './0255-keys-that-others-imply.js';
import * as undeliverableAtOnce from './0278-undeliverable-at-once.js';
import * as workspaceChanges from './0283-changes-of-a-workspace.js';
import * as heldWorkflows from './0284-held-workflows.js';
import * as oldEventData from './0285-old-event-data.js';
import * as messageTemplates from './0293-message-templates.js';
import * as disabledMembers from './0296-disabled-members.js';
import * as standingChats from './0300-standing-chats.js';
import * as figuresByTime from './0317-figures-by-time.js';

interface NamedMigration {
  name: string;
  migration: Knex.Migration;
}

/**
 * All migrations in their order. Names are stored in the database, so the name of a released migration never changes.
 */
const migrations: NamedMigration[] = [
  { name: '0001-baseline', migration: baseline },
  { name: '0255-keys-that-others-imply', migration: impliedKeys },
  { name: '0278-undeliverable-at-once', migration: undeliverableAtOnce },
  { name: '0283-changes-of-a-workspace', migration: workspaceChanges },
  { name: '0284-held-workflows', migration: heldWorkflows },
  { name: '0285-old-event-data', migration: oldEventData },
  { name: '0293-message-templates', migration: messageTemplates },
  { name: '0296-disabled-members', migration: disabledMembers },
  { name: '0300-standing-chats', migration: standingChats },
  { name: '0317-figures-by-time', migration: figuresByTime },
];

export const migrationNames: readonly string[] = migrations.map((migration) => migration.name);

/**
 * The list in the form that knex takes. It is written out, so that compiled and uncompiled code run the same
 * migrations.
 */
export const migrationSource: Knex.MigrationSource<NamedMigration> = {
  getMigrations: async () => migrations,
  getMigrationName: ({ name }) => name,
  getMigration: async ({ migration }) => migration,
};
