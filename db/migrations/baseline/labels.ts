import { timestamps, uuid, withTables } from '../tenant-table.js';

/**
 * Labels of members, chats and files. The links of a deleted label stay for a while, unseen, and are removed by and
 * by, so that they have no foreign key: instead the label is looked at when one is made.
 */
const labelsOf = (kind: string, more = '') => `
  create tenant table ${kind}_labels (
    ${uuid},
    name text not null,
    slug text not null,
    color text not null,${more}
    ${timestamps},
    unique (workspace_id, slug)
  );
  create trigger note_deletion after delete on ${kind}_labels
    for each row execute function note_label_change('${kind}');

  create tenant table ${kind}_label_links (
    ${kind}_id bigint not null references ${kind}s on delete cascade,
    ${kind}_label_id bigint not null,
    created_at timestamptz not null default now(),
    unique (workspace_id, ${kind}_id, ${kind}_label_id)
  );
  create index on ${kind}_label_links (workspace_id, ${kind}_label_id, ${kind}_id);
  create function ${kind}_label_exists() returns trigger language plpgsql as $$
  begin
    perform from ${kind}_labels
    where workspace_id = new.workspace_id and id = new.${kind}_label_id for key share;
    if not found then
      raise foreign_key_violation using message = 'the label does not exist', table = tg_table_name;
    end if;
    return null;
  end $$;
  create trigger label_exists after insert or update on ${kind}_label_links
    for each row execute function ${kind}_label_exists();
`;

const description = `
    description text not null default '',`;

export const labels = withTables(`
  -- What is left to be done after a label was deleted, or the slug of a member label changed: to visit all that have
  -- it, in order of id. A further change begins the walk again.
  create tenant table label_changes (
    kind text not null check (kind in ('member', 'chat', 'file')),
    label_id bigint not null,
    label_uuid uuid not null,
    deleted boolean not null,
    done_to bigint not null default 0,
    unique (workspace_id, kind, label_id)
  );
  create function note_label_change() returns trigger language plpgsql as $$
  begin
    insert into label_changes (workspace_id, kind, label_id, label_uuid, deleted)
    values (old.workspace_id, tg_argv[0], old.id, old.uuid, tg_op = 'DELETE')
    on conflict (workspace_id, kind, label_id) do update set deleted = excluded.deleted, done_to = 0;
    return null;
  end $$;
  ${labelsOf('member')}
  create trigger note_new_slug after update of slug on member_labels
    for each row when (old.slug <> new.slug) execute function note_label_change('member');
  ${labelsOf('chat', description)}
  ${labelsOf('file', description)}
`);
