import { randomBytes, randomUUID } from 'node:crypto';
import type pg from 'pg';
import { afterAll, describe, expect, it } from 'vitest';
import { CreditBudgetModel, CreditMonthModel } from '../../db/agent/models/credit-budget.js';
import { MemberUsageMonthModel, TokenUsageDayModel, UsageDayModel } from '../../db/agent/models/usage-day.js';
import { AssignmentModel } from '../../db/assignments/models/assignment.js';
import { AssignmentTaskModel } from '../../db/assignments/models/assignment-task.js';
import { TimelineEntryModel } from '../../db/assignments/models/timeline-entry.js';
import { CallBridgeModel } from '../../db/calls/models/call-bridge.js';
import { PhoneCallModel } from '../../db/calls/models/phone-call.js';
import { DeliveryModel } from '../../db/channels/models/delivery.js';
import { ChatModel, ChatParticipantModel } from '../../db/conversations/models/chat.js';
import { FollowUpModel } from '../../db/conversations/models/follow-up.js';
import { MessageModel } from '../../db/conversations/models/message.js';
import { WorkflowRevisionModel } from '../../db/definitions/models/workflow-revision.js';
import { WorkflowTaskAbilityModel, WorkflowTaskModel } from '../../db/definitions/models/workflow-task.js';
import { EventModel } from '../../db/events/models/event.js';
import { WebhookAttemptModel } from '../../db/events/models/webhook-attempt.js';
import { WebhookHostModel } from '../../db/events/models/webhook-host.js';
import { FileModel } from '../../db/files/models/file.js';
import { FileAttachmentModel } from '../../db/files/models/file-attachment.js';
import { FileLabelLinkModel, FileLabelModel } from '../../db/files/models/file-label.js';
import { FilePassageModel } from '../../db/files/models/file-passage.js';
import { FileShareModel } from '../../db/files/models/file-share.js';
import { FileVersionModel } from '../../db/files/models/file-version.js';
import { FolderModel } from '../../db/files/models/folder.js';
import { StorageUsageModel, StoredObjectModel } from '../../db/files/models/stored-object.js';
import { PendingLabelUpdateModel } from '../../db/lib/models/pending-label-update.js';
import { MemberModel } from '../../db/people/models/member.js';
import { ErasedIdentifierModel } from '../../db/person-data/models/erased-identifier.js';
import { DataRecordModel } from '../../db/records/models/data-record.js';
import { DataRecordValueModel } from '../../db/records/models/data-record-value.js';
import { DataTypeModel } from '../../db/records/models/data-type.js';
import { StoredBytesModel } from '../../db/records/models/stored-bytes.js';
import { AssignmentPageModel } from '../../db/sites/models/assignment-page.js';
import { PagePassageModel } from '../../db/sites/models/page-passage.js';
import { SiteModel } from '../../db/sites/models/site.js';
import { SiteMenuItemModel } from '../../db/sites/models/site-menu-item.js';
import { SitePageModel } from '../../db/sites/models/site-page.js';
import { SitePageDocumentModel } from '../../db/sites/models/site-page-document.js';
import { SitePageRevisionModel } from '../../db/sites/models/site-page-revision.js';
import { SitePageSlugModel } from '../../db/sites/models/site-page-slug.js';
import { connect } from '../support/db/connect.js';
import { createTestDatabase } from '../support/db/database.js';
import { createWorkspace } from '../support/workspace/factories.js';

interface ForeignKey {
  name: string;
  table: string;
  columns: string[];
  target: string;
  targetColumns: string[];
}

interface Column {
  name: string;
  type: string;
  needed: boolean;
  /** The values that a check constraint allows; the test uses the first one. */
  allowed: string | null;
}

const testDatabase = await createTestDatabase();
const superuser = await connect(testDatabase.superuserUrl);
const app = await connect(testDatabase.appUrl);
const relay = await connect(testDatabase.relayUrl);

const tenantTables = await texts(`
  select c.relname from pg_class c
  join pg_namespace n on n.oid = c.relnamespace
  join pg_attribute a on a.attrelid = c.oid and a.attname = 'workspace_id'
  where c.relkind in ('r', 'p') and n.nspname not in ('identity', 'pg_catalog', 'information_schema')
  order by 1`);

const foreignKeys: ForeignKey[] = (
  await superuser.query(`
    select k.conname as name, t.relname as table, r.relname as target,
      array(select a.attname::text from unnest(k.conkey) with ordinality u(number, place)
        join pg_attribute a on a.attrelid = k.conrelid and a.attnum = u.number order by place) as columns,
      array(select a.attname::text from unnest(k.confkey) with ordinality u(number, place)
        join pg_attribute a on a.attrelid = k.confrelid and a.attnum = u.number order by place) as "targetColumns"
    from pg_constraint k
    join pg_class t on t.oid = k.conrelid
    join pg_class r on r.oid = k.confrelid
    join pg_namespace n on n.oid = t.relnamespace
    where k.contype = 'f' and n.nspname = 'public' and r.relnamespace = t.relnamespace
    order by 1`)
).rows;

/** The models whose statements are prepared. Their statements therefore name the columns. */
const namedModels = [
  AssignmentModel,
  AssignmentPageModel,
  AssignmentTaskModel,
  CallBridgeModel,
  ChatModel,
  ChatParticipantModel,
  CreditBudgetModel,
  CreditMonthModel,
  DataRecordModel,
  DataRecordValueModel,
  DataTypeModel,
  DeliveryModel,
  ErasedIdentifierModel,
  EventModel,
  FileAttachmentModel,
  FileLabelLinkModel,
  FileLabelModel,
  FileModel,
  FilePassageModel,
  FileShareModel,
  FileVersionModel,
  FolderModel,
  FollowUpModel,
  PendingLabelUpdateModel,
  MemberModel,
  MemberUsageMonthModel,
  MessageModel,
  PagePassageModel,
  PhoneCallModel,
  SiteMenuItemModel,
  SiteModel,
  SitePageDocumentModel,
  SitePageModel,
  SitePageRevisionModel,
  SitePageSlugModel,
  StorageUsageModel,
  StoredBytesModel,
  StoredObjectModel,
  TimelineEntryModel,
  TokenUsageDayModel,
  UsageDayModel,
  WebhookAttemptModel,
  WebhookHostModel,
  WorkflowRevisionModel,
  WorkflowTaskAbilityModel,
  WorkflowTaskModel,
].map((model): [string, { fields: readonly string[] }] => [model.tableName, model]);

const mine = await createWorkspace(testDatabase.database);
const theirs = await createWorkspace(testDatabase.database);

afterAll(async () => {
  await Promise.all([superuser.end(), app.end(), relay.end()]);
  await testDatabase.drop();
});

describe('the PostgreSQL catalogue', () => {
  it('has tenant tables and foreign keys between them to check', () => {
    expect(tenantTables).toEqual(expect.arrayContaining(['members', 'chats', 'assignments', 'outbox']));
    expect(foreignKeys.length).toBeGreaterThan(tenantTables.length);
  });

  it('has no table without workspace_id outside the identity schema, except those of the migrations', async () => {
    const others = await texts(
      `select tablename from pg_tables where schemaname = 'public' and tablename <> all ($1) order by 1`,
      [tenantTables],
    );
    expect(others).toEqual(['knex_migrations', 'knex_migrations_lock']);
  });
});

it('every row of a tenant table leads to its workspace by keys, except those of the outbox and of the journal of bytes', async () => {
  const { rows: keys } = await superuser.query<{ table: string; target: string }>(
    `select k.conrelid::regclass::text as table, k.confrelid::regclass::text as target from pg_constraint k
     where k.contype = 'f' and k.connamespace = 'public'::regnamespace and not exists (
       select from pg_attribute a where a.attrelid = k.conrelid and a.attnum = any(k.conkey) and not a.attnotnull)
     and exists (
       select from pg_attribute a
       where a.attrelid = k.conrelid and a.attnum = any(k.conkey) and a.attname = 'workspace_id')`,
  );
  const leading = new Set(['identity.workspaces']);
  for (let before = 0; before < leading.size; ) {
    before = leading.size;
    for (const { table, target } of keys) if (leading.has(target)) leading.add(table);
  }

  expect(tenantTables.filter((table) => !leading.has(table))).toEqual(['outbox', 'stored_bytes']);
});

describe.each(namedModels)('the fields of the model for %s', (table, { fields }) => {
  it('are exactly the columns that can be written', async () => {
    const columns = await texts(
      `select column_name from information_schema.columns
       where table_schema = 'public' and table_name = $1 and is_generated = 'NEVER' order by ordinal_position`,
      [table],
    );
    const named = fields.map((field) => field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
    expect([...named].sort()).toEqual([...columns].sort());
  });
});

describe.each(tenantTables)('table %s', (table) => {
  it('has row-level security enabled and forced, with policies for the roles that use it', async () => {
    const { rows } = await superuser.query(
      'select relrowsecurity, relforcerowsecurity from pg_class where oid = $1::regclass',
      [table],
    );
    expect(rows).toEqual([{ relrowsecurity: true, relforcerowsecurity: true }]);
    const { rows: policies } = await superuser.query(
      `select roles::text[] as roles, qual, with_check from pg_policies
       where schemaname = 'public' and tablename = $1 and permissive = 'PERMISSIVE'`,
      [table],
    );
    const own = policies.filter((policy) => policy.roles.includes('wes_app'));
    expect(own).toHaveLength(1);
    expect(own[0]).toMatchObject({ qual: expect.stringContaining('workspace_id = current_workspace()') });
    expect(own[0]?.with_check).toBe(own[0]?.qual);
    expect(policies.filter((policy) => policy.roles.includes('public'))).toEqual([]);
  });

  it('belongs to the migrator', async () => {
    const { rows } = await superuser.query(
      `select tableowner from pg_tables where schemaname = 'public' and tablename = $1`,
      [table],
    );
    expect(rows).toEqual([{ tableowner: 'wes_migrator' }]);
  });

  it('shows no row and accepts none when no workspace is set', async () => {
    await inTransaction(superuser, async () => {
      await insertRow(superuser, table, theirs.workspaceId);
      await superuser.query('set local role wes_app');
      const { rows } = await superuser.query(`select 1 from ${table}`);
      expect(rows).toEqual([]);
    });
    await inTransaction(app, () => expectRefused(table));
  });

  it('shows and changes no row of another workspace, and accepts none', async () => {
    await inTransaction(superuser, async () => {
      const { place } = await insertRow(superuser, table, theirs.workspaceId);
      await superuser.query('set local role wes_app');
      await setWorkspace(superuser, mine.workspaceId);
      expect((await superuser.query(`select 1 from ${table} where ctid = $1`, [place])).rows).toEqual([]);
      if (await mayUpdate(table)) {
        const update = `update ${table} set workspace_id = $1 where ctid = $2`;
        expect((await superuser.query(update, [mine.workspaceId, place])).rowCount).toBe(0);
      }
    });
    await inTransaction(app, async () => {
      await setWorkspace(app, mine.workspaceId);
      await expectRefused(table);
    });
  });
});

describe.each(foreignKeys.map((key) => [key.name, key] as const))('foreign key %s', (_name, key) => {
  it('includes the workspace on both sides', () => {
    expect([key.columns[0], key.targetColumns[0]]).toEqual(['workspace_id', 'workspace_id']);
    expect(key.columns).toHaveLength(2);
    expect(key.targetColumns[1]).toBe('id');
  });

  it('accepts a row of the same workspace and refuses one of another', async () => {
    const [, column = ''] = key.columns;
    await inTransaction(superuser, async () => {
      const { id: own } = await insertRow(superuser, key.target, mine.workspaceId);
      const { id: foreign } = await insertRow(superuser, key.target, theirs.workspaceId);
      // Without all other foreign keys, the row needs no other row, and neither does the target row when it changes
      // with it.
      for (const { name, table } of foreignKeys) {
        if ((table === key.table || table === key.target) && name !== key.name)
          await superuser.query(`alter table ${table} drop constraint ${name}`);
      }
      await superuser.query(`alter table ${key.table} disable trigger user`);
      await superuser.query('set constraints all immediate');
      const columns = await columnsOf(key.table);
      const insert = (id: number) =>
        superuser.query(...insertion(key.table, mine.workspaceId, columns, { [column]: id }));
      await superuser.query('savepoint before');
      expect((await insert(own)).rowCount).toBe(1);
      await superuser.query('rollback to before');
      // A superuser bypasses the policies, so it is the foreign key that refuses the row.
      await expect(insert(foreign)).rejects.toMatchObject({ code: '23503', constraint: key.name });
    });
  });
});

describe('the database roles', () => {
  it('are no superusers and cannot bypass row-level security', async () => {
    const { rows } = await superuser.query(
      `select rolname, rolsuper, rolbypassrls, rolcreaterole, rolcreatedb, rolreplication
       from pg_roles where rolname like 'wes\\_%' order by 1`,
    );
    const powers = ['rolsuper', 'rolbypassrls', 'rolcreaterole', 'rolcreatedb', 'rolreplication'];
    const powerless = Object.fromEntries(powers.map((power) => [power, false]));
    const roles = ['wes_app', 'wes_migrator', 'wes_relay', 'wes_search'];
    expect(rows).toEqual(roles.map((rolname) => ({ rolname, ...powerless })));
  });

  it('are not members of each other, except the migrator of the role of the search', async () => {
    const members = await texts(
      `select m.rolname || ' of ' || r.rolname from pg_auth_members a
       join pg_roles m on m.oid = a.member join pg_roles r on r.oid = a.roleid where m.rolname like 'wes\\_%'`,
    );
    expect(members).toEqual(['wes_migrator of wes_search']);
  });

  it('own nothing, except the migrator, and the role of the search its function', async () => {
    const owned = await texts(
      `with others as (select oid from pg_roles where rolname in ('wes_app', 'wes_relay', 'wes_search'))
       select relname from pg_class where relowner in (select oid from others)
       union select proname from pg_proc where proowner in (select oid from others)
       union select nspname from pg_namespace where nspowner in (select oid from others)`,
    );
    expect(owned.sort()).toEqual([
      'best_file_passages',
      'best_page_passages',
      'file_search_words',
      'page_passage_words',
      'page_search_words',
      'passage_words',
      'search_messages',
      'search_page_passages',
      'search_passages',
      'search_readable_passages',
    ]);
  });

  it('let wes_search read the columns that the search needs and nothing else, without a login', async () => {
    const readable = await texts(
      `select c.oid::regclass || '.' || a.attname from pg_class c join pg_namespace n on n.oid = c.relnamespace
       join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
       where c.relkind in ('r', 'p', 'v', 'm') and n.nspname in ('public', 'identity')
         and has_column_privilege('wes_search', c.oid, a.attnum, 'select, insert, update') order by c.relname, a.attnum`,
    );
    expect(readable).toEqual([
      'chat_participants.workspace_id',
      'chat_participants.chat_id',
      'chat_participants.member_id',
      'chats.id',
      'chats.workspace_id',
      'chats.member_id',
      'chats.created_by_member_id',
      'file_attachments.workspace_id',
      'file_attachments.file_id',
      'file_attachments.member_id',
      'file_passages.id',
      'file_passages.workspace_id',
      'file_passages.file_id',
      'file_passages.version_id',
      'file_passages.language',
      'file_passages.tsv',
      'files.id',
      'files.workspace_id',
      'files.folder_id',
      'files.owner_member_id',
      'files.access',
      'files.current_version_id',
      'messages.id',
      'messages.workspace_id',
      'messages.chat_id',
      'messages.role',
      'messages.content',
      'messages.sub_conversation_of',
      'messages.created_at',
      'page_passages.id',
      'page_passages.workspace_id',
      'page_passages.site_id',
      'page_passages.language',
      'page_passages.tsv',
      'sites.id',
      'sites.workspace_id',
      'sites.is_public',
    ]);
    const creatable = await texts(`select has_schema_privilege('wes_search', 'public', 'create')::text`);
    expect(creatable).toEqual(['false']);
    expect(await texts(`select rolcanlogin::text from pg_roles where rolname = 'wes_search'`)).toEqual([
      'false',
    ]);
  });

  it('do not let wes_app change the schema', async () => {
    for (const statement of [
      'create table mine ()',
      'create schema mine',
      'alter table members disable row level security',
    ]) {
      await expect(app.query(statement)).rejects.toMatchObject({ code: '42501' });
    }
  });

  it('let wes_relay read the outbox of all workspaces and nothing else', async () => {
    for (const { workspaceId } of [mine, theirs]) {
      await testDatabase.database.inWorkspace(workspaceId, (tx) =>
        tx('outbox').insert({
          workspace_id: workspaceId,
          run_type: 'runAssignment',
          subject: '00000000-0000-4000-8000-000000000001',
          action: 'start',
          input: '{}',
        }),
      );
    }
    const { rows } = await relay.query('select distinct workspace_id from outbox order by 1');
    expect(rows.map((row) => row.workspace_id)).toEqual([mine.workspaceId, theirs.workspaceId]);

    const readable = await texts(
      `select c.oid::regclass::text from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where c.relkind in ('r', 'p', 'v', 'm') and n.nspname in ('public', 'identity')
         and has_table_privilege('wes_relay', c.oid, 'select, insert, update, delete')`,
    );
    expect(readable).toEqual(['outbox']);
    const callable = await texts(
      `select proname from pg_proc where prosecdef and has_function_privilege('wes_relay', oid, 'execute') order by 1`,
    );
    expect(callable).toEqual([
      'due_deliveries',
      'due_scheduled_messages',
      'oldest_erasure_seconds',
      'overdue_turns',
    ]);
    await expect(relay.query('select 1 from members')).rejects.toMatchObject({ code: '42501' });
    await expect(relay.query('select 1 from identity.accounts')).rejects.toMatchObject({ code: '42501' });
  });
});

async function texts(query: string, values: unknown[] = []): Promise<string[]> {
  const { rows } = await superuser.query({ text: query, values, rowMode: 'array' });
  return rows.map(([text]) => String(text));
}

async function inTransaction(client: pg.Client, work: () => Promise<void>): Promise<void> {
  await client.query('begin');
  try {
    await work();
  } finally {
    await client.query('rollback');
  }
}

/** Row-level security refuses a row of the other workspace to the app. */
async function expectRefused(table: string): Promise<void> {
  const insert = app.query(...insertion(table, theirs.workspaceId, await columnsOf(table)));
  await expect(insert).rejects.toMatchObject({ code: '42501' });
}

async function setWorkspace(client: pg.Client, workspaceId: number): Promise<void> {
  await client.query(`select set_config('app.workspace_id', $1, true)`, [String(workspaceId)]);
}

async function mayUpdate(table: string): Promise<boolean> {
  const [may] = await texts(`select has_table_privilege('wes_app', $1, 'update')`, [table]);
  return may === 'true';
}

/** Columns without a default that a row needs, or that the test names. */
async function columnsOf(table: string): Promise<Column[]> {
  const { rows } = await superuser.query(
    `select a.attname as name, format_type(a.atttypid, null) as type,
       a.attnotnull and not a.atthasdef and a.attidentity = '' as needed,
       (select substring(pg_get_constraintdef(k.oid) from '''([^'']+)''') from pg_constraint k
        where k.conrelid = a.attrelid and k.contype = 'c' and k.conkey = array[a.attnum]) as allowed
     from pg_attribute a where a.attrelid = $1::regclass and a.attnum > 0 and not a.attisdropped
     order by a.attnum`,
    [table],
  );
  return rows;
}

let given = 0;
const samples: Record<string, () => unknown> = {
  bigint: () => ++given,
  integer: () => ++given,
  boolean: () => false,
  jsonb: () => '{}',
  uuid: () => randomUUID(),
  bytea: () => randomBytes(32),
  text: () => `text ${++given}`,
  tsvector: () => 'word',
  'timestamp with time zone': () => '2031-01-01T00:00:00Z',
  'text[]': () => [],
};

/** Of columns that not every value of their type suits. */
const samplesByName: Record<string, unknown> = { language: 'simple' };

/** Columns of which a check wants one. */
const subjectColumns: Record<string, readonly string[]> = {
  file_shares: ['file_id', 'folder_id'],
  file_attachments: ['chat_id', 'assignment_id', 'message_id', 'record_id'],
};

function insertion(
  table: string,
  workspaceId: number,
  columns: Column[],
  given: Record<string, unknown> = {},
): [string, unknown[]] {
  const values: Record<string, unknown> = { workspace_id: workspaceId };
  for (const column of columns) {
    if (column.needed)
      values[column.name] ??= column.allowed ?? samplesByName[column.name] ?? samples[column.type]?.();
  }
  Object.assign(values, given);
  const subjects = subjectColumns[table] ?? [];
  if (!subjects.some((name) => name in values)) for (const name of subjects.slice(0, 1)) values[name] = 1;
  const names = Object.keys(values);
  const places = names.map((_, index) => `$${index + 1}`);
  const returned = `ctid::text as place, to_jsonb(${table}) ->> 'id' as id`;
  return [`insert into ${table} (${names}) values (${places}) returning ${returned}`, Object.values(values)];
}

/** Inserts a row without the rows that it refers to: the triggers that check foreign keys are disabled meanwhile. */
async function insertRow(
  client: pg.Client,
  table: string,
  workspaceId: number,
): Promise<{ place: string; id: number }> {
  await client.query(`alter table ${table} disable trigger all`);
  const { rows } = await client.query(...insertion(table, workspaceId, await columnsOf(table)));
  await client.query(`alter table ${table} enable trigger all`);
  return { place: rows[0]?.place, id: Number(rows[0]?.id) };
}
