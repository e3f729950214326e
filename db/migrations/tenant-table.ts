/**
 * Returns SQL for a table that belongs to a workspace: keys, row-level security, policies and grants in one
 * place.
 *
 * Every tenant table has a `workspace_id`, is ENABLEd and FORCEd for row-level security, and is unique on
 * `(workspace_id, id)`, so that other tables can refer to it by a composite key (design rule 3). Where none does, or the
 * row refers to another row of the workspace, a later migration may have dropped what is implied.
 */
export function tenantTable(
  name: string,
  columns: string,
  grants = 'select, insert, update, delete',
): string {
  return `
    create table ${name} (
      id bigint generated always as identity primary key,
      workspace_id bigint not null references identity.workspaces (id),
      ${columns.trim()},
      unique (workspace_id, id)
    );
    ${tenantPolicies(name, grants)}
  `;
}

/** Returns SQL that makes the rows of a table with a `workspace_id` visible in that workspace only. */
export function tenantPolicies(name: string, grants = 'select, insert, update, delete'): string {
  return `
    alter table ${name} enable row level security;
    alter table ${name} force row level security;
    create policy tenant on ${name} to wes_app
      using (workspace_id = current_workspace()) with check (workspace_id = current_workspace());
    create policy migrator on ${name} to wes_migrator using (true) with check (true);
    grant ${grants} on ${name} to wes_app;
  `;
}

/** A foreign key inside the tenant: `(workspace_id, column)` → `table (workspace_id, id)`. */
export function tenantKey(column: string, table: string, onDelete = ''): string {
  return `foreign key (workspace_id, ${column}) references ${table} (workspace_id, id) ${onDelete}`.trim();
}

export const timestamps = `
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()`;

export const uuid = `uuid uuid not null default gen_random_uuid() unique`;

/**
 * Returns the SQL of a text with tables in short form: `create tenant table` is one of a workspace, in which a
 * column that `references` another tenant table does so inside the tenant, and `create identity table` one that
 * is read before a tenant is known. Both have an id, and wes_app has all rights to their rows.
 */
export function withTables(text: string): string {
  return text.replace(
    /create (tenant|identity) table (\w+) \(\n(.*?)\n {2}\);/gs,
    (_all, kind: string, name: string, columns: string) =>
      kind === 'tenant' ? tenantTable(name, withTenantKeys(columns)) : identityTable(name, columns),
  );
}

function identityTable(name: string, columns: string): string {
  return `
    create table identity.${name} (
      id bigint generated always as identity primary key,
      ${columns.trim()}
    );
    grant select, insert, update, delete on identity.${name} to wes_app;
  `;
}

/** Setting null means the column alone: `workspace_id` stays. */
function withTenantKeys(columns: string): string {
  const keys: string[] = [];
  const plain = columns.replace(
    /^( *(\w+) bigint(?: not null)?) references (\w+)( on delete (?:cascade|set null))?(?=,?$)/gm,
    (_all, column: string, name: string, table: string, onDelete = '') => {
      keys.push(tenantKey(name, table, onDelete.trim().replace('null', `null (${name})`)));
      return column;
    },
  );
  return [plain, ...keys].join(',\n');
}

/** Returns SQL that lets only these roles execute a function. */
export function executableBy(roles: string, name: string): string {
  return `revoke execute on function ${name} from public; grant execute on function ${name} to ${roles};`;
}
