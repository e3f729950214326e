import { expect, it } from 'vitest';
import { signUpDesk } from '../../../../api/identity/sign-up/sign-up-desk.js';
import { stageAssignment } from '../../../../support/chats/staged-assignment.js';
import { importAs } from '../../../../support/records/import-records.js';
import { useRecords } from '../../../../support/records/use-records.js';
import { namesOf, toldDuring } from '../../../../support/webhooks/told-events.js';
import { uniqueEmail } from '../../../../support/workspace/factories.js';
import { call, runToolCall, Turn } from '../../../agent/take-round.js';
import { describePaths } from './path-cases.js';

const suite = useRecords();
const created = ['data_record:created', 'data_record:changed created'];
const updated = ['data_record:updated', 'data_record:changed updated'];

const post = (path: string, body: object) => suite.asAdmin('POST', path, body);
const cough = { fieldValues: { reason: 'Cough' } };
const fever = { fieldValues: { reason: 'Fever' } };
const make = async () => (await post(suite.collection.path, cough)).body.id;
const upsert = (body: object) => post(`/data-types/${suite.collection.id}/upsert/theirs`, body);
const upserted = async () => (await upsert(cough)).body.id;
const at = (id: number, rest = '') => `${suite.collection.path}/${id}${rest}`;
const put = (id: number, body: object) => suite.asAdmin('PUT', at(id), body);
const importCsv = (...lines: string[]) =>
  importAs(
    suite.api,
    suite.workspace,
    suite.workspace.admin,
  )(`${suite.collection.path}/import`, ['__externalId,reason', ...lines].join('\n'));

/** The stored tool call with which the agent saves a record, by the id of the chat. */
const called = new Map<number, () => Promise<object>>();
async function agentCalls(reason: string): Promise<number> {
  const saving = {
    abilityType: 'save_data',
    config: { dataTypeSlug: suite.single.slug, fieldSlugs: ['reason'] },
  };
  const abilities = [saving, { abilityType: 'handoff' }];
  const task = { name: 'Ask', taskType: 'conversation', prompt: 'Ask.', abilities };
  const staged = await stageAssignment(suite.workspace, task);
  const answered = await new Turn(staged).take(call(['save_data', { reason }]));
  const [toolCallId = ''] = answered.kind === 'tools' ? answered.toolCallIds : [];
  called.set(staged.chatId, () => runToolCall(staged, toolCallId));
  return staged.chatId;
}

describePaths(suite, [
  { path: 'a record that is made', act: () => post(suite.collection.path, cough), told: created },
  { path: 'one that is changed', given: make, act: (id) => put(id, fever), told: updated },
  { path: 'one that is given what it has', given: make, act: (id) => put(id, cough), told: [] },
  {
    path: 'one that is refused',
    act: () => post(suite.collection.path, { fieldValues: {} }),
    told: [],
    refused: true,
  },
  { path: 'an upsert of a new one', act: () => upsert(cough), told: created },
  { path: 'an upsert that changes', given: upserted, act: () => upsert(fever), told: updated },
  { path: 'an upsert that says the same', given: upserted, act: () => upsert(cough), told: [] },
  {
    path: 'a batch',
    given: upserted,
    act: () =>
      post(`${suite.collection.path}/bulk`, {
        records: [{ ...fever, externalId: 'theirs' }, { fieldValues: {} }, { ...cough, externalId: 'new' }],
      }),
    told: [...updated, ...created],
  },
  {
    path: 'a batch of all or nothing with a mistake',
    act: () => post(`${suite.collection.path}/bulk`, { records: [cough, { fieldValues: {} }], atomic: true }),
    told: [],
    refused: true,
  },
  {
    path: 'an import',
    given: upserted,
    act: () => importCsv('theirs,Fever', 'new,Cough', 'mistaken,'),
    told: [...updated, ...created],
  },
  { path: 'an import that says the same', given: upserted, act: () => importCsv('theirs,Cough'), told: [] },
  { path: 'one that is retired', given: make, act: (id) => post(at(id, '/retire'), {}), told: updated },
  {
    path: 'one that is retired and restored',
    given: make,
    act: async (id) => [await post(at(id, '/retire'), {}), await suite.asAdmin('POST', at(id, '/restore'))],
    told: [...updated, ...updated],
  },
  { path: 'one that is deleted', given: make, act: (id) => suite.asAdmin('DELETE', at(id)), told: [] },
  {
    path: 'what the agent saves',
    given: () => agentCalls('Cough'),
    act: async (chatId) => called.get(chatId)?.(),
    told: created,
  },
  {
    path: 'what somebody signs up with',
    act: () =>
      signUpDesk(suite.api, suite.workspace)(
        { email: uniqueEmail() },
        { [suite.single.slug]: { values: { reason: 'Cough' } } },
      ),
    told: ['member:created', ...created],
  },
]);

it('fifty upserts of one record at once emit its creation once', async () => {
  const events = await toldDuring(suite.workspace, () =>
    Promise.all(Array.from({ length: 50 }, () => upsert(cough))),
  );

  expect(namesOf(events)).toEqual(created);
});

it('fifty different changes of a record at once emit one update each', async () => {
  const id = await make();
  const events = await toldDuring(suite.workspace, () =>
    Promise.all(
      Array.from({ length: 50 }, (_, index) => put(id, { fieldValues: { reason: `Said ${index}` } })),
    ),
  );

  expect(namesOf(events)).toEqual(Array.from({ length: 50 }, () => updated).flat());
  const told = events
    .filter(({ event }) => event === 'data_record:changed')
    .map(({ dataRecord }) => dataRecord);
  const changes = (await suite.asAdmin('GET', at(id, '/changes'), undefined, { pageSize: 50 })).body.items;
  expect(told.map((record) => (record as { fields: unknown }).fields)).toEqual(
    changes.map(({ after }: { after: unknown }) => after).reverse(),
  );
});
