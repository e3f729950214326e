import type { Knex } from 'knex';
import { tenantKey, tenantTable } from './tenant-table.js';

/**
 * Passages of the published pages of sites, and their search, by the role and for the reasons of those of files (0064,
 * docs/decisions/0113-passages-are-searched-by-a-role-of-their-own.md). `indexed_version` of a document is the published version
 * that its passages are of.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(
    [
      tenantTable(
        'page_passages',
        `site_id bigint not null,
         page_id bigint not null,
         document_id bigint not null,
         ordinal integer not null,
         text text not null,
         language text collate "C" not null,
         tsv tsvector not null,
         unique (workspace_id, document_id, ordinal),
         ${tenantKey('site_id', 'sites', 'on delete cascade')},
         ${tenantKey('page_id', 'site_pages', 'on delete cascade')},
         ${tenantKey('document_id', 'site_page_documents', 'on delete cascade')}`,
      ),
      `alter table site_page_documents add column indexed_version integer;
       create index on site_page_documents (workspace_id, id)
         where published_version is not null and indexed_version is distinct from published_version;
       create index on page_passages (workspace_id, site_id);
       create index on page_passages (workspace_id, page_id);
       create index on page_passages (workspace_id, language);
       create index page_passages_words on page_passages using gin (workspace_id, tsv) with (fastupdate = off);
       grant select (id, workspace_id, site_id, language, tsv) on page_passages to wes_search;
       grant select (id, workspace_id, is_public) on sites to wes_search;
       create policy search on page_passages for select to wes_search using (true);
       create policy search on sites for select to wes_search using (true);`,
      `${pagePassageWords}
       revoke execute on function page_passage_words(text, boolean) from public;
       grant execute on function page_passage_words(text, boolean) to wes_app;`,
      `create function search_page_passages(words tsquery, all_sites boolean, most_ranked integer, most integer)
         returns table (passage_id bigint, rank real)
         language sql stable security definer set search_path = pg_catalog, pg_temp set enable_seqscan = off
         as $$
           with found as materialized (
             select id, site_id from public.page_passages
             where workspace_id = public.current_workspace() and tsv @@ words
           ),
           hits as (
             select found.id from found
             join public.sites s on s.workspace_id = public.current_workspace() and s.id = found.site_id
             where all_sites or s.is_public
             limit most_ranked
           )
           select p.id, ts_rank(p.tsv, words, 1) as rank from hits join public.page_passages p using (id)
           order by rank desc, p.id limit most
         $$;
       revoke execute on function search_page_passages(tsquery, boolean, integer, integer) from public;
       grant execute on function search_page_passages(tsquery, boolean, integer, integer) to wes_app;`,
      `grant create on schema public to wes_search;
       alter function page_passage_words(text, boolean) owner to wes_search;
       alter function search_page_passages(tsquery, boolean, integer, integer) owner to wes_search;
       revoke create on schema public from wes_search;`,
    ].join('\n'),
  );
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop function page_passage_words(text, boolean);
    drop function search_page_passages(tsquery, boolean, integer, integer);
    drop policy search on sites;
    revoke select (id, workspace_id, is_public) on sites from wes_search;
    drop table page_passages;
    alter table site_page_documents drop column indexed_version;
  `);
}

export const pagePassageWords = `create function page_passage_words(query text, any_word boolean) returns tsquery
language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  with recursive spoken as (
    (select language from public.page_passages
     where workspace_id = public.current_workspace() order by language limit 1)
    union all
    select (select p.language from public.page_passages p
      where p.workspace_id = public.current_workspace() and p.language > spoken.language
      order by p.language limit 1)
    from spoken where spoken.language is not null
  ),
  read as (
    select case when any_word
      then replace(plainto_tsquery(language::regconfig, query)::text, ' & ', ' | ')::tsquery
      else websearch_to_tsquery(language::regconfig, query) end as words
    from spoken where language is not null
  )
  select coalesce(string_agg(distinct '(' || words::text || ')', ' | '), '')::tsquery
  from read where querytree(words) not in ('', 'T')
$$;`;
