import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { OpenApiDocument } from '../../api/http/openapi/document.js';
import { routes } from '../../api/resources/index.js';
import { localSecrets } from '../../tools/dev/launcher/local-secrets.js';
import { sign } from '../../tools/simulators/carrier/post-webhook.js';
import { type StartedSystem, startByNpm } from '../readme/started-system.js';
import { openBrowser, type TestBrowser } from '../support/api/browser.js';
import { queryOnce } from '../support/db/connect.js';
import { waitFor } from '../support/lib/wait-for.js';
import { exampleRequest, type Known, type Operation, operationsOf } from './examples/example-request.js';

/** The operations that no API key may perform, each with the caller that may. */
const notByKey: Record<string, string> = {
  beginSession: 'a person with a login code, which came by mail',
  endSession: 'a person who is signed in: a stolen key must not sign its owner out',
  endOtherSessions: 'a person who is signed in',
  signUpToSite: 'a person who is signed in: a key is nobody',
  requestAccountAddress: 'a person who has signed in within the hour',
  confirmAccountAddress: 'a person with the code that came to the new address',
  listOrganizations: 'an owner who is signed in',
  getOrganization: 'an owner who is signed in',
  updateOrganization: 'an owner who is signed in',
  listOrganizationMembers: 'an owner who is signed in',
  exportOrganizationAuditEvents: 'an owner who is signed in',
  listOrganizationAuditEvents: 'an owner who is signed in',
  listAccountAuditEvents: 'an owner who is signed in',
  updateOrganizationMember: 'an owner who is signed in',
  removeOrganizationMember: 'an owner who is signed in',
  inviteToOrganization: 'an owner who is signed in',
  listOrganizationInvitations: 'an owner who is signed in',
  withdrawOrganizationInvitation: 'an owner who is signed in',
  joinOrganization: 'an owner who is signed in',
  getIdentityProvider: 'an owner who is signed in',
  // Before the example puts another provider in its place, which is not there.
  linkSingleSignOn: 'an owner who is signed in',
  setIdentityProvider: 'an owner who is signed in',
  removeIdentityProvider: 'an owner who is signed in',
  setOrganizationOfWorkspace: 'an owner who is signed in',
  removeOrganizationOfWorkspace: 'an owner who is signed in',
  createApplication: 'an owner who is signed in',
  updateApplication: 'an owner who is signed in',
  rotateApplicationSecret: 'an owner who is signed in',
  deleteApplication: 'an owner who is signed in',
  disconnectApplication: 'an owner who is signed in',
  completeSingleSignOn: 'a browser that comes back from the identity provider',
  startSingleSignOn: 'a browser, which goes to the identity provider',
  leaveWorkspace: 'a person who is signed in',
  updateAccountState: 'a superuser who is signed in',
  takeSupportAccess: 'a superuser who is signed in',
  setPaymentCustomer: 'a superuser who is signed in',
  listPoolNumbers: 'a superuser who is signed in',
  addPoolNumber: 'a superuser who is signed in',
  updatePoolNumber: 'a superuser who is signed in',
  deletePoolNumber: 'a superuser who is signed in',
  receiveCarrierMessage: 'the carrier, which signs its requests',
  receiveCarrierMessageStatus: 'the carrier, which signs its requests',
  receiveCarrierCall: 'the carrier, which signs its requests',
  continueCarrierCall: 'the carrier, which signs its requests',
  receiveCarrierCallStatus: 'the carrier, which signs its requests',
  receiveCarrierNumberStatus: 'the carrier, which signs its requests',
  receiveCarrierMachineDetection: 'the carrier, which signs its requests',
  receiveCarrierStreamStatus: 'the carrier, which signs its requests',
  receiveCarrierRecordingConsent: 'the carrier, which signs its requests',
  announceCarrierTransfer: 'the carrier, which signs its requests',
  receiveCarrierTransferResult: 'the carrier, which signs its requests',
  handleOutboundCall: 'the carrier, which signs its requests',
  fetchOutboundCallHandler: 'the carrier, which signs its requests',
  receiveEmail: 'a mail server that knows the secret of the inbox',
  listVisitorMessages: 'a visitor of the site',
  writeVisitorMessage: 'a visitor of the site',
  followVisitorChat: 'a visitor of the site',
  signalVisitorTyping: 'a visitor of the site',
  uploadVisitorFile: 'a visitor of the site',
  readVisitorFile: 'a visitor of the site',
  rateVisitorMessage: 'a visitor of the site',
  endSiteVisit: 'a visitor of the site',
  getFileContents: 'a stranger with an address that the service has signed',
  getDataExportContents: 'a stranger with an address that the service has signed',
};

let system: StartedSystem;
let operations: Operation[];
beforeAll(async () => {
  system = await startByNpm();
  const document = await fetch(`${apiUrl()}/openapi.json`);
  operations = operationsOf((await document.json()) as OpenApiDocument);
});
afterEach(({ task }) => {
  if (task.result?.state === 'fail') process.stderr.write(system.warnings());
});
afterAll(() => system?.stop());

const apiUrl = () => `${system.dev.baseUrl}/api/v2`;
const worksOnce = new Set(
  routes.filter(({ example }) => example?.once).map(({ operationId }) => operationId),
);

/** Sends the example of an operation, and describes the answer if it is no success. */
async function send(operation: Operation): Promise<string | undefined> {
  const { path, init } = exampleRequest(operation);
  const headers = { ...init.headers, Authorization: `Bearer ${system.dev.adminApiKey}` };
  const reader = new AbortController();
  const answer = await fetch(apiUrl() + path, { ...init, headers, signal: reader.signal });
  const isStream = answer.headers.get('Content-Type')?.startsWith('text/event-stream');
  const text = isStream ? '' : await answer.text();
  if (isStream) reader.abort();
  return answer.ok ? undefined : `${operation.operationId}: ${init.method} ${path} ${answer.status} ${text}`;
}

async function sendAll(wanted: (operation: Operation) => boolean): Promise<string[]> {
  const failures: (string | undefined)[] = [];
  for (const operation of operations) {
    if (wanted(operation)) failures.push(await send(operation));
  }
  return failures.filter((failure) => failure !== undefined);
}

describe('the examples of the API reference, on a system that npm start has started', () => {
  it('are of an operation each, and only those listed here need another caller', () => {
    expect(operations.map(({ operationId }) => operationId).sort()).toEqual(
      routes.map(({ operationId }) => operationId).sort(),
    );
    const withoutKey = operations.filter(
      ({ security }) => security.length > 0 && !security.some((one) => 'apiKey' in one),
    );
    const listed = Object.keys(notByKey);
    expect(withoutKey.map(({ operationId }) => operationId).filter((id) => !listed.includes(id))).toEqual([]);
  });

  it('all succeed with the admin’s API key, from the top of the page to its end', async () => {
    expect(await sendAll(({ operationId }) => !(operationId in notByKey))).toEqual([]);
  });

  it('succeed a second time, except those that say that they work once', async () => {
    const again = ({ operationId }: Operation) => !(operationId in notByKey) && !worksOnce.has(operationId);
    expect(await sendAll(again)).toEqual([]);
    for (const operation of operations.filter(({ operationId }) => worksOnce.has(operationId))) {
      expect(operation.description, operation.operationId).toContain('The example works once');
    }
  });

  it('succeed with their own callers, for all others', async () => {
    const done = [
      ...(await asCarrier()),
      await asMailServer(),
      ...(await asPeople()),
      await asStranger(),
      ...(await asVisitor()),
      await asOwnerOfData(),
    ];
    expect(done.filter(({ status }) => status >= 300)).toEqual([]);
    // A browser goes through the pages of the identity provider: test/api/identity has these two.
    const others = Object.keys(notByKey).filter((id) => !notByKey[id]?.startsWith('a browser'));
    expect(done.map(({ id }) => id).sort()).toEqual(others.sort());
  });
});

interface Done {
  id: string;
  status: number;
  body: unknown;
}

function operationOf(id: string): Operation {
  const found = operations.find(({ operationId }) => operationId === id);
  if (found === undefined) throw new Error(`there is no operation ${id}`);
  return found;
}

async function asCarrier(): Promise<Done[]> {
  const { authToken } = localSecrets(`${system.folder}/.data`).carrier;
  const ids = Object.keys(notByKey).filter((id) => notByKey[id]?.startsWith('the carrier'));
  return Promise.all(
    ids.map(async (id) => {
      const { path, init } = exampleRequest(operationOf(id));
      const url = apiUrl() + path;
      const form = Object.fromEntries((init.body as URLSearchParams | undefined) ?? []);
      const headers = { 'X-Twilio-Signature': sign(authToken, url, form) };
      const answer = await fetch(url, { ...init, headers });
      return { id, status: answer.status, body: await answer.text() };
    }),
  );
}

/** Hands the example of a mail in, with a new secret of the inbox. */
async function asMailServer(): Promise<Done> {
  const headers = { Authorization: `Bearer ${system.dev.adminApiKey}` };
  const rotation = exampleRequest(operationOf('rotateInboxSecret'));
  const rotated = await fetch(apiUrl() + rotation.path, { ...rotation.init, headers });
  const { inboundSecret } = (await rotated.json()) as { inboundSecret: string };
  const { path, init } = exampleRequest(operationOf('receiveEmail'));
  const sent = { ...init, headers: { ...init.headers, 'X-Inbox-Secret': inboundSecret } };
  const answer = await fetch(apiUrl() + path, sent);
  return { id: 'receiveEmail', status: answer.status, body: await answer.text() };
}

/** Opens the address that the service has signed for the example of a file. */
async function asStranger(): Promise<Done> {
  const headers = { Authorization: `Bearer ${system.dev.adminApiKey}` };
  const file = await fetch(apiUrl() + exampleRequest(operationOf('getFile')).path, { headers });
  const { cdnUrl } = (await file.json()) as { cdnUrl: string };
  const { status } = await fetch(cdnUrl);
  return { id: 'getFileContents', status, body: undefined };
}

/** A visitor who writes, waits for the answer, rates it and leaves. */
async function asVisitor(): Promise<Done[]> {
  const done: Done[] = [];
  const begin = exampleRequest(operationOf('beginSiteVisit'));
  const begun = await fetch(apiUrl() + begin.path, begin.init);
  const { token } = (await begun.json()) as { token: string };
  const by = async (id: string, known?: Known) => {
    const { path, init } = exampleRequest(operationOf(id), known);
    const headers = { ...init.headers, Authorization: `Bearer ${token}` };
    const reader = new AbortController();
    const answer = await fetch(apiUrl() + path, { ...init, headers, signal: reader.signal });
    const isStream = answer.headers.get('Content-Type')?.startsWith('text/event-stream');
    const text = isStream ? '' : await answer.text();
    if (isStream) reader.abort();
    const isJson = answer.headers.get('Content-Type')?.startsWith('application/json');
    return { id, status: answer.status, body: isJson ? JSON.parse(text) : undefined };
  };
  for (const id of ['writeVisitorMessage', 'followVisitorChat', 'signalVisitorTyping', 'uploadVisitorFile']) {
    done.push(await by(id));
  }
  const answer = await waitFor('the visitor is answered', async () => {
    const { messages } = (await by('listVisitorMessages')).body;
    return messages.find(({ role }: { role: string }) => role === 'assistant');
  });
  done.push(await by('listVisitorMessages'));
  const uploaded = done.find(({ id }) => id === 'uploadVisitorFile')?.body as { id: number };
  const { path } = exampleRequest(operationOf('writeVisitorMessage'));
  await fetch(apiUrl() + path, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ id: crypto.randomUUID(), text: '', files: [uploaded.id] }),
  });
  done.push(await by('readVisitorFile', { params: { file_id: uploaded.id } }));
  done.push(await by('rateVisitorMessage', { params: { message_uuid: answer.id } }));
  done.push(await by('endSiteVisit'));
  return done;
}

/** Opens the address that the service has signed for the archive of the example. */
async function asOwnerOfData(): Promise<Done> {
  const headers = { Authorization: `Bearer ${system.dev.adminApiKey}` };
  const { path } = exampleRequest(operationOf('getDataExport'));
  let downloadUrl: string | null = null;
  await waitFor('the archive is ready', async () => {
    const answer = await fetch(apiUrl() + path, { headers });
    ({ downloadUrl } = (await answer.json()) as { downloadUrl: string | null });
    return downloadUrl !== null;
  });
  const { status } = await fetch(downloadUrl ?? '');
  return { id: 'getDataExportContents', status, body: undefined };
}

/** The admin, who is made a superuser for this, and at the end the member, who leaves. */
async function asPeople(): Promise<Done[]> {
  const done: Done[] = [];
  const by = async (browser: TestBrowser, id: string, known?: Known) => {
    const { path, init } = exampleRequest(operationOf(id), known);
    const { status, body } = await browser.request(init.method ?? 'GET', path, {
      headers: init.headers as Record<string, string>,
      ...(typeof init.body === 'string' ? { raw: init.body } : {}),
    });
    done.push({ id, status, body });
    return body;
  };
  const signIn = async (email: string) => {
    const browser = openBrowser(plainApi());
    await codesAreSent();
    await emptyMailbox();
    const asked = await browser.request('POST', '/login-codes', { body: { email } });
    const body = { loginCodeUuid: asked.body.uuid, code: await codeFor(email) };
    return { browser, body };
  };

  const elsewhere = await signIn(system.dev.adminEmail);
  const session = await elsewhere.browser.request('POST', '/sessions', { body: elsewhere.body });
  const { browser: admin, body: login } = await signIn(system.dev.adminEmail);
  await by(admin, 'beginSession', { body: login });
  await by(admin, 'endSession', { params: { session_uuid: session.body.uuid } });
  await by(admin, 'endOtherSessions');
  await by(admin, 'signUpToSite');

  const owner = Object.keys(notByKey).filter((id) => notByKey[id]?.startsWith('an owner'));
  for (const id of owner) await by(admin, id);

  const { uuid } = (await by(admin, 'requestAccountAddress')) as { uuid: string };
  const code = await codeFor('demo.admin@clinic.example');
  await by(admin, 'confirmAccountAddress', { params: { login_code_uuid: uuid }, body: { code } });

  await queryOnce(system.databaseUrl, 'update identity.accounts set is_superuser = true where id = 1');
  const superuser = Object.keys(notByKey).filter((id) => notByKey[id]?.startsWith('a superuser'));
  for (const id of superuser) await by(admin, id);

  const member = await signIn('member@clinic.example');
  await member.browser.request('POST', '/sessions', { body: member.body });
  await by(member.browser, 'leaveWorkspace');
  return done;
}

const plainApi = () => ({
  baseUrl: apiUrl(),
  // biome-ignore lint/suspicious/noExplicitAny: as TestApi
  request: async (method: string, path: string, { body, raw, headers }: any = {}): Promise<any> => {
    const json = body === undefined ? {} : { 'Content-Type': 'application/json' };
    const sent = body === undefined ? raw : JSON.stringify(body);
    const answer = await fetch(apiUrl() + path, { method, headers: { ...json, ...headers }, body: sent });
    const text = await answer.text();
    const isJson = answer.headers.get('Content-Type')?.includes('json');
    return { status: answer.status, headers: answer.headers, body: isJson ? JSON.parse(text) : text };
  },
});

/** The code in the mailbox of an address. */
async function codeFor(email: string): Promise<string> {
  const mailbox = `${system.dev.mailSimulator}/messages`;
  const subjects = async () => {
    const found = await fetch(`${mailbox}?${new URLSearchParams({ to: email })}`);
    return ((await found.json()) as { subject: string }[]).map(({ subject }) => subject);
  };
  await waitFor(`a code for ${email}`, async () => (await subjects()).some((one) => /^\d{6}/.test(one)));
  const code = (await subjects()).find((one) => /^\d{6}/.test(one))?.slice(0, 6) ?? '';
  return code;
}

/** Waits for the mails of codes that earlier examples have asked for. */
async function codesAreSent(): Promise<void> {
  await waitFor('no code is on its way', async () => {
    const left = await queryOnce(
      system.databaseUrl,
      `select 1 from identity.login_codes
       where account_id is not null and sent_at is null and failure_reason is null and expires_at > now()
         and (superseded_at is null or claimed_at is not null)`,
    );
    return left.length === 0;
  });
}

async function emptyMailbox(): Promise<void> {
  await fetch(`${system.dev.mailSimulator}/messages`, { method: 'DELETE' });
}
