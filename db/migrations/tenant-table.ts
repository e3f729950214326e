/**
 * Returns SQL for a table that belongs to a workspace: keys, row-level security, policies and grants in one place.
 *
 * Every tenant table has a `workspace_id`, is ENABLEd and FORCEd for row-level security, and is unique on
 * `(workspace_id, id)`, so that other tables can refer to it by a composite key (design rule 3).
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
