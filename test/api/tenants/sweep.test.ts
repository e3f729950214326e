import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { demo as ids } from '../../../api/http/demo.js';
import { openApiDocument } from '../../../api/http/openapi.js';
import { routes } from '../../../api/resources/index.js';
import { createApiKey } from '../../../domain/identity/api-keys/create-api-key.js';
import { allScopes } from '../../../domain/kernel/scopes.js';
import { accountContext } from '../../../tools/dev/seed/people.js';
import {
  exampleRequest,
  type Known,
  type Operation,
  operationsOf,
} from '../../interop/examples/example-request.js';
import { cookieOf, openBrowser, type TestBrowser } from '../../support/api/browser.js';
import { useDemoApi } from '../../support/api/use-demo-api.js';
import { directRuns } from '../../support/chats/direct-runs.js';
import { connect } from '../../support/db/connect.js';
import { idApart, shownApart, watchRows } from '../../support/db/set-apart.js';
import { useImportRuns } from '../../support/people/import-runs.js';
import { type IdPlace, idPlacesOf, knownWith } from './ids.js';

/** What a public site or organization is for: each caller is told what a stranger is told. */
const forEverybody = [
  'getOrganizationConfig',
  'getSharedFile',
  'getSharedFileContents',
  'getSharedFolder',
  'listSharedFolderFiles',
  'getSiteMapping',
  'readSite',
  'readSiteFile',
  'readMenu',
  'readPage',
  'getSiteChat',
  'startSingleSignOn',
  'beginSiteVisit',
  'signUpToSite',
];

/** Bodies in which an id may name nothing: filters, which find nothing, and bulk writes, which tell it of each record. */
const answersOfBodies = [
  ...['exportFilteredMembers', 'exportFilteredDataRecords'],
  ...['saveDataRecords', 'labelMembers'],
];

/** The examples that need another caller than an admin, or what only a whole system has. */
const notByAdmin = [
  ...['beginSession', 'endSession', 'endSiteVisit', 'confirmAccountAddress'],
  ...['rateVisitorMessage', 'readVisitorFile'],
  ...['startSingleSignOn', 'linkSingleSignOn', 'completeSingleSignOn', 'leaveWorkspace'],
  ...['getDataExportContents', 'getFileContents', 'createPhoneNumber', 'redeliverEvent'],
  ...['listPoolNumbers', 'addPoolNumber', 'updatePoolNumber', 'deletePoolNumber'],
  ...['updateAccountState', 'setPaymentCustomer', 'takeSupportAccess'],
  ...['deleteApplication', 'rotateApplicationSecret'],
];

/** What they name is a file with the access `workspace`, or a public one. */
const ofFilesOfEverybody = [
  'getFile',
  'listFileVersions',
  'downloadFile',
  'getSharedFile',
  'getSharedFileContents',
  'createSiteFileAddress',
  'readSiteFile',
  'detachFileFromAssignment',
];

/** Their examples ask a provider, which only a whole system has. */
const needsOthers = ['startSingleSignOn'];

/** The rows that a plain member changes by an example, or by its own objects: its own ones, or what anybody may. */
const changesOfMembers: Record<string, RegExp> = {
  requestLoginCode: /identity\.login_codes|public\.outbox/,
  updateAccount: /identity\.accounts/,
  recordAcquisition: /identity\.account_acquisitions/,
  createApiKey: /identity\.api_keys/,
  createWorkspace: /identity\.(memberships|workspaces)|public\.(members|member_roles)/,
  createOrganization: /identity\.organizations|identity\.organization_(members|audit_events)/,
  attachFilesToAssignment: /public\.file_attachments/,
  detachFileFromAssignment: /public\.file_attachments/,
  attachPagesToAssignment: /public\.assignment_pages/,
  openDirectChat: /public\.chats|public\.chat_participants/,
  updateFile: /public\.(files|file_label_links)/,
  beginSiteVisit: /identity\.site_visitors/,
  unsubscribe: /public\.(email_opt_outs|opt_out_proofs)/,
};

/** What people other than the member have in the demo clinic. */
const ofOthers =
  /Kim Sample|Lee Sample|Noa Sample|15555550133|Check-up|Are you open on Saturday|Questions|Cancel a visit|Call about a visit/g;
/** Of these words, a page of a public site has one. */
const onPublicPages = ['readPage', 'attachPagesToAssignment'];

const { api, demo } = useDemoApi({
  besideOther: true,
  voice: true,
  runs: (database) => ({ ...directRuns(database), summarizeChat: async () => 'summarized' }),
});
useImportRuns(() => demo);

const document = openApiDocument(routes);
const operations = operationsOf(document);
const titled = operations.map((operation) => [operation.operationId, operation] as const);

interface Answer {
  status: number;
  text: string;
  /** What was sent: an answer may repeat it. */
  asked: string;
}

async function send(operation: Operation, known: Known, headers: Record<string, string>): Promise<Answer> {
  const { path, init } = exampleRequest(operation, known);
  const reader = new AbortController();
  const answer = await fetch(`${api.baseUrl}/api/v2${path}`, {
    ...init,
    redirect: 'manual',
    headers: { ...init.headers, ...headers },
    signal: reader.signal,
  });
  const isStream = answer.headers.get('Content-Type')?.startsWith('text/event-stream');
  const text = isStream ? '' : await answer.text();
  if (isStream) reader.abort();
  return { status: answer.status, text, asked: path + String(init.body) };
}

let client: pg.Client;
beforeAll(async () => {
  client = await connect(demo.database.superuserUrl);
});
afterAll(() => client?.end());

const operationOf = (id: string) => operations.find(({ operationId }) => operationId === id) as Operation;
const title = (places: IdPlace[]) => places.map(({ in: place, name }) => `${place} ${name}`).join(', ');

describe('a plain member, in its own workspace', () => {
  let changes: () => Promise<string[]>;
  const own: Record<string, number> = {};
  let headers: Record<string, string>;
  beforeAll(async () => {
    const { database } = demo.database;
    const account = await database.identity.accounts.findByEmail('member@clinic.example');
    if (account === undefined) throw new Error('the demo has no member');
    const made = { name: 'Everything', scopes: [...allScopes] };
    const { secret: apiKey } = await createApiKey(accountContext(database, account), made);
    headers = { Authorization: `Bearer ${apiKey}` };
    const ask = async (method: string, path: string, sent: object = {}) => {
      const answer = await api.request(method, `/w/${ids.workspaceUuid}${path}`, { apiKey, ...sent });
      if (answer.status > 299) throw new Error(`${path}: ${JSON.stringify(answer.body)}`);
      return answer.body;
    };
    const { member } = await ask('GET', '/members/me');
    const memberId = member.id;
    const create = async (path: string, sent: object) => (await ask('POST', path, sent)).id;
    const multipart = new FormData();
    multipart.append('file', new File(['mine'], 'mine.txt', { type: 'text/plain' }));
    Object.assign(own, {
      member_id: memberId,
      chat_id: await create('/chats', { body: { channel: 'web-chat' } }),
      assignment_id: await create('/assignments', { body: { workflowId: ids.workflowId, memberId } }),
      record_id: await create(`/data-types/${ids.dataTypeId}/records`, {
        body: { memberId, fieldValues: { reason: 'Cold' } },
      }),
      file_id: await create('/files', { multipart }),
    });
    changes = await watchRows(client, 'others');
  });

  /** The example, which names what others have, and its own objects with one id of others at a time. */
  function requestsOf(operation: Operation): [string, Known][] {
    const places = idPlacesOf(document, operation);
    const mine = places.filter((place) => place.in === 'path' && own[place.name] !== undefined);
    const others = places.filter((place) => place.in !== 'path' || mine.includes(place));
    return [
      ['the example', {}],
      ...others.map((other): [string, Known] => {
        const params = mine.filter((place) => place !== other).map(({ name }) => [name, own[name] as number]);
        return [title([other]), knownWith(operation, [other], (id) => id, Object.fromEntries(params))];
      }),
    ];
  }

  it.each(titled)('neither reads nor changes what is of others by %s', async (id, operation) => {
    const found: string[] = [];
    for (const [what, known] of requestsOf(operation)) {
      const { status, text, asked } = await send(operation, known, headers);
      if (status > 499 && !needsOthers.includes(id)) found.push(`${what}: ${status}`);
      const isOfOthers = what.startsWith('path') && !ofFilesOfEverybody.includes(id);
      if (isOfOthers && status < 400) found.push(`${what}: ${status}`);
      const shown = (text.match(ofOthers) ?? []).filter((one) => !asked.includes(one));
      if (shown.length > 0 && !onPublicPages.includes(id)) found.push(`${what} shows ${shown}`);
    }
    if (operation.method !== 'GET') {
      const may = changesOfMembers[id];
      const changed = (await changes()).filter((row) => !may?.test(row) && !/audit_events/.test(row));
      found.push(...changed.map((row) => `changes ${row}`));
    }
    expect(found).toEqual([]);
  });
});

describe('an admin of another workspace', () => {
  let changes: () => Promise<string[]>;
  let browser: TestBrowser;
  let visitor = '';
  let inboxSecret = '';
  beforeAll(async () => {
    changes = await watchRows(client, 'apart');
    browser = openBrowser(api);
    await browser.signIn({ email: ids.adminEmail });
    ({ token: visitor } = JSON.parse((await byAdmin(operationOf('beginSiteVisit'), {})).text));
    ({ inboundSecret: inboxSecret } = JSON.parse((await byAdmin(operationOf('rotateInboxSecret'), {})).text));
  });

  /** With the credential of its own workspace that the route takes. */
  async function byAdmin(operation: Operation, known: Known): Promise<Answer> {
    const { kind } = routes.find(({ operationId }) => operationId === operation.operationId)?.access ?? {};
    const session = { Cookie: cookieOf(browser.token ?? ''), Origin: api.baseUrl };
    if (kind === 'session') return send(operation, known, session);
    if (kind === 'site-visitor') return send(operation, known, { Authorization: `Bearer ${visitor}` });
    if (kind === 'inbox') return send(operation, known, { 'X-Inbox-Secret': inboxSecret });
    const answer = await send(operation, known, { Authorization: `Bearer ${demo.seeded.adminApiKey}` });
    return answer.text.includes('session_required') ? send(operation, known, session) : answer;
  }

  /** All ids of the path are of the other workspace, and one id at a time, where all else is the caller's. */
  function choicesOf(operation: Operation): IdPlace[][] {
    const places = idPlacesOf(document, operation);
    const path = places.filter((place) => place.in === 'path');
    const each = places.map((place) => [place]);
    const all = path.length > 1 ? [path] : [];
    // What is public is public to it, too.
    return forEverybody.includes(operation.operationId)
      ? each.filter(() => path.length > 1)
      : [...all, ...each];
  }

  function wrongIn(id: string, places: IdPlace[], { status, text, asked }: Answer): string[] {
    const shown = shownApart(text, asked);
    const mayBeServed =
      places.every((place) => place.in === 'query') ||
      (places.every((place) => place.in === 'body') && answersOfBodies.includes(id));
    const isWrong = status > 499 || (status < 400 && !mayBeServed);
    return [
      ...(isWrong ? [`${title(places)}: ${status}`] : []),
      ...(shown.length > 0 ? [`${title(places)} shows ${shown}`] : []),
    ];
  }

  it.each(titled)('neither reads nor changes what is of this one by %s', async (id, operation) => {
    const found: string[] = [];
    for (const places of choicesOf(operation)) {
      const answer = await byAdmin(operation, knownWith(operation, places, idApart));
      found.push(...wrongIn(id, places, answer));
    }
    if (operation.method !== 'GET') found.push(...(await changes()).map((row) => `changes ${row}`));
    expect(found).toEqual([]);
    // The same request with ids of its own is served, so it was the ids that were refused.
    const { kind } = routes.find(({ operationId }) => operationId === id)?.access ?? {};
    if (kind === 'carrier' || notByAdmin.includes(id)) return;
    const served = await byAdmin(operation, {});
    expect(served, served.text).toMatchObject({ status: expect.toSatisfy((status: number) => status < 400) });
  });
});

describe('what is public of another workspace', () => {
  it.each(forEverybody.filter((id) => operationOf(id).method === 'GET'))(
    'is shown to an admin as to a stranger by %s',
    async (id) => {
      const operation = operationOf(id);
      const path = idPlacesOf(document, operation).filter((place) => place.in === 'path');
      const known = knownWith(operation, path, idApart);
      const answerTo = async (apiKey: string | undefined) => {
        const headers: Record<string, string> =
          apiKey === undefined ? {} : { Authorization: `Bearer ${apiKey}` };
        const { status, text } = await send(operation, known, headers);
        return { status, text: text.replace(/"requestId":"[^"]*"|signature=\w+|expires=\d+/g, '') };
      };
      const { adminApiKey, otherAdminApiKey } = demo.seeded;
      const needsAccount = id === 'getSiteMapping';
      expect(await answerTo(adminApiKey)).toEqual(
        await answerTo(needsAccount ? otherAdminApiKey : undefined),
      );
    },
  );
});
