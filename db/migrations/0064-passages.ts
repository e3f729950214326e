import type { Knex } from 'knex';
import { tenantKey, tenantTable } from './tenant-table.js';

/**
 * Passages of the texts of files, and their search. `@@` is not leakproof, so under a policy PostgreSQL reads every
 * passage of the workspace before it looks at the words. `search_passages` therefore runs as a role that no policy
 * filters: it enters the workspace itself, and returns ids of what the reader may see
 * (docs/decisions/0113-passages-are-searched-by-a-role-of-their-own.md). `db/files/readable-files.ts` has the same rule
 * for lists. `passage_words` reads a query in each language that the workspace has passages in, with the words that all
 * are needed or any of them.
 */
export async function up(knex: Knex): Promise<void> {
  await requireSearchRole(knex);
  await knex.raw(
    [
      'create extension if not exists btree_gin;',
      tenantTable(
        'file_passages',
        `file_id bigint not null,
         version_id bigint not null,
         page integer not null check (page > 0),
         ordinal integer not null,
         text text not null,
         language text collate "C" not null,
         tsv tsvector not null,
         unique (workspace_id, version_id, page, ordinal),
         ${tenantKey('file_id', 'files', 'on delete cascade')},
         ${tenantKey('version_id', 'file_versions', 'on delete cascade')}`,
      ),
      `create index on file_passages (workspace_id, file_id);
       create index on file_passages (workspace_id, language);
       -- Without a list of pending entries, which every search would read from its beginning to its end.
       create index file_passages_words on file_passages using gin (workspace_id, tsv) with (fastupdate = off);`,
      // Only columns that the search needs.
      `grant usage on schema public to wes_search;
       grant execute on function current_workspace() to wes_search;
       grant select (id, workspace_id, file_id, version_id, language, tsv) on file_passages to wes_search;
       grant select (id, workspace_id, folder_id, owner_member_id, access, current_version_id) on files to wes_search;
       grant select (workspace_id, file_id, member_id) on file_attachments to wes_search;
       create policy search on file_passages for select to wes_search using (true);
       create policy search on files for select to wes_search using (true);
       create policy search on file_attachments for select to wes_search using (true);`,
      `${passageWords}
       revoke execute on function passage_words(text, boolean) from public;
       grant execute on function passage_words(text, boolean) to wes_app;`,
      `create function search_passages(
         words tsquery, reader bigint, reads_all boolean, folders bigint[], most_ranked integer, most integer
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
               and (reads_all or f.access <> 'private' or f.owner_member_id = reader
                 or exists (select from public.file_attachments a
                   where a.workspace_id = f.workspace_id and a.member_id = reader and a.file_id = f.id))
             limit most_ranked
           )
           select p.id, ts_rank(p.tsv, words, 1) as rank from hits join public.file_passages p using (id)
           order by rank desc, p.id limit most
         $$;
       revoke execute on function search_passages(tsquery, bigint, boolean, bigint[], integer, integer) from public;
       grant execute on function search_passages(tsquery, bigint, boolean, bigint[], integer, integer) to wes_app;`,
      // A new owner must be allowed to create in the schema, for the moment of the change only.
      `grant create on schema public to wes_search;
       alter function passage_words(text, boolean) owner to wes_search;
       alter function search_passages(tsquery, bigint, boolean, bigint[], integer, integer) owner to wes_search;
       revoke create on schema public from wes_search;`,
    ].join('\n'),
  );
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

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop function passage_words(text, boolean);
    drop function search_passages(tsquery, bigint, boolean, bigint[], integer, integer);
    drop policy search on files;
    drop policy search on file_attachments;
    revoke select (id, workspace_id, folder_id, owner_member_id, access, current_version_id) on files from wes_search;
    revoke select (workspace_id, file_id, member_id) on file_attachments from wes_search;
    revoke execute on function current_workspace() from wes_search;
    revoke usage on schema public from wes_search;
    drop table file_passages;
    drop extension if exists btree_gin;
  `);
}

/** Reads a query in each language that the workspace has passages in. */
export const passageWords = `create function passage_words(query text, any_word boolean) returns tsquery
language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  with recursive spoken as (
    (select language from public.file_passages
     where workspace_id = public.current_workspace() order by language limit 1)
    union all
    select (select p.language from public.file_passages p
      where p.workspace_id = public.current_workspace() and p.language > spoken.language
      order by p.language limit 1)
    from spoken where spoken.language is not null
  ),
  languages as (
    select language from spoken where language is not null
    union all select 'simple' where not exists (select from spoken)
  ),
  read as (
    select case when any_word
      then replace(plainto_tsquery(language::regconfig, query)::text, ' & ', ' | ')::tsquery
      else websearch_to_tsquery(language::regconfig, query) end as words
    from languages
  )
  select coalesce(string_agg(distinct '(' || words::text || ')', ' | '), '')::tsquery
  from read where querytree(words) not in ('', 'T')
$$;`;
