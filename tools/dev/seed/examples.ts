import { createHash, randomBytes } from 'node:crypto';
import { demo } from '../../../api/http/demo.js';
import { visitReminder } from '../../../api/resources/definitions/workflow-revisions/example.js';
import { insertPhoneCall } from '../../../db/calls/phone-calls.js';
import { findChat, patchChat } from '../../../db/conversations/chats.js';
import { insertFollowUp } from '../../../db/conversations/follow-ups.js';
import { insertMessage } from '../../../db/conversations/messages.js';
import { insertApproval } from '../../../db/conversations/tool-approvals.js';
import type { Database } from '../../../db/database.js';
import type { AccountRow } from '../../../db/identity/models/account.js';
import type { WorkspaceRow } from '../../../db/identity/models/workspace.js';
import { createAssignment } from '../../../domain/assignments/create-assignment.js';
import { createPhoneNumber } from '../../../domain/channels/phone-numbers/create-phone-number.js';
import { createAssistant } from '../../../domain/conversations/assistants/create-assistant.js';
import { chatLabels } from '../../../domain/conversations/chat-labels/chat-labels.js';
import { createChat } from '../../../domain/conversations/chats/create-chat.js';
import { postMessage } from '../../../domain/conversations/chats/post-message.js';
import { addParticipant } from '../../../domain/conversations/participants/add-participant.js';
import { listParticipants } from '../../../domain/conversations/participants/list-participants.js';
import { scheduleMessage } from '../../../domain/conversations/scheduled-messages/schedule-message.js';
import { createMcpServer } from '../../../domain/definitions/mcp-servers/mcp-servers.js';
import { listMcpTools } from '../../../domain/definitions/mcp-servers/mcp-tools.js';
import { refreshMcpServer } from '../../../domain/definitions/mcp-servers/refresh-mcp-server.js';
import { createSecret } from '../../../domain/definitions/secrets/secrets.js';
import { createWorkflowDefinition } from '../../../domain/definitions/workflow-definitions/create-workflow-definition.js';
import { listWorkflowDefinitions } from '../../../domain/definitions/workflow-definitions/workflow-definitions.js';
import { createRevision } from '../../../domain/definitions/workflow-revisions/create-revision.js';
import { publishRevision } from '../../../domain/definitions/workflow-revisions/publish-revision.js';
import type { FileStorage } from '../../../domain/files/objects/file-storage.js';
import { createApiKey } from '../../../domain/identity/api-keys/create-api-key.js';
import { createApplication } from '../../../domain/identity/oauth/applications.js';
import { giveGrant } from '../../../domain/identity/oauth/grants.js';
import type { CommandContext } from '../../../domain/kernel/context.js';
import { createLabel } from '../../../domain/kernel/labels.js';
import { pokeFollowUpRun } from '../../../domain/kernel/runs.js';
import { allScopes } from '../../../domain/kernel/scopes.js';
import { memberLabels } from '../../../domain/people/member-labels/member-labels.js';
import { createMemberRole } from '../../../domain/people/member-roles/create-member-role.js';
import { createMember } from '../../../domain/people/members/create-member.js';
import { eraseMember } from '../../../domain/person-data/erase-member.js';
import { requestExport } from '../../../domain/person-data/exports/request-export.js';
import { createDataRecord } from '../../../domain/records/data-records/create-data-record.js';
import { retireDataRecord } from '../../../domain/records/data-records/record-retirement.js';
import { createDataType } from '../../../domain/records/data-types/create-data-type.js';
import { simulatedTools } from '../../simulators/mcp-server/tools.js';
import { buildExampleFiles, dropExampleUploads, storeExampleUploads } from './example-files.js';
import { dropExampleRecording, keepExampleRecording, storeExampleRecording } from './example-recording.js';
import { buildExampleRules, type RulesContext } from './example-rules.js';
import { buildExampleSite } from './example-site.js';
import { expectId, OtherId } from './expect-id.js';
import {
  buildExampleEmail,
  buildInboundEmail,
  buildInboxes,
  dropExampleMail,
  storeExampleMail,
} from './inboxes.js';
import { buildOrganization } from './organization.js';
import { accountContext } from './people.js';

const reminderName = 'Visit reminder';
const yearMs = 365 * 86_400_000;

/**
 * Creates the objects that the examples of the API reference name, in the order that gives them the ids of
 * `api/http/demo.ts`, all or none. `none`: the database is not new and has other objects with these ids.
 */
export async function findOrBuildExamples(
  context: RulesContext,
  workspace: WorkspaceRow,
  { receiverUrl, issuer, mcpServerUrl }: { receiverUrl: string; issuer: string; mcpServerUrl: string },
  storage: FileStorage,
): Promise<'new' | 'kept' | 'none'> {
  if (workspace.uuid !== demo.workspaceUuid) return 'none';
  const page = { page: 1, pageSize: 100, sortBy: 'name', sortOrder: 'asc', archived: false } as const;
  const { items } = await listWorkflowDefinitions(context, { ...page, search: reminderName });
  if (items.length > 0) return 'kept';
  const uploads = await storeExampleUploads(context, storage);
  const mail = await storeExampleMail(context, storage);
  const sound = await storeExampleRecording(context, storage);
  try {
    await context.db.atomically(workspace.id, async (within) => {
      const inside = { ...context, db: within };
      await buildOrganization(inside, issuer);
      await buildPeople(inside);
      await buildRecords(inside);
      await buildNumbers(inside);
      await buildInboxes(inside);
      await buildExampleEmail(inside);
      await buildInboundEmail(inside, mail);
      await buildWorkflows(inside);
      await buildSecrets(inside);
      await buildMcpServers(inside, mcpServerUrl);
      await buildChats(inside);
      await keepExampleRecording(inside, sound);
      await buildExampleRules(inside, receiverUrl);
      await buildExampleFiles(inside, uploads);
      await buildExampleSite(inside);
    });
    return 'new';
  } catch (error) {
    await dropExampleUploads(context, uploads);
    await dropExampleMail(context, mail);
    await dropExampleRecording(context, sound);
    if (error instanceof OtherId) return 'none';
    throw error;
  }
}

async function buildPeople(context: CommandContext): Promise<void> {
  const reception = await createMemberRole(context, {
    name: 'Reception',
    permissions: ['members:read', 'chats:read'],
  });
  expectId('role', reception, demo.memberRoleId);
  const trainee = await createMemberRole(context, { name: 'Trainee', permissions: [] });
  expectId('role to delete', trainee, demo.memberRoleToDelete);
  const label = await createLabel(context, memberLabels, { name: 'New patient' });
  expectId('member label', label, demo.memberLabelId);
  const toDelete = await createLabel(context, memberLabels, { name: 'Moved away' });
  expectId('member label to delete', toDelete, demo.memberLabelToDelete);

  const kim = await createMember(context, {
    name: 'Kim Sample',
    phone: '+15555550133',
    labelIds: [label.id],
  });
  expectId('member', kim, demo.memberId);
  expectId('member to disable', await createMember(context, { name: 'Lee Sample' }), demo.memberToDisable);
  expectId('member to delete', await createMember(context, { name: 'Noa Sample' }), demo.memberToDelete);
  await letSignIn(context, kim.id);
}

/** Gives a member an unused token and an open session, which only the examples end. */
async function letSignIn({ db, actor, clock }: CommandContext, memberId: number): Promise<void> {
  const createdAt = clock.now();
  const expiresAt = new Date(createdAt.getTime() + 10 * yearMs);
  const hash = () => createHash('sha256').update(randomBytes(32)).digest();
  const grants = { roleGrants: [], granted: [], apiKeyId: null };
  const { workspaceId } = actor;
  await db.inWorkspace(workspaceId, async (tx) => {
    const { sessions, memberTokens } = db.identity;
    await memberTokens.insert({ hash: hash(), memberId, ...grants, expiresAt, createdAt }, tx);
    const owner = { accountId: null, workspaceId, memberId };
    const session = {
      ...grants,
      ...owner,
      hash: hash(),
      userAgent: 'Firefox on Linux',
      createdAt,
      expiresAt,
    };
    const { id } = await sessions.insert(session, tx);
    await tx('identity.sessions').where({ id }).update({ uuid: demo.memberSessionUuid });
  });
}

async function buildRecords(context: CommandContext): Promise<void> {
  const visits = await createDataType(context, {
    name: 'Visits',
    slug: 'visits',
    isCollection: true,
    fields: [
      { slug: 'reason', name: 'Reason', fieldType: 'text', required: true, shouldIndex: true },
      {
        slug: 'status',
        name: 'Status',
        fieldType: 'select',
        options: ['planned', 'done'],
        shouldIndex: true,
      },
      { slug: 'day', name: 'Day', fieldType: 'date', shouldIndex: true },
    ],
  });
  expectId('data type', visits, demo.dataTypeId);
  const feedback = await createDataType(context, {
    name: 'Feedback',
    slug: 'feedback',
    isCollection: true,
    fields: [{ slug: 'text', name: 'Text', fieldType: 'textarea' }],
  });
  expectId('data type to delete', feedback, demo.dataTypeToDelete);

  const places = [demo.recordId, demo.recordToRetire, demo.recordToRestore, demo.recordToDelete];
  for (const [index, expected] of places.entries()) {
    const record = await createDataRecord(context, visits.id, {
      memberId: demo.memberId,
      externalId: `visit-${index + 1}`,
      fieldValues: { reason: 'Check-up', status: 'planned', day: `2030-05-0${index + 1}` },
    });
    expectId('record', record, expected);
  }
  await retireDataRecord(context, visits.id, demo.recordToRestore, 'Cancelled by the patient');
}

/** A line that can be given back, and two numbers of the pool for superusers. They are in no carrier. */
async function buildNumbers(context: CommandContext): Promise<void> {
  const { db, actor, clock } = context;
  const add = (number: string, workspaceId: number | null) =>
    db.identity.phoneNumberPool.add({ number, workspaceId, source: 'superuser', createdAt: clock.now() });
  await add('+15550100104', actor.workspaceId);
  const places = { '+15550100105': demo.poolNumberId, '+15550100106': demo.poolNumberToDelete };
  for (const [number, expected] of Object.entries(places)) {
    const added = await add(number, null);
    if (added !== undefined) expectId('number of the pool', added, expected);
  }
  const line = await createPhoneNumber(context, { number: '+15550100104', name: 'Spare line' });
  expectId('phone number to delete', line, demo.phoneNumberToDelete);
}

async function buildWorkflows(context: CommandContext): Promise<void> {
  const night = await createAssistant(context, {
    name: 'Night assistant',
    instructions: 'You answer questions about opening hours.',
  });
  expectId('assistant', night, demo.assistantId);
  expectId('member of the assistant', { id: night.memberId }, demo.assistantMemberId);
  const trial = await createAssistant(context, { name: 'Trial assistant', instructions: 'You try things.' });
  expectId('assistant to delete', trial, demo.assistantToDelete);
  const pat = await createMember(context, { name: 'Pat Sample' });
  expectId('member to erase', pat, demo.memberToErase);
  const sam = await createMember(context, { name: 'Sam Sample' });
  expectId('erased member', sam, demo.erasedMember);
  await eraseMember(context, sam.id, { confirm: String(sam.id) });
  await requestExport(context, demo.memberId, { keptDays: 7 });

  const reminder = await createWorkflowDefinition(context, {
    name: reminderName,
    description: 'Asks whether the member comes.',
    assistantMemberId: night.memberId,
  });
  expectId('workflow', reminder, demo.workflowId);
  const old = await createWorkflowDefinition(context, { name: 'Old reminder' });
  expectId('workflow to archive', old, demo.workflowToArchive);

  const draft = (name: string) => createRevision(context, reminder.id, { name, rootTask: visitReminder });
  const first = await draft('First');
  expectId('revision', first, demo.revisionId);
  await publishRevision(context, reminder.id, first.id, { activate: true });
  expectId('draft', await draft('Draft'), demo.draftId);
  expectId('draft to delete', await draft('Abandoned'), demo.draftToDelete);
  expectId('draft to publish', await draft('Next'), demo.draftToPublish);
}

async function buildSecrets(context: RulesContext): Promise<void> {
  const hosts = ['api.example.com'];
  const token = () => randomBytes(16).toString('hex');
  const directory = await createSecret(context, { name: 'directory_token', value: token(), hosts });
  expectId('secret', directory, demo.secretId);
  const former = await createSecret(context, { name: 'former_token', value: token(), hosts });
  expectId('secret to delete', former, demo.secretToDelete);
}

/** What the server says of its tools is known, so that it need not be asked. */
async function buildMcpServers(context: RulesContext, url: string): Promise<void> {
  const orders = await createMcpServer(context, { name: 'orders', address: { url } });
  expectId('MCP server', orders, demo.mcpServerId);
  const former = await createMcpServer(context, { name: 'former', address: { url } });
  expectId('MCP server to delete', former, demo.mcpServerToDelete);
  const list = async () => ({ kind: 'listed' as const, tools: [...simulatedTools], isCut: false });
  await refreshMcpServer({ ...context, tools: { list } }, orders.id);
  const tools = (await listMcpTools(context, orders.id)).map(({ tool }) => tool);
  const named = (name: string) => tools.find((tool) => tool.name === name) ?? { id: 0 };
  expectId('MCP tool', named('find_order'), demo.mcpToolId);
  expectId('MCP tool to take back', named('cancel_order'), demo.mcpToolToDisallow);
}

async function buildChats(context: CommandContext): Promise<void> {
  const label = await createLabel(context, chatLabels, { name: 'First visit' });
  expectId('chat label', label, demo.chatLabelId);
  const spam = await createLabel(context, chatLabels, { name: 'Wrong number' });
  expectId('chat label to delete', spam, demo.chatLabelToDelete);

  const { memberId, workflowId } = demo;
  const chat = await createChat(context, { channel: 'web-chat', workflowId, memberId });
  expectId('chat', chat, demo.chatId);
  await addParticipants(context, chat.id);
  const assignment = await createAssignment(context, { workflowId, memberId });
  expectId('assignment', assignment, demo.assignmentId);
  const { children } = assignment.rootTask ?? {};
  const anotherDay = children?.find(({ taskName }) => taskName === 'Another day') ?? { id: 0 };
  expectId('task of the assignment', anotherDay, demo.assignmentTaskId);
  const cancelled = await createAssignment(context, { workflowId, memberId });
  expectId('assignment to cancel', cancelled, demo.assignmentToCancel);

  const plain = await createChat(context, { channel: 'web-chat', memberId, title: 'Questions' });
  expectId('chat without a workflow', plain, demo.chatWithoutWorkflow);
  await answerByHand(context, plain.id);
  await scheduleFollowUps(context, plain.id);
  await scheduleMessages(context, plain.id);
  await noteCall(context, plain.id);

  const waiting = await createChat(context, {
    channel: 'web-chat',
    memberId,
    title: 'Opening hours',
    assistantEnabled: false,
  });
  expectId('chat that waits', waiting, demo.chatThatWaits);
  await postMessage(context, { chatId: waiting.id, content: 'Are you open on Saturday?' });

  const asking = await createChat(context, { channel: 'web-chat', memberId, title: 'Cancel a visit' });
  expectId('chat with an interrupt', asking, demo.chatWithInterrupt);
  await askToApprove(context, asking.id);

  const toCall = await createChat(context, { channel: 'web-chat', memberId, title: 'Call about a visit' });
  expectId('chat to call', toCall, demo.chatToCall);
}

/** A call that has ended. */
async function noteCall({ db, actor, clock }: CommandContext, chatId: number): Promise<void> {
  await db.inWorkspace(actor.workspaceId, async (tx) => {
    const now = clock.now();
    const lastedMs = 62_000;
    const startedAt = new Date(now.getTime() - lastedMs);
    const call = await insertPhoneCall(tx, {
      chatId,
      phoneNumberId: demo.phoneNumberId,
      memberId: demo.memberId,
      inbound: false,
      begunBy: 'api',
      remoteNumber: '+15555550123',
      carrierCallId: demo.carrierCallId,
      status: 'completed',
      terminationReason: 'completed',
      carrierStatus: 'completed',
      durationSeconds: lastedMs / 1_000,
      startedAt,
      finishedAt: now,
      settledAt: now,
      createdAt: startedAt,
      updatedAt: now,
    });
    expectId('phone call', call, demo.phoneCallId);
    await tx('phone_calls').where({ id: call.id }).update({ uuid: demo.callUuid });
  });
}

/** A tool call of the agent that waits for approval. */
async function askToApprove({ db, actor, clock }: CommandContext, chatId: number): Promise<void> {
  await db.inWorkspace(actor.workspaceId, async (tx) => {
    const now = clock.now();
    const toolCallId = 'call_interrupt';
    const call = { name: 'send_sms', arguments: '{"text":"Your visit is cancelled."}' };
    const message = await insertMessage(tx, {
      chatId,
      role: 'assistant',
      author: 'agent',
      content: null,
      toolCalls: [{ id: toolCallId, type: 'function', function: call }],
    });
    const approval = await insertApproval(tx, {
      chatId,
      messageId: message.id,
      toolCallId,
      state: 'waiting',
      requestedAt: now,
      expiresAt: new Date(now.getTime() + 10 * yearMs),
    });
    await tx('tool_approvals').where({ id: approval.id }).update({ uuid: demo.interruptId });
    await patchChat(tx, chatId, { approvalId: approval.id });
  });
}

async function addParticipants(context: CommandContext, chatId: number): Promise<void> {
  const { participants } = await listParticipants(context, chatId);
  const night = participants.find(({ memberId }) => memberId === demo.assistantMemberId) ?? { id: 0 };
  expectId('participant', night, demo.participantId);
  const id = await addParticipant(context, chatId, { memberId: demo.adminMemberId, role: 'operator' });
  expectId('participant to remove', { id }, demo.participantToRemove);
}

/** A message that the examples rate, with a tool call whose messages they list. */
async function answerByHand({ db, actor }: CommandContext, chatId: number): Promise<void> {
  await db.inWorkspace(actor.workspaceId, async (tx) => {
    const { toolCallId } = demo;
    const call = { name: 'schedule_follow_up', arguments: '{}' };
    const { id } = await insertMessage(tx, {
      chatId,
      role: 'assistant',
      author: 'person',
      memberId: actor.memberId,
      content: 'Good morning, how can we help?',
      toolCalls: [{ id: toolCallId, type: 'function', function: call }],
    });
    await tx('messages').where({ id }).update({ uuid: demo.messageUuid });
    const result = { role: 'tool', author: 'system', content: 'The follow-up is scheduled.' } as const;
    await insertMessage(tx, { ...result, chatId, toolCallId });
  });
}

async function scheduleFollowUps({ db, actor, clock }: CommandContext, chatId: number): Promise<void> {
  const dueAt = new Date(clock.now().getTime() + yearMs);
  await db.inWorkspace(actor.workspaceId, async (tx) => {
    const followUp = { chatId, dueAt, scheduledByMemberId: demo.assistantMemberId };
    await insertFollowUp(tx, { ...followUp, instructions: 'Ask how the visit went.' });
    const second = await insertFollowUp(tx, { ...followUp, instructions: 'Ask whether the pain is gone.' });
    expectId('follow-up to cancel', second, demo.followUpToCancel);
    const chat = await findChat(tx, chatId);
    if (chat !== undefined) await pokeFollowUpRun(tx, chat);
  });
}

async function scheduleMessages(context: CommandContext, chatId: number): Promise<void> {
  const sendAt = new Date(context.clock.now().getTime() + yearMs).toISOString();
  const places = {
    'Your next visit is due.': demo.scheduledMessageId,
    'A greeting': demo.scheduledMessageToCancel,
  };
  for (const [message, expected] of Object.entries(places)) {
    const scheduled = await scheduleMessage(context, { chatId, message, sendAt, toolCalls: [] });
    expectId('scheduled message', scheduled, expected);
  }
}

/** Creates keys with the admin's key, because a key may only change those that it has created. */
export async function buildExampleKeys(
  database: Database,
  admin: AccountRow,
  adminKey: { id: number; expiresAt: Date | null },
): Promise<void> {
  const scopes = new Set(allScopes);
  const credential = {
    ...adminKey,
    kind: 'api_key',
    scopes,
    workspaceId: null,
    organizationId: null,
  } as const;
  const context = { ...accountContext(database, admin), credential };
  const places = { Reporting: demo.apiKeyId, Website: demo.apiKeyToRotate, Former: demo.apiKeyToRevoke };
  for (const [name, expected] of Object.entries(places)) {
    const { key } = await createApiKey(context, { name, scopes: ['members:read', 'chats:read'] });
    expectId('API key', key, expected);
  }
  const person = {
    ...context,
    credential: {
      kind: 'session',
      id: 0,
      scopes: null,
      workspaceId: null,
      organizationId: null,
      expiresAt: null,
    },
  } as const;
  const { application } = await createApplication(person, {
    uuid: demo.applicationUuid,
    name: 'Desk client',
    redirectUris: ['https://desk.example/callback'],
    scopes: ['chats:read', 'members:read'],
  });
  const workspace = await database.identity.workspaces.findByUuid(demo.workspaceUuid);
  if (workspace === undefined) throw new Error('there is no demo workspace');
  await giveGrant(person, {
    uuid: demo.connectionUuid,
    workspaceId: workspace.id,
    clientId: application.clientId,
    clientName: application.name,
    scopes: ['chats:read'],
    resource: 'http://127.0.0.1:3000/api/v2/mcp',
  });
}
