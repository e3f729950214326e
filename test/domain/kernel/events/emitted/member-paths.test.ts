import { expect, it } from 'vitest';
import { addLabel, signUpDesk } from '../../../../api/identity/sign-up/sign-up-desk.js';
import { useApi } from '../../../../support/api/use-api.js';
import { namesOf, toldDuring } from '../../../../support/webhooks/told-events.js';
import { addMemberRow, randomTag, uniqueEmail } from '../../../../support/workspace/factories.js';
import { importFile } from '../../../../support/workspace/import-members.js';
import { describePaths } from './path-cases.js';

const suite = useApi({ storesEvents: true });
const { api, asAdmin } = suite;

const put = (id: number, body: object) => asAdmin('PUT', `/members/${id}`, body);
const updated = ['member:updated'];
const created = ['member:created'];

/** Adds a member for one test, with an external id of its own. */
let externalId = '';
const make = async () => {
  externalId = randomTag();
  const memberRoleId = suite.workspace.roles.member.id;
  return (await addMemberRow(suite.workspace, { memberRoleId, name: 'Before', externalId })).id;
};
let email = '';
const signUp = (name: string) => signUpDesk(api, suite.workspace)({ email, name });
const signUpAnew = () => {
  email = uniqueEmail();
  return signUp('Before');
};
const signedUp = async () => (await signUpAnew()).body.member.id;
let label = { id: 0, slug: '', name: '' };
const putLabel = (id: number) => put(id, { labelIds: [label.id] });
const withLabel = async () => {
  label = await addLabel(suite.workspace);
  return make();
};
const labelled = async () => {
  const id = await withLabel();
  await putLabel(id);
  return id;
};
const importCsv = (...lines: string[]) =>
  importFile(api, suite.workspace, ['external_id,name', ...lines].join('\n'));
const assistant = async () => {
  const body = { name: 'Before', instructions: 'Be brief.' };
  return (await asAdmin('POST', '/assistants', body)).body.id;
};

describePaths(suite, [
  { path: 'a member that is made', act: () => asAdmin('POST', '/members', { name: 'New' }), told: created },
  {
    path: 'one that is made with the address of another',
    given: signedUp,
    act: () => asAdmin('POST', '/members', { name: 'New', email }),
    told: [],
    refused: true,
  },
  { path: 'one that is changed', given: make, act: (id) => put(id, { name: 'After' }), told: updated },
  { path: 'one that is given what it has', given: make, act: (id) => put(id, { name: 'Before' }), told: [] },
  { path: 'one that is refused', given: make, act: (id) => put(id, { phone: 'x' }), told: [], refused: true },
  { path: 'one that is labelled', given: withLabel, act: putLabel, told: updated },
  { path: 'one that keeps its label', given: labelled, act: putLabel, told: [] },
  {
    path: 'one whose label is deleted',
    given: labelled,
    act: () => asAdmin('DELETE', `/member-labels/${label.id}`),
    told: [],
  },
  {
    path: 'an import',
    given: make,
    act: () => importCsv(`${externalId},After`, `${randomTag()},New`),
    told: [...created, ...updated],
  },
  {
    path: 'an import that says the same',
    given: make,
    act: () => importCsv(`${externalId},Before`),
    told: [],
  },
  { path: 'somebody who signs up', act: signUpAnew, told: created },
  { path: 'somebody who signs up again', given: signedUp, act: () => signUp('After'), told: updated },
  { path: 'somebody who says the same again', given: signedUp, act: () => signUp('Before'), told: [] },
  { path: 'a new assistant', act: () => assistant().then(() => undefined), told: created },
  {
    path: 'an assistant that is renamed',
    given: assistant,
    act: (id) => asAdmin('PUT', `/assistants/${id}`, { name: `After ${randomTag()}` }),
    told: updated,
  },
  { path: 'one that is deleted', given: make, act: (id) => asAdmin('DELETE', `/members/${id}`), told: [] },
]);

it('fifty identical changes of a member at once emit member:updated once', async () => {
  const id = await make();
  const events = await toldDuring(suite.workspace, () =>
    Promise.all(Array.from({ length: 50 }, () => put(id, { name: 'After' }))),
  );

  expect(namesOf(events)).toEqual(updated);
  expect(events).toMatchObject([{ member: { id, name: 'After', externalId } }]);
});

it('twenty sign-ups of one person at once emit member:created once, with the address that is only given', async () => {
  email = uniqueEmail();
  const events = await toldDuring(suite.workspace, () =>
    Promise.all(Array.from({ length: 20 }, () => signUp('Before'))),
  );

  expect(events).toMatchObject([{ event: 'member:created', member: { email, phone: null, name: 'Before' } }]);
});
