import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { routes } from '../../../../api/resources/index.js';
import { useApi } from '../../../support/api/use-api.js';
import { answeredCall } from '../../../support/calls/answered-call.js';
import { addEventRule } from '../../../support/webhooks/event-rules.js';
import { addDelivery } from '../../../support/webhooks/webhook-history.js';
import {
  addPhoneNumber,
  conversationTasks,
  publishDefinition,
} from '../../../support/workspace/definitions.js';
import { addMember, randomTag, uniqueEmail, uniquePhone } from '../../../support/workspace/factories.js';
import { addInbox, uniqueInboxAddress } from '../../../support/workspace/inboxes.js';
import { pooledPhone } from '../../../support/workspace/phone-number-pool.js';

/** POST routes without the header, and why repeating them is harmless. */
const repeatable: Record<string, string> = {
  requestLoginCode: 'the code before is superseded by the new one',
  recordAcquisition: 'recorded once for each account',
  requestAccountAddress: 'a second code is of no harm, and how many are sent is bounded',
  beginSession: 'a code and a token are good once; a session whose cookie got lost is never used',
  linkSingleSignOn: 'a second flow is of no harm, and stores nothing',
  joinOrganization: 'a member stays one; a session whose cookie got lost is never used',
  updateAccount: 'sets fields to what they are then',
  publishWorkflowRevision: 'a published revision is returned unchanged',
  activateWorkflowRevision: 'an active revision stays active',
  simulateWorkflowRevision: 'stores nothing',
  holdWorkflow: 'a held workflow stays as it is',
  resumeWorkflow: 'a workflow that is not held stays as it is',
  holdWorkspace: 'a held workspace stays held',
  hangUpPhoneCall: 'a call that was hung up stays so',
  attemptWebhookDelivery: 'an attempt that is due at once stays so',
  attemptPendingDeliveries: 'attempts that are due at once stay so',
  receiveEmail: 'a copy of a mail is answered with the uuid of the first',
  resolveInboundEmail: 'a mail that is resolved stays as it is',
  eraseMember: 'the erasure under way is returned as it is',
  requestDataExport: 'the export under way is returned as it is, and how many are built is bounded',
  reindexFile: 'a file that waits to be indexed stays as it is',
  attachFilesToAssignment: 'what is attached already stays as it is',
  attachPagesToAssignment: 'what is attached already stays as it is',
  publishPage: 'what is published stays as it is, and a time is the one that was given last',
  unpublishPage: 'a page that is withdrawn stays so',
  startCrawl: 'a crawl under way is not started again',
  cancelCrawl: 'a crawl that has ended stays as it has',
  restoreDocumentRevision: 'what is restored already stays as it is',
  labelMembers: 'labels that a member has, or has no more, change nothing',
  retireDataRecord: 'a retired record stays as it is',
  restoreDataRecord: 'a record in use stays as it is',
  importDataRecords:
    'what is there already is left unchanged; rows that nothing names, a collection has twice',
  exportFilteredDataRecords: 'only reads',
  previewCsvFile: 'reads nothing but the file',
  importMembers: 'people who are there already are left unchanged',
  exportFilteredMembers: 'only reads',
  addPoolNumber: 'a number is in the pool once',
  cancelAssignment: 'a cancelled assignment stays as it is; it waits for the run, outside of any transaction',
  receiveCarrierMessage: "taken once by the carrier's id of the message",
  receiveCarrierMessageStatus: 'a terminal state stays',
  receiveCarrierCall: "taken once by the carrier's id of the call",
  continueCarrierCall: 'the answer is the same until the stream begins',
  handleOutboundCall: 'the answer is the same until the stream begins',
  receiveCarrierCallStatus: 'a status only leads on, and the first end stays',
  receiveCarrierNumberStatus: 'a status only leads on, and the first end stays',
  receiveCarrierMachineDetection: 'the first result stays',
  receiveCarrierRecordingConsent: 'the first answer stays',
  receiveCarrierStreamStatus: 'the first end of a stream stays',
  announceCarrierTransfer: 'it says the same each time, and changes nothing',
  receiveCarrierTransferResult: 'the first result of a transfer stays',
  createApplication:
    'only a person who is signed in creates one, sees a second one in the list and deletes it',
  rotateApplicationSecret: 'only a person who is signed in rotates one, and each answer has its own secret',
  disableMember: 'a disabled member stays disabled',
  enableMember: 'an enabled member stays enabled',
  enableEventRule: 'an enabled rule stays enabled',
  disableEventRule: 'a disabled rule stays disabled',
  cancelWebhookDelivery: 'a delivery that has ended stays ended',
  verifySiteDomain: 'a domain that is looked up again is as it is then',
  createSiteFileAddress: 'nothing is stored',
  signUpToSite: 'who is a member stays one',
  refreshMcpServer: 'a list that is read again is the newer one',
  decideInterrupt: 'the same decision once more changes nothing',
  claimChat: 'a claim of the caller is prolonged',
  snoozeChat: 'sets a snooze to what it is then',
  rateChatMessage: 'sets a rating to what it is then',
  summarizeChat: 'with the same key, the run of the first request is found again',
  unsubscribe: 'an address that has unsubscribed stays so',
  beginSiteVisit: 'a token that is not used leaves nothing after a day',
  writeVisitorMessage: 'the visitor gives the message its id, by which a repeated one is known',
  signalVisitorTyping: 'shown for some seconds, and nothing is stored',
  uploadVisitorFile: 'a second upload is another file, which no message names',
  rateVisitorMessage: 'sets a rating to what it is then',
  signalTyping: 'shown for some seconds, and nothing is stored',
};

const posts = routes.filter(({ method }) => method === 'POST');
const idempotent = routes.filter((route) => route.idempotent === true);

// No run is reachable: a route that waits for a run inside its transaction fails here.
const { api, workspace, asAdmin } = useApi({ voice: true });
let places: Record<string, string>;
let workflowId: number;
let phoneNumberId: number;
let pooled: string[];

beforeAll(async () => {
  const rule = await addEventRule(workspace);
  pooled = await Promise.all(Array.from({ length: 10 }, () => pooledPhone(workspace.database)));
  ({ workflowId } = await publishDefinition(workspace, conversationTasks()));
  phoneNumberId = (await addPhoneNumber(workspace, { voiceEnabled: true })).id;
  const call = await answeredCall(workspace);
  await call.finish();
  const keys = await api.request('GET', '/account/api-keys', { apiKey: workspace.admin.apiKey });
  const type = { name: 'Notes', slug: `notes-${randomTag()}`, isCollection: true, fields: [] };
  const { memberId } = await addMember(workspace, { values: { phone: uniquePhone() } });
  const withAgent = { channel: 'web-chat', workflowId, memberId };
  places = {
    workspace_uuid: workspace.workspaceUuid,
    workflow_id: String(workflowId),
    api_key_id: String(keys.body.items[0].id),
    data_type_id: String((await asAdmin('POST', '/data-types', type)).body.id),
    external_id: `visit-${randomTag()}`,
    member_id: String(workspace.member.memberId),
    event_rule_id: String(rule.id),
    delivery_id: String((await addDelivery(workspace, rule.id, { status: 'failed' })).id),
    chat_id: String((await asAdmin('POST', '/chats', { channel: 'web-chat' })).body.id),
    agent_chat_id: String((await asAdmin('POST', '/chats', withAgent)).body.id),
    inbox_id: String((await addInbox(workspace)).id),
    folder_id: String((await asAdmin('POST', '/folders', { name: `Folder ${randomTag()}` })).body.id),
    file_id: String((await uploadFile()).body.id),
    version_number: '1',
    phone_call_id: String(call.callId),
    site_id: String((await asAdmin('POST', '/sites', { name: `Site ${randomTag()}` })).body.id),
  };
});

/** A body for each route that takes the header, with unique values where they are required. */
const bodies: Record<string, () => object> = {
  createApiKey: () => ({ name: 'A key', scopes: ['chats:read'] }),
  rotateApiKey: () => ({ overlapSeconds: 60 }),
  createWorkspace: () => ({ name: `Clinic ${randomTag()}` }),
  createOrganization: () => ({ name: `Health ${randomTag()}` }),
  createMemberRole: () => ({ name: `Role ${randomTag()}`, permissions: [] }),
  createMember: () => ({ email: uniqueEmail() }),
  createMemberToken: () => ({}),
  createSignup: () => ({ member: { email: uniqueEmail() } }),
  createDataType: () => ({ name: 'Visits', slug: `visits-${randomTag()}`, isCollection: true, fields: [] }),
  createDataRecord: () => ({ fieldValues: {} }),
  upsertDataRecord: () => ({ fieldValues: {} }),
  saveDataRecords: () => ({ records: [{ fieldValues: {} }] }),
  createWorkflow: () => ({ name: `Workflow ${randomTag()}` }),
  createWorkflowRevision: () => ({ name: 'A draft' }),
  importWorkflow: () => ({ name: 'Imported', rootTask: { name: 'End', taskType: 'conclude' } }),
  createAssistant: () => ({ name: `Assistant ${randomTag()}`, instructions: 'Be brief.' }),
  createSecret: () => ({ name: 'token', value: 'sesame-open-0001', hosts: ['api.example.com'] }),
  createMcpServer: () => ({ name: 'orders', url: 'https://mcp.example.com/mcp' }),
  createPhoneNumber: () => ({ number: pooled.pop(), name: 'Front desk' }),
  createInbox: () => ({ address: uniqueInboxAddress(), fromName: 'Front desk' }),
  rotateInboxSecret: () => ({}),
  createEventRule: () => ({
    name: 'Chats',
    eventType: 'chat:created',
    actionType: 'webhook:send',
    actionParams: { webhookUrl: 'https://receiver.example.com/hooks' },
  }),
  rotateEventRuleSecret: () => ({ overlapSeconds: 0 }),
  testEventRule: () => ({}),
  createChat: () => ({ channel: 'web-chat', workflowId }),
  transferPhoneCall: () => ({ target: 'front_desk' }),
  placeOutboundCall: () => ({ phoneNumberId, chatId: Number(places.agent_chat_id) }),
  openDirectChat: () => ({ memberId: workspace.member.memberId }),
  addChatParticipant: () => ({ memberId: workspace.member.memberId }),
  createChatLabel: () => ({ name: `Label ${randomTag()}` }),
  createMessageTemplate: () => ({ name: `Hours ${randomTag()}`, text: 'We open at eight.' }),
  createFolder: () => ({ name: `Folder ${randomTag()}` }),
  uploadFile: () => ({ name: 'A leaflet', file: 'Drink enough water.' }),
  uploadFileVersion: () => ({ file: 'Drink enough water, and rest.' }),
  restoreFileVersion: () => ({}),
  createFileShare: () => ({}),
  createFolderShare: () => ({}),
  createSite: () => ({ name: `Site ${randomTag()}` }),
  createPage: () => ({ title: 'Hours' }),
  createMenuItem: () => ({ label: 'Hours', itemType: 'none' }),
  duplicateSite: () => ({ name: `Site ${randomTag()}` }),
  createFileLabel: () => ({ name: `Label ${randomTag()}` }),
  createMemberLabel: () => ({ name: `Label ${randomTag()}` }),
  sendChatMessage: () => ({ content: 'Hello' }),
  leaveChatNote: () => ({ text: 'Her daughter calls back.' }),
  sendAssistantMessage: () => ({ message: 'Hello' }),
  createAssignment: () => ({ workflowId }),
  redeliverEvent: () => ({}),
  redeliverFailedEvents: () => ({ since: '2026-01-01T00:00:00Z' }),
  deliverMissedEvents: () => ({}),
};

const uploadFile = () =>
  api.request('POST', workspace.path('/files'), {
    apiKey: workspace.admin.apiKey,
    multipart: formOf({ file: 'Drink enough water.' }),
  });

/** The field `file` is the text of the file. */
function formOf({ file = '', ...fields }: Record<string, string>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  form.append('file', new Blob([file]), 'leaflet.txt');
  return form;
}

describe('every POST route', () => {
  it('takes the Idempotency-Key header or is listed as harmless to repeat', () => {
    const others = posts.filter((route) => route.idempotent !== true).map(({ operationId }) => operationId);
    expect(others.sort()).toEqual(Object.keys(repeatable).sort());
  });

  it('takes the header if it creates something for an account or a member', () => {
    const creates = posts.filter(
      ({ access, response }) => response.status === 201 && ['member', 'account'].includes(access.kind),
    );
    expect(creates.length).toBeGreaterThan(10);
    expect(creates.filter((route) => !route.idempotent)).toEqual([]);
  });

  it('requires an authenticated caller and returns JSON if it takes the header', () => {
    for (const route of idempotent) {
      expect(['member', 'account']).toContain(route.access.kind);
      expect(route.response).not.toHaveProperty('contentType');
    }
  });

  it('has a test body below if it takes the header', () => {
    expect(Object.keys(bodies).sort()).toEqual(idempotent.map(({ operationId }) => operationId).sort());
  });
});

describe.each(idempotent.map((route) => [route.operationId, route] as const))('%s', (operationId, route) => {
  // Earlier routes pause the chat, and a call needs its agent.
  const placeOf = (name: string) =>
    places[operationId === 'placeOutboundCall' && name === 'chat_id' ? 'agent_chat_id' : name] ?? name;
  const send = (key: string, body: unknown) => {
    const path = route.path.replace(/\{(\w+)\}/g, (_, name) => placeOf(name));
    const headers = { 'Idempotency-Key': key };
    const sent = route.file === undefined ? { body } : { multipart: formOf(body as Record<string, string>) };
    return api.request('POST', path, { apiKey: workspace.admin.apiKey, ...sent, headers });
  };

  it('is carried out once under a key', async () => {
    const key = randomUUID();
    const body = bodies[operationId]?.();

    const first = await send(key, body);
    const second = await send(key, body);

    expect(first.status).toBe(route.response.status);
    if (route.secretAnswer) {
      expect(second).toMatchObject({ status: 409, body: { code: 'idempotency_answer_not_kept' } });
    } else {
      expect([second.status, second.body]).toEqual([first.status, first.body]);
      expect(second.headers.get('Idempotency-Replayed')).toBe('true');
    }
  });
});
