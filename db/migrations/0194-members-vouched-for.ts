import type { Knex } from 'knex';

/**
 * What the workspace has vouched for of a member (docs/decisions/0223-who-is-nobody.md): `record`, that it has written the person down
 * itself, and `email` and `phone`, that the address is the person's. Empty for whoever has come by themselves: by a first message or call,
 * as a visitor of a site, or by a sign-up form. Of members of the last release, these are known by what was stored at the very moment
 * that they were made.
 *
 * `search_readable_passages` is `search_passages` (migration 0064) with whether the reader sees what every member may see. That one stays
 * for processes of the last release.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table members add column vouched_for text[] not null default '{}';

    update members set vouched_for = array_remove(array[
        'record',
        case when email is not null and not exists (select from unproved_identifiers u
          where u.workspace_id = members.workspace_id and u.member_id = members.id and u.channel = 'email'
            and u.address = members.email) then 'email' end,
        case when phone is not null and not exists (select from unproved_identifiers u
          where u.workspace_id = members.workspace_id and u.member_id = members.id and u.channel = 'phone'
            and u.address = members.phone) then 'phone' end
      ], null)
    where kind = 'human' and deleted_at is null
      and coalesce(name, email, phone, external_id) is not null
      and not exists (select from chats c
        where c.workspace_id = members.workspace_id and c.member_id = members.id
          and c.created_at = members.created_at and c.created_by_member_id is null)
      and not exists (select from identity.memberships s join identity.accounts a on a.id = s.account_id
        where s.workspace_id = members.workspace_id and s.member_id = members.id
          and a.signup_workspace_id = members.workspace_id and s.created_at = members.created_at);

    create function search_readable_passages(
      words tsquery, reader bigint, reads_all boolean, reads_workspace boolean, folders bigint[], most_ranked integer, most integer
    ) returns table (passage_id bigint, rank real)
      language sql stable security definer set search_path = pg_catalog, pg_temp set enable_seqscan = off
      as $$
        with found as materialized (
          select id, file_id, version_id from public.file_passages
          where workspace_id = public.current_workspace() and tsv @@ words
        ),
        hits as (
          select found.id
          from found join public.files f
            on f.workspace_id = public.current_workspace() and f.id = found.file_id
              and f.current_version_id = found.version_id
          where (folders is null or f.folder_id = any (folders))
            and (reads_all or f.access = 'public' or (reads_workspace and f.access = 'workspace')
              or f.owner_member_id = reader
              or exists (select from public.file_attachments a
                where a.workspace_id = f.workspace_id and a.member_id = reader and a.file_id = f.id))
          limit most_ranked
        )
        select p.id, ts_rank(p.tsv, words, 1) as rank from hits join public.file_passages p using (id)
        order by rank desc, p.id limit most
      $$;
    revoke execute on function search_readable_passages(tsquery, bigint, boolean, boolean, bigint[], integer, integer) from public;
    grant execute on function search_readable_passages(tsquery, bigint, boolean, boolean, bigint[], integer, integer) to wes_app;
    grant create on schema public to wes_search;
    alter function search_readable_passages(tsquery, bigint, boolean, boolean, bigint[], integer, integer) owner to wes_search;
    revoke create on schema public from wes_search;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop function search_readable_passages(tsquery, bigint, boolean, boolean, bigint[], integer, integer);
    alter table members drop column vouched_for;
  `);
}
