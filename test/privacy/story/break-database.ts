import { openBrowser } from '../../support/api/browser.js';
import { waitFor } from '../../support/lib/wait-for.js';
import { planted } from '../markers.js';
import { answered, type Stage } from '../stage.js';
import type { Configured } from './configure.js';
import type { SignedIn } from './sign-in.js';
import { said } from './text.js';

const refusing = [
  'members',
  'chats',
  'messages',
  'chat_labels',
  'data_records',
  'workflow_definitions',
  'identity.accounts',
];

/** What the database says; log lines and errors show that it was met. */
export const plantedRefusal = 'planted_refusal';

/** Quotes the row in its detail, as PostgreSQL does itself for tables without policies. */
const refusal = (word: string) => `
  create function ${plantedRefusal}() returns trigger language plpgsql as $$
  begin
    if new::text like '%${word}%' then
      raise exception using message = '${plantedRefusal}', detail = new::text, errcode = '23514';
    end if;
    return new;
  end $$`;

/** Rows that the database refuses, in requests, in a callback of the carrier and in an activity. */
export async function breakDatabase(
  stage: Stage,
  { dataTypeId }: Configured,
  person: SignedIn,
  memberId: number,
): Promise<void> {
  const word = planted('unstorable');
  await stage.superuser.query(refusal(word));
  for (const table of refusing) {
    await stage.superuser.query(
      `create trigger ${plantedRefusal} before insert or update on ${table}
       for each row execute function ${plantedRefusal}()`,
    );
  }
  const admin = stage.as();
  const chat = await stage.as(person)('POST', '/chats', { channel: 'web-chat' });
  const record = { memberId, fieldValues: { area: word } };
  for (const [method, path, body] of [
    ['POST', '/members', { name: word }],
    ['PUT', `/members/${memberId}`, { name: word }],
    ['PUT', `/chats/${chat.id}`, { title: word }],
    ['POST', `/chats/${chat.id}/messages`, { content: word }],
    ['POST', `/chats/${chat.id}/send-assistant-message`, { message: word }],
    ['POST', '/chat-labels', { name: 'Refused', description: word }],
    ['POST', `/data-types/${dataTypeId}/records`, record],
    ['POST', '/workflows', { name: 'Refused', description: word }],
  ] as const) {
    await admin(method, path, body, 500);
  }
  const account = openBrowser(stage.api);
  account.token = person.browser.token;
  answered(await account.request('POST', '/account', { body: { name: word } }), 500);
  await refuseInbound(stage, word);

  await refuseTurn(stage, person, chat, word);
}

async function refuseInbound({ system }: Stage, word: string): Promise<void> {
  const taken = await system.carrier.write(planted('strangerPhone'), planted('workspaceNumber'), word).then(
    () => true,
    () => false,
  );
  if (taken) throw new Error('the database took what it was to refuse');
}

/** The model says what cannot be stored: the activity fails, until it can. */
async function refuseTurn(
  stage: Stage,
  person: SignedIn,
  { id: chatId, uuid }: { id: number; uuid: string },
  word: string,
): Promise<void> {
  const before = stage.workerProcess.log().length;
  await stage.system.model.script([{ content: word }, { content: word }, { content: word }], 'Say it.');
  await stage.as(person)('POST', `/chats/${chatId}/messages`, { content: 'Say it.' });
  await waitFor('the activity has failed', () => stage.workerProcess.log().slice(before).includes('23514'));
  await stage.superuser.query(`drop function ${plantedRefusal} cascade`);
  await said(stage, chatId, word);
  // The history has the failed attempts once the last one is known to have succeeded.
  await waitFor('the history has the failure', async () =>
    JSON.stringify(await stage.system.run('answerChat', uuid).fetchHistory()).includes('23514'),
  );
}
