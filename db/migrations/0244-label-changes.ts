import type { Knex } from 'knex';
import { lists, workspacesWith } from './0219-workspaces-with-work.js';
import { tenantTable } from './tenant-table.js';

const kinds = ['member', 'chat', 'file'];

export const listsWithLabelChanges = { ...lists, label_changes: 'label_changes where true' };

/**
 * What is left to be done after a label was deleted, or the slug of a member label changed: to visit all that
 * have it, in order of id. The database notes it, so that changes by the previous release are noted as well. A
 * further change begins the walk again.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    ${tenantTable(
      'label_changes',
      `kind text not null check (kind in ('member', 'chat', 'file')),
       label_id bigint not null,
       label_uuid uuid not null,
       deleted boolean not null,
       done_to bigint not null default 0,
       unique (workspace_id, kind, label_id)`,
    )}

    create function note_label_change() returns trigger language plpgsql as $$
    begin
      insert into label_changes (workspace_id, kind, label_id, label_uuid, deleted)
      values (old.workspace_id, tg_argv[0], old.id, old.uuid, tg_op = 'DELETE')
      on conflict (workspace_id, kind, label_id) do update set deleted = excluded.deleted, done_to = 0;
      return null;
    end $$;
    ${kinds
      .map(
        (kind) => `create trigger note_deletion after delete on ${kind}_labels
          for each row execute function note_label_change('${kind}');`,
      )
      .join('\n')}
    create trigger note_new_slug after update of slug on member_labels
      for each row when (old.slug <> new.slug) execute function note_label_change('member');

    ${workspacesWith(listsWithLabelChanges)}
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    ${workspacesWith(lists)}
    drop trigger note_new_slug on member_labels;
    ${kinds.map((kind) => `drop trigger note_deletion on ${kind}_labels;`).join('\n')}
    drop function note_label_change();
    drop table label_changes;
  `);
}
