import { executableBy, withTables } from '../tenant-table.js';

const definer = 'stable security definer set search_path = pg_catalog, pg_temp';

/** Reads a query in each language that the workspace has passages in. Without any it is read in none. */
const searchWords = (kind: string) => `
  create function ${kind}_search_words(query text, any_word boolean, as_written boolean) returns tsquery
    language sql ${definer}
    as $$
      with recursive spoken as (
        (select language from public.${kind}_passages
         where workspace_id = public.current_workspace() order by language limit 1)
        union all
        select (select p.language from public.${kind}_passages p
          where p.workspace_id = public.current_workspace() and p.language > spoken.language
          order by p.language limit 1)
        from spoken where spoken.language is not null
      ),
      languages as (
        select language from spoken where language is not null
        union all select 'simple' where not exists (select from spoken)
      ),
      read as (
        select public.search_words(language::regconfig, query, any_word, folded) as words
        from languages cross join (values (false), (true)) as forms(folded)
        where not (as_written and folded)
      )
      select coalesce(string_agg(distinct '(' || words::text || ')', ' | '), '')::tsquery
      from read where querytree(words) not in ('', 'T')
    $$;`;

const bounds = 'most_ranked integer, most integer';
const reader = 'reader bigint, reads_all boolean';
const member = `${reader}, reads_workspace boolean`;
const words = 'words tsquery';
const bothWords = `${words}, as_written tsquery`;

/** Those of D, which is a word as it is written, C, B and A. As written, a word counts ten times one without accents. */
const weights = `'{0.1, 0.1, 0.1, 0.01}'`;
const rank = `(ts_rank(${weights}, p.tsv, as_written, 1) + ts_rank(${weights}, p.tsv, words, 1) / 10)::real`;
const plainRank = 'ts_rank(p.tsv, words, 1)';

/** `db/files/readable-files.ts` has the same rule for lists. */
const searchOfFiles = (name: string, given: string, seenByAll: string, ranked: string) => `
  create function ${name}(${given}, folders bigint[], ${bounds}) returns table (passage_id bigint, rank real)
    language sql ${definer} set enable_seqscan = off
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
          and (reads_all or ${seenByAll} or f.owner_member_id = reader
            or exists (select from public.file_attachments a
              where a.workspace_id = f.workspace_id and a.member_id = reader and a.file_id = f.id))
        limit most_ranked
      )
      select p.id, ${ranked} as rank from hits join public.file_passages p using (id)
      order by rank desc, p.id limit most
    $$;`;

const searchOfPages = (name: string, given: string, ranked: string) => `
  create function ${name}(${given}, all_sites boolean, ${bounds}) returns table (passage_id bigint, rank real)
    language sql ${definer} set enable_seqscan = off
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
      select p.id, ${ranked} as rank from hits join public.page_passages p using (id)
      order by rank desc, p.id limit most
    $$;`;

const seenByMembers = `f.access = 'public' or (reads_workspace and f.access = 'workspace')`;

/**
 * What a message says: its first characters, because more could exceed what PostgreSQL takes as words of one text.
 */
const said = `left(
    case jsonb_typeof(content)
      when 'string' then content #>> '{}'
      else regexp_replace(
        jsonb_path_query_array(content, '$[*] \\? (@.type == "text").text')::text, '\\\\[bfnrt]', ' ', 'g')
    end, 50000)`;

/**
 * Bounded once more, because codes of characters are longer than the characters, and PostgreSQL takes 1 MB of words.
 */
const wordsOfMessage = `to_tsvector('pg_catalog.simple'::regconfig,
    left(public.search_text(${said}, true, false), 600000))`;

/** Notes, tool traffic and inner conversations are not searched: who may read a chat may read all that is. */
const isSaid = `role in ('user', 'assistant') and content is not null and sub_conversation_of is null`;

const isWanted = `(before_id is null or id < before_id)
          and (created_from is null or created_at >= created_from)
          and (created_before is null or created_at < created_before)`;

const folded = 'public.search_text(words::text, true, false)::tsquery';

/** The columns that the search role needs. */
const readable = {
  file_passages: 'id, workspace_id, file_id, version_id, language, tsv',
  files: 'id, workspace_id, folder_id, owner_member_id, access, current_version_id',
  file_attachments: 'workspace_id, file_id, member_id',
  page_passages: 'id, workspace_id, site_id, language, tsv',
  sites: 'id, workspace_id, is_public',
  messages: 'id, workspace_id, chat_id, role, content, sub_conversation_of, created_at',
  chats: 'id, workspace_id, member_id, created_by_member_id',
  chat_participants: 'workspace_id, chat_id, member_id',
};

/** The functions of the search role, and who else executes them. */
const functions = {
  'file_search_words(text, boolean, boolean)': 'wes_app, wes_search',
  'page_search_words(text, boolean, boolean)': 'wes_app, wes_search',
  'passage_words(text, boolean)': 'wes_app',
  'page_passage_words(text, boolean)': 'wes_app',
  'search_passages(tsquery, bigint, boolean, bigint[], integer, integer)': 'wes_app',
  'search_readable_passages(tsquery, bigint, boolean, boolean, bigint[], integer, integer)': 'wes_app',
  'best_file_passages(tsquery, tsquery, bigint, boolean, boolean, bigint[], integer, integer)': 'wes_app',
  'search_page_passages(tsquery, boolean, integer, integer)': 'wes_app',
  'best_page_passages(tsquery, tsquery, boolean, integer, integer)': 'wes_app',
  'search_messages(tsquery, bigint, boolean, bigint, bigint, timestamptz, timestamptz, bigint, integer)':
    'wes_app',
};

/**
 * The search of passages of files and pages, and of messages. `@@` is not leakproof, so under a policy PostgreSQL
 * reads every row of the workspace before it looks at the words. The search therefore runs as a role that no policy
 * filters: it enters the workspace itself, and returns ids of what the reader may see
 * (docs/decisions/0113-passages-are-searched-by-a-role-of-their-own.md).
 */
export const search = withTables(`
  create tenant table file_passages (
    file_id bigint not null references files on delete cascade,
    version_id bigint not null references file_versions on delete cascade,
    page integer not null check (page > 0),
    ordinal integer not null,
    text text not null,
    language text collate "C" not null,
    tsv tsvector not null,
    unique (workspace_id, version_id, page, ordinal)
  );
  create index on file_passages (workspace_id, file_id);
  create index on file_passages (workspace_id, language);
  -- Without a list of pending entries, which every search would read from its beginning to its end.
  create index file_passages_words on file_passages using gin (workspace_id, tsv) with (fastupdate = off);

  create tenant table page_passages (
    site_id bigint not null references sites on delete cascade,
    page_id bigint not null references site_pages on delete cascade,
    document_id bigint not null references site_page_documents on delete cascade,
    ordinal integer not null,
    text text not null,
    language text collate "C" not null,
    tsv tsvector not null,
    unique (workspace_id, document_id, ordinal)
  );
  create index on page_passages (workspace_id, site_id);
  create index on page_passages (workspace_id, page_id);
  create index on page_passages (workspace_id, language);
  create index page_passages_words on page_passages using gin (workspace_id, tsv) with (fastupdate = off);

  create function keep_search_vector() returns trigger language plpgsql set search_path = pg_catalog, pg_temp
    as $$ begin new.tsv := public.search_vector(new.language::regconfig, new.text); return new; end $$;
  revoke execute on function keep_search_vector() from public;
  create trigger keep_search_vector before insert or update of text, language on file_passages
    for each row execute function keep_search_vector();
  create trigger keep_search_vector before insert or update of text, language on page_passages
    for each row execute function keep_search_vector();

  ${Object.entries(readable)
    .map(
      ([table, columns]) => `grant select (${columns}) on ${table} to wes_search;
  create policy search on ${table} for select to wes_search using (true);`,
    )
    .join('\n  ')}

  ${searchWords('file')}
  ${searchWords('page')}
  ${searchOfFiles('best_file_passages', `${bothWords}, ${member}`, seenByMembers, rank)}
  ${searchOfPages('best_page_passages', bothWords, rank)}

  -- For processes of earlier releases.
  create function passage_words(query text, any_word boolean) returns tsquery language sql ${definer}
    as $$ select public.file_search_words(query, any_word, false) $$;
  create function page_passage_words(query text, any_word boolean) returns tsquery language sql ${definer}
    as $$ select public.page_search_words(query, any_word, false) $$;
  ${searchOfFiles('search_passages', `${words}, ${reader}`, `f.access <> 'private'`, plainRank)}
  ${searchOfFiles('search_readable_passages', `${words}, ${member}`, seenByMembers, plainRank)}
  ${searchOfPages('search_page_passages', words, plainRank)}

  -- New words of messages go to a list of pending entries first, of at most 1 MB: a message is then stored as fast as
  -- without the index, and a search reads the list as well
  -- (docs/decisions/0113-passages-are-searched-by-a-role-of-their-own.md).
  create index messages_folded_words on messages using gin (workspace_id, (${wordsOfMessage}))
    with (fastupdate = on, gin_pending_list_limit = 1024) where ${isSaid};
  create function search_messages(
    words tsquery, ${reader}, of_chat bigint, of_member bigint,
    created_from timestamptz, created_before timestamptz, before_id bigint, most integer
  ) returns table (message_id bigint)
    language sql ${definer} set enable_seqscan = off
    as $$
      with found as materialized (
        select id, chat_id from public.messages
        where of_chat is null and workspace_id = public.current_workspace() and ${wordsOfMessage} @@ ${folded}
          and ${isSaid} and ${isWanted}
        union all
        -- One chat is read message by message: the index would find those of all chats first.
        select id, chat_id from public.messages
        where chat_id = of_chat and workspace_id = public.current_workspace()
          and coalesce(${wordsOfMessage} @@ ${folded}, false) and ${isSaid} and ${isWanted}
      )
      select found.id from found join public.chats c
        on c.workspace_id = public.current_workspace() and c.id = found.chat_id
      where (of_member is null or c.member_id = of_member)
        and (reads_all or c.member_id = reader or c.created_by_member_id = reader
          or exists (select from public.chat_participants p
            where p.workspace_id = c.workspace_id and p.chat_id = c.id and p.member_id = reader))
      order by found.id desc limit most
    $$;

  -- A new owner must be allowed to create in the schema, for the moment of the change only.
  grant create on schema public to wes_search;
  ${Object.entries(functions)
    .map(([name, roles]) => `${executableBy(roles, name)} alter function ${name} owner to wes_search;`)
    .join('\n  ')}
  revoke create on schema public from wes_search;
`);
