import type { Knex } from 'knex';

/**
 * The search of messages (docs/decisions/0130-messages-are-found-by-words-as-written.md): an index on the words of what
 * was said, and a function that runs as the search role, because under a policy PostgreSQL would read every message of
 * the workspace. It enters the workspace itself, finds what the reader may read, and returns ids.
 *
 * The index has the words as they stand, without stems and stop words, of the first 50,000 characters: more could exceed
 * what PostgreSQL takes as words of one text. Of content in parts it has those of the text parts; escapes of JSON are
 * replaced by spaces. New words go to a list of pending entries first, of at most 1 MB: a message is then stored as fast as
 * without the index, and a search reads the list as well.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    ${indexOfWords('messages_words', wordsOfMessage)}

    grant select (id, workspace_id, chat_id, role, content, sub_conversation_of, created_at) on messages to wes_search;
    grant select (id, workspace_id, member_id, created_by_member_id) on chats to wes_search;
    grant select (workspace_id, chat_id, member_id) on chat_participants to wes_search;
    create policy search on messages for select to wes_search using (true);
    create policy search on chats for select to wes_search using (true);
    create policy search on chat_participants for select to wes_search using (true);

    ${searchOfMessages(wordsOfMessage, 'words')}
    revoke execute on function search_messages${signature} from public;
    grant execute on function search_messages${signature} to wes_app;

    -- A new owner must be allowed to create in the schema, for the moment of the change only.
    grant create on schema public to wes_search;
    alter function search_messages${signature} owner to wes_search;
    revoke create on schema public from wes_search;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop function search_messages${signature};
    drop policy search on messages;
    drop policy search on chats;
    drop policy search on chat_participants;
    revoke select (id, workspace_id, chat_id, role, content, sub_conversation_of, created_at) on messages from wes_search;
    revoke select (id, workspace_id, member_id, created_by_member_id) on chats from wes_search;
    revoke select (workspace_id, chat_id, member_id) on chat_participants from wes_search;
    drop index messages_words;
  `);
}

export function indexOfWords(name: string, vector: string): string {
  return `create index ${name} on messages using gin (workspace_id, (${vector}))
      with (fastupdate = on, gin_pending_list_limit = 1024) where ${isSaid};`;
}

/** The function that searches messages. @param vector the words of a message @param words those that are searched for */
export function searchOfMessages(vector: string, words: string): string {
  return `create or replace function search_messages(
      words tsquery, reader bigint, reads_all boolean, of_chat bigint, of_member bigint,
      created_from timestamptz, created_before timestamptz, before_id bigint, most integer
    ) returns table (message_id bigint)
      language sql stable security definer set search_path = pg_catalog, pg_temp set enable_seqscan = off
      as $$
        with found as materialized (
          select id, chat_id from public.messages
          where of_chat is null and workspace_id = public.current_workspace() and ${vector} @@ ${words}
            and ${isSaid} and ${isWanted}
          union all
          -- One chat is read message by message: the index would find those of all chats first.
          select id, chat_id from public.messages
          where chat_id = of_chat and workspace_id = public.current_workspace()
            and coalesce(${vector} @@ ${words}, false) and ${isSaid} and ${isWanted}
        )
        select found.id from found join public.chats c
          on c.workspace_id = public.current_workspace() and c.id = found.chat_id
        where (of_member is null or c.member_id = of_member)
          and (reads_all or c.member_id = reader or c.created_by_member_id = reader
            or exists (select from public.chat_participants p
              where p.workspace_id = c.workspace_id and p.chat_id = c.id and p.member_id = reader))
        order by found.id desc limit most
      $$;`;
}

const signature = `(tsquery, bigint, boolean, bigint, bigint, timestamptz, timestamptz, bigint, integer)`;

/** Notes, tool traffic and inner conversations are not searched: who may read a chat may read all that is. */
export const isSaid = `role in ('user', 'assistant') and content is not null and sub_conversation_of is null`;

const isWanted = `(before_id is null or id < before_id)
            and (created_from is null or created_at >= created_from)
            and (created_before is null or created_at < created_before)`;

/** The first characters of what a message says. */
export const textOfMessage = `left(
  case jsonb_typeof(content)
    when 'string' then content #>> '{}'
    else regexp_replace(
      jsonb_path_query_array(content, '$[*] \\? (@.type == "text").text')::text, '\\\\[bfnrt]', ' ', 'g')
  end, 50000)`;

export const wordsOfMessage = `to_tsvector('pg_catalog.simple'::regconfig, ${textOfMessage})`;
