import { spaceWords } from '../lib/search-words.js';
import { withTimeLimit } from '../lib/time-limit.js';
import { prepared } from '../statement.js';
import type { Tx } from '../tx.js';
import type { MessageAuthor, MessageRole } from './models/message.js';

/**
 * Reads a query as people write it ("exact words", or, -without) into the words that `selectFoundMessages` takes. A word of
 * three letters or more also finds words that begin with it, except in quotes. Empty: there is nothing to search for.
 */
export async function readMessageWords(tx: Tx, query: string): Promise<string> {
  const [read] = await prepared<{ words: string }>(
    tx,
    `select case when querytree(words) in ('', 'T') then '' else words::text end as words
     from search_words('pg_catalog.simple', ?, false, true) as words`,
    [spaceWords(query)],
  );
  return (read?.words ?? '').replace(wordOrPhrase, withItsEnds);
}

/** A word of a query as PostgreSQL writes it, and whether it is excluded; or words that stand together. */
const wordOrPhrase = /(!?)'((?:[^']|'')*)'(:\*)?((?: <(?:-|\d+)> '(?:[^']|'')*'(?::\*)?)*)/g;
const minBeginningLength = 3;

function withItsEnds(
  written: string,
  excluded: string,
  text: string,
  ends?: string,
  others?: string,
): string {
  const isWhole = excluded !== '' || others !== '' || ends !== undefined || text.length < minBeginningLength;
  return isWhole ? written : `${written}:*`;
}

export interface MessageSearch {
  /** From `readMessageWords`. */
  words: string;
  reader: {
    memberId: number;
    /** Whether the permission `chats:read` is in force. */
    readsAll: boolean;
  };
  chatId: number | null;
  /** The member of the chat. */
  memberId: number | null;
  createdFrom: Date | null;
  createdBefore: Date | null;
  /** Only messages that are older than this one. */
  beforeId: number | null;
  limit: number;
}

export interface FoundMessage {
  id: number;
  uuid: string;
  chatId: number;
  chatTitle: string | null;
  /** The member of the chat. */
  chatMemberId: number;
  role: MessageRole;
  author: MessageAuthor | null;
  memberId: number | null;
  createdAt: Date;
  /** So much of what it says as is searched. */
  text: string;
}

/** A query of words that a million messages have takes longer. */
const searchMs = 3_000;

/**
 * Returns the messages with these words that the reader may read, the newest first.
 * @throws an error that `isStatementCancelled` knows, after three seconds
 */
export async function selectFoundMessages(tx: Tx, search: MessageSearch): Promise<FoundMessage[]> {
  const { words, reader, chatId, memberId, createdFrom, createdBefore, beforeId, limit } = search;
  return withTimeLimit(tx, searchMs, () =>
    // Messages are read after the search, under the policies of the caller: joined, the search would lose its index.
    prepared<FoundMessage>(
      tx,
      `with hits as materialized (
         select message_id from search_messages(?::tsquery, ?, ?, ?, ?, ?, ?, ?, ?)
       )
       select m.id, m.uuid, m.chat_id as "chatId", c.title as "chatTitle", c.member_id as "chatMemberId", m.role,
         m.author, m.member_id as "memberId", m.created_at as "createdAt",
         left(case jsonb_typeof(m.content) when 'string' then m.content #>> '{}'
           else (select string_agg(part ->> 'text', E'\\n') from jsonb_array_elements(m.content) as part
             where part ->> 'type' = 'text') end, 50000) as text
       from hits join messages m on m.id = hits.message_id join chats c on c.id = m.chat_id
       where m.content is not null
       order by m.id desc`,
      [
        words,
        reader.memberId,
        reader.readsAll,
        chatId,
        memberId,
        createdFrom,
        createdBefore,
        beforeId,
        limit,
      ],
    ),
  );
}
