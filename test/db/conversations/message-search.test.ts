import { beforeAll, describe, expect, it } from 'vitest';
import {
  type MessageSearch,
  readMessageWords,
  selectFoundMessages,
} from '../../../db/conversations/message-search.js';
import { useConnection } from '../../support/db/use-database.js';
import { createWorkspace, type TestWorkspace } from '../../support/workspace/factories.js';
import { useWorkspace } from '../../support/workspace/use-workspace.js';

/*
 * The search among many messages of two workspaces, a million in CI, filled in as fast as PostgreSQL can: 50 messages a
 * chat, a word that 10 messages of each workspace have, and one that all have.
 */

const { database, workspace } = useWorkspace();
const superuser = useConnection(() => database.superuserUrl);
const messages = Number(process.env.TEST_ROWS ?? 200_000);
const groups = messages / 20;
let other: TestWorkspace;

beforeAll(async () => {
  other = await createWorkspace(workspace.database);
  await superuser('set session_replication_role = replica');
  await superuser('set synchronous_commit = off');
  await superuser(`set maintenance_work_mem = '512MB'`);
  const { rows } = await superuser<{ indexdef: string }>(
    `select indexdef from pg_indexes where indexname = 'messages_folded_words'`,
  );
  await superuser('drop index messages_folded_words');
  for (const { workspaceId, member } of [workspace, other]) {
    await superuser(
      `with added as (
         insert into chats (workspace_id, channel, chat_type, member_id)
         select $1, 'web-chat', 'simple', case when i % 100 = 0 then $2::bigint else 1000000 end
         from generate_series(1, $3::bigint / 100) i returning id
       ), numbered as (select id, row_number() over () as place from added)
       insert into messages (workspace_id, chat_id, role, content)
       select $1, id, case m % 2 when 0 then 'user' else 'assistant' end,
         to_jsonb('common group' || ((place * 50 + m) % $4::bigint) || ' word' || m || ' and other' || (place % 997)
           || case when m % 25 = 7 then ' ' || translate('นัดหมาย' || ((place * 50 + m) % $4::bigint) || 'กับคุณหมอ',
             '0123456789', 'กขคฆงจฉชซฌ') else '' end)
       from numbered cross join generate_series(1, 50) m`,
      [workspaceId, member.memberId, messages, groups],
    );
  }
  await superuser(rows[0]?.indexdef ?? '');
  await superuser('set session_replication_role = origin');
}, 300_000);

interface Asked extends Partial<MessageSearch> {
  query: string;
}

function search({ query, ...asked }: Asked) {
  return workspace.within(async (tx) => {
    const words = await readMessageWords(tx, query);
    const reader = { memberId: workspace.admin.memberId, readsAll: true };
    const wanted = { chatId: null, memberId: null, createdFrom: null, createdBefore: null, beforeId: null };
    return selectFoundMessages(tx, { words, reader, ...wanted, limit: 20, ...asked });
  });
}

/** The plan of the search function, as the search role. */
async function planOf(query: string, settings: string[]): Promise<string> {
  const { rows: bodies } = await superuser<{ prosrc: string; proconfig: string[] }>(
    `select prosrc, proconfig from pg_proc where proname = 'search_messages'`,
  );
  await superuser('set role wes_search');
  await superuser(`select set_config('app.workspace_id', $1, false)`, [String(workspace.workspaceId)]);
  for (const setting of [...(bodies[0]?.proconfig ?? []), ...settings]) {
    const [name = '', value = ''] = setting.split('=');
    await superuser('select set_config($1, $2, false)', [name, value]);
  }
  const names = [
    'words',
    'reader',
    'reads_all',
    'of_chat',
    'of_member',
    'created_from',
    'created_before',
    'before_id',
    'most',
  ];
  const body = (bodies[0]?.prosrc ?? '').replace(
    new RegExp(`\\b(${names.join('|')})\\b`, 'g'),
    (name) => `$${names.indexOf(name) + 1}`,
  );
  const types = 'tsquery, bigint, boolean, bigint, bigint, timestamptz, timestamptz, bigint, integer';
  await superuser(`prepare search(${types}) as ${body}`);
  const { rows } = await superuser<{ 'QUERY PLAN': string }>(
    `explain execute search(${query}, ${workspace.member.memberId}, false, null, null, null, null, null, 20)`,
  );
  await superuser('deallocate search');
  await superuser('reset role');
  await superuser('reset enable_seqscan');
  await superuser('reset search_path');
  return rows.map((row) => row['QUERY PLAN']).join('\n');
}

/** As 10 messages of each workspace have it, within a longer run of letters. */
const thai = 'หมายฉจฆคกับ';

/** A query as an argument in SQL. */
async function wordsOf(query: string): Promise<string> {
  const words = await workspace.within((tx) => readMessageWords(tx, query));
  return `'${words.replaceAll("'", "''")}'`;
}

describe('among many messages', () => {
  it('the search finds the words by the index, with statistics and without', async () => {
    // Without statistics, PostgreSQL takes a smaller table for so small that it reads all of a workspace.
    for (const analyzed of messages < 1_000_000 ? [true] : [false, true]) {
      if (analyzed) await superuser('analyze messages');
      for (const planning of ['force_custom_plan', 'force_generic_plan']) {
        for (const word of ['group77', thai]) {
          const plan = await planOf(await wordsOf(word), [`plan_cache_mode=${planning}`]);
          expect(plan).toMatch(/Bitmap Index Scan on messages_folded_words[\s\S]*Index Cond: [^\n]*@@/);
        }
      }
    }
  });

  it('a rare word is found in all pages, each with little work, by a colleague and by a member', async () => {
    const all = await search({ query: 'group6543' });
    expect(all).toHaveLength(10);
    expect(await search({ query: thai })).not.toHaveLength(0);
    const first = await search({ query: 'group6543', limit: 4 });
    const second = await search({ query: 'group6543', limit: 20, beforeId: first.at(-1)?.id ?? 0 });
    expect([...first, ...second].map(({ id }) => id)).toEqual(all.map(({ id }) => id));

    const own = { memberId: workspace.member.memberId, readsAll: false };
    const found = await search({ query: 'word7', reader: own });
    expect(found).toHaveLength(20);
    expect(new Set(found.map(({ chatMemberId }) => chatMemberId))).toEqual(new Set([own.memberId]));
    const { rows } = await superuser<{ count: string }>(
      `select count(*) from messages m join chats c on c.id = m.chat_id
       where c.workspace_id = $1 and c.member_id = $2`,
      [workspace.workspaceId, own.memberId],
    );
    expect(Number(rows[0]?.count)).toBe(messages / 200);
  });

  it('reads few pages of the table for a rare word, and for a word that all messages have in one chat', async () => {
    const { rows } = await superuser<{ chat_id: number; messages: number }>(
      `select chat_id, count(*)::int as messages from messages where workspace_id = $1
       group by chat_id order by chat_id limit 1`,
      [workspace.workspaceId],
    );
    const [{ chat_id: chatId, messages: inChat } = { chat_id: 0, messages: 0 }] = rows;
    expect(await blocksOf(`'group6543', 0, true, null`)).toBeLessThan(2_000);
    expect(await blocksOf(`${await wordsOf(thai)}, 0, true, null`)).toBeLessThan(2_000);
    expect(await blocksOf(`'common', 0, true, ${chatId}`)).toBeLessThan(2_000);
    expect(inChat).toBe(50);
    expect(await search({ query: 'common', chatId, limit: 100 })).toHaveLength(inChat);
  });
});

/** The blocks that a search with these first arguments reads. */
async function blocksOf(given: string): Promise<number> {
  await superuser('set role wes_app');
  await superuser(`select set_config('app.workspace_id', $1, false)`, [String(workspace.workspaceId)]);
  const { rows } = await superuser<{
    'QUERY PLAN': [{ Plan: { 'Shared Hit Blocks': number; 'Shared Read Blocks': number } }];
  }>(
    `explain (analyze, buffers, format json)
     select * from search_messages(${given}, null, null, null, null, 100)`,
  );
  await superuser('reset role');
  const { Plan: plan } = rows[0]?.['QUERY PLAN'][0] ?? {
    Plan: { 'Shared Hit Blocks': 1e9, 'Shared Read Blocks': 0 },
  };
  return plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
}
