import { expect, it } from 'vitest';
import { withTables } from '../../db/migrations/tenant-table.js';

const plain = (sql: string) => sql.replaceAll(/\s+/g, ' ').trim();

it('a reference of a tenant table stays in the tenant, and sets its own column alone to null', () => {
  const sql = plain(
    withTables(`
  create tenant table notes (
    member_id bigint not null references members on delete cascade,
    file_id bigint references files on delete set null,
    account_id bigint references identity.accounts (id),
    text text not null,
    unique (workspace_id, member_id)
  );
  create index on notes (workspace_id, file_id);
`),
  );

  expect(sql).toContain(
    `create table notes ( id bigint generated always as identity primary key,
     workspace_id bigint not null references identity.workspaces (id), member_id bigint not null, file_id bigint,
     account_id bigint references identity.accounts (id), text text not null, unique (workspace_id, member_id),
     foreign key (workspace_id, member_id) references members (workspace_id, id) on delete cascade,
     foreign key (workspace_id, file_id) references files (workspace_id, id) on delete set null (file_id),
     unique (workspace_id, id) );`.replaceAll(/\s+/g, ' '),
  );
  expect(sql).toContain('alter table notes force row level security;');
  expect(sql).toContain('create index on notes (workspace_id, file_id);');
});

it('an identity table has no policies', () => {
  const sql = withTables('create identity table notes (\n    text text not null\n  );');

  expect(plain(sql)).toBe(
    'create table identity.notes ( id bigint generated always as identity primary key, text text not null ); ' +
      'grant select, insert, update, delete on identity.notes to wes_app;',
  );
});
