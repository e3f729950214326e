import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { lockChat } from '../../../db/conversations/chats.js';
import { insertMessage } from '../../../db/conversations/messages.js';
import { selectMcpTools } from '../../../db/definitions/mcp-tools.js';
import type { Tx } from '../../../db/tx.js';
import { readSituation } from '../../../domain/agent/read-situation.js';
import { systemPrompt } from '../../../domain/agent/system-prompt.js';
import type { ToolContext } from '../../../domain/agent/tool-calls/call-place.js';
import { runTool } from '../../../domain/agent/tool-calls/run-tool.js';
import type { ClaimedCall } from '../../../domain/agent/tools/tool.js';
import { openCallBackend } from '../../../domain/agent/voice/call-backend.js';
import { CallStates } from '../../../domain/agent/voice/call-states.js';
import { createMcpServer } from '../../../domain/definitions/mcp-servers/mcp-servers.js';
import { allowMcpTool } from '../../../domain/definitions/mcp-servers/mcp-tools.js';
import { refreshMcpServer } from '../../../domain/definitions/mcp-servers/refresh-mcp-server.js';
import { updateWorkspace } from '../../../domain/identity/workspaces/update-workspace.js';
import { simulatedTools } from '../../../tools/simulators/mcp-server/tools.js';
import { useApi } from '../../support/api/use-api.js';
import { testEncryption } from '../../support/lib/encryption.js';
import { MovedClock } from '../../support/lib/moved-clock.js';
import {
  addForm,
  type SpeakersDesk,
  type SpokenChat,
  speakers,
  type Told,
} from '../../support/people/speakers.js';
import { addRecords } from '../../support/records/add-records.js';
import { addAssistant } from '../../support/sites/assistant.js';
import { addPhoneNumber, publishDefinition } from '../../support/workspace/definitions.js';
import { addInbox } from '../../support/workspace/inboxes.js';
import { proveEmail } from '../../support/workspace/prove-email.js';

/*
 * What every kind of nobody and somebody is told of what is stored, and what is sent to others while they speak
 * (docs/decisions/0223-who-is-nobody.md, 0158, 0230). Their files: test/api/files/who-is-nobody.test.ts.
 */
const clock = new MovedClock();
const suite = useApi({ clock });
const { database, workspace } = suite;
const inWorkspace = <Result>(work: (tx: Tx) => Promise<Result>) =>
  database.database.inWorkspace(workspace.workspaceId, work);
const context = (): ToolContext => ({ ...workspace.context(undefined, clock), encryption: testEncryption });

/** Stored about the member who speaks. */
const own = { name: 'Robin Heron', words: 'words of the own record' };
const ofAnother = 'words of the record of another';
const before = 'words of the chat before the call';
let desk: SpeakersDesk;
let typeId: number;
let remoteTool: string;

async function allowedTool(server: string): Promise<void> {
  const admin = { ...workspace.context(workspace.admin), encryption: testEncryption };
  const made = { name: server, address: { url: 'https://mcp.example.com/mcp' }, token: 'sesame-open-0001' };
  const { id: serverId } = await createMcpServer(admin, made);
  const list = async () => ({ kind: 'listed' as const, tools: [...simulatedTools], isCut: false });
  await refreshMcpServer({ ...admin, tools: { list } }, serverId);
  const tool = (await inWorkspace((tx) => selectMcpTools(tx, serverId))).find(
    ({ name }) => name === 'find_order',
  );
  if (tool === undefined) throw new Error('the server has no tool');
  const { id: toolId, digest } = tool;
  await allowMcpTool(admin, { serverId, toolId }, { digest, approval: 'none' });
}

beforeAll(async () => {
  await proveEmail(workspace, workspace.admin.memberId);
  const policy = { localHttpOrigins: false };
  await updateWorkspace(
    { ...workspace.context(workspace.admin), policy },
    { requestHosts: ['api.example.com'] },
  );
  const server = `s${randomUUID().slice(0, 8)}`;
  await allowedTool(server);
  remoteTool = `${server}__find_order`;
  const fields = [{ slug: 'words', name: 'Words', fieldType: 'text' }];
  const type = { name: 'Notes', slug: 'notes', isCollection: false, fields };
  typeId = (await suite.asAdmin('POST', '/data-types', type)).body.id;
  await addRecords(workspace, typeId, [{ fieldValues: { words: ofAnother } }]);
  const request = {
    name: 'ask_web',
    description: 'Asks.',
    method: 'POST',
    url: 'https://api.example.com/ask',
    parameters: { type: 'object', properties: { topic: { type: 'string' } }, required: ['topic'] },
  };
  const assistantMemberId = (await addAssistant(workspace)).memberId;
  const answer = {
    name: 'Answer',
    taskType: 'conversation',
    prompt: 'Known: {{ member.name }}, {{ member.form_data.notes.words }}.',
    abilities: [
      { abilityType: 'read_data', config: { dataTypeSlug: 'notes' } },
      { abilityType: 'http_request', config: { requests: [request] } },
      { abilityType: 'mcp_tools', config: { tools: [{ server, tool: 'find_order' }] } },
      { abilityType: 'handoff' },
    ],
  };
  const { workflowId } = await publishDefinition(workspace, answer, { assistantMemberId });
  const smsNumber = await addPhoneNumber(workspace, { inboundWorkflowId: workflowId });
  const { id: inboxId } = await addInbox(workspace, { workflowId });
  desk = { suite, clock, workflowId, smsNumber, inboxId, form: await addForm(suite) };
});

/** Stores something about the member of the chat, which has written before. */
async function store(chatId: number): Promise<void> {
  const written = { chatId, role: 'user', author: 'member', content: before } as const;
  await inWorkspace((tx) => insertMessage(tx, written));
  const { member_id: memberId } = await inWorkspace((tx) =>
    tx('chats').where({ id: chatId }).first('member_id'),
  );
  await inWorkspace((tx) => tx('members').where({ id: memberId }).update({ name: own.name }));
  await addRecords(workspace, typeId, [{ memberId: Number(memberId), fieldValues: { words: own.words } }]);
}

/** All that a model is told, in each way in which it is asked in the chat. */
async function toldIn({ chatId, call }: SpokenChat): Promise<string[]> {
  if (call === undefined) {
    return inWorkspace(async (tx) => {
      const chat = await lockChat(tx, chatId);
      if (chat === undefined) throw new Error('the chat is gone');
      const situation = await readSituation(tx, chat, clock.now());
      return [JSON.stringify([await systemPrompt(situation, ''), situation.tools])];
    });
  }
  await call.reports({ status: 'in-progress' });
  await call.bridge({});
  const ref = {
    workspaceId: workspace.workspaceId,
    chatId,
    callId: call.callId,
    attempt: 1,
    recordingUuid: null,
  };
  const sendRequest = () => Promise.reject(new Error('nothing is sent'));
  const callStates = new CallStates(database.database);
  const held = openCallBackend({ ...workspace.context(undefined, clock), sendRequest, callStates }, ref);
  const [spoken, byText] = [await held.open(), await held.ask()];
  if (typeof spoken === 'string' || byText === undefined || byText === 'no_model') {
    throw new Error('no model is asked');
  }
  return [JSON.stringify(spoken), JSON.stringify(byText)];
}

/** Runs a call of a tool that the agent makes in its turn. @returns what is sent to others, and what the model is told */
async function use({ chatId }: SpokenChat, name: string, input: object) {
  const toolCallId = `call_${randomUUID()}`;
  await inWorkspace(async (tx) => {
    const chat = await lockChat(tx, chatId);
    const call = {
      id: toolCallId,
      type: 'function',
      function: { name, arguments: JSON.stringify(input) },
    } as const;
    const turn = { turnVersion: chat?.version ?? 0, memberId: chat?.assistantMemberId ?? null };
    await insertMessage(tx, {
      chatId,
      role: 'assistant',
      author: 'agent',
      content: null,
      toolCalls: [call],
      ...turn,
    });
  });
  const ref = { workspaceId: workspace.workspaceId, chatId, toolCallId };
  let sent: ClaimedCall | undefined;
  await runTool(context(), ref, async (claimed) => {
    sent = claimed;
    if ('remote' in claimed) return { kind: 'lost', code: 'timed_out' };
    return { kind: 'failed', code: 'timed_out', mayHaveArrived: true };
  });
  const [result] = await inWorkspace((tx) =>
    tx('messages').where({ tool_call_id: toolCallId }).select('content'),
  );
  return { sent, result: JSON.stringify(result?.content ?? null) };
}

const inTexts: Record<Told, boolean> = { all: true, 'in texts': true, nothing: false };

describe.each(speakers)('$who', ({ told, speak }) => {
  it(`is told of what is stored about the member: ${told}`, { timeout: 60_000 }, async () => {
    const spoken = await speak(desk);
    await store(spoken.chatId);
    for (const text of await toldIn(spoken)) {
      const has = (part: string) => text.includes(part);
      expect([has(own.name), has(own.words), has(ofAnother)]).toEqual([inTexts[told], inTexts[told], false]);
      if (spoken.call !== undefined) expect(has(before)).toBe(inTexts[told]);
    }
    const { result } = await use(spoken, 'read_data', { dataType: 'notes' });
    expect([result.includes(own.words), result.includes(ofAnother)]).toEqual([told === 'all', false]);
  });

  it('lets nothing be sent to others but what the model gives', { timeout: 60_000 }, async () => {
    const spoken = await speak(desk);
    await store(spoken.chatId);
    const asked = await use(spoken, 'ask_web', { topic: 'herons' });
    expect(asked.sent).toMatchObject({
      request: { url: 'https://api.example.com/ask', body: '{"topic":"herons"}', headers: {}, secrets: [] },
    });
    const remote = await use(spoken, remoteTool, { order: 'A-17' });
    if (spoken.call !== undefined) expect(remote.result).toContain('tool_not_available');
    else expect(remote.sent).toMatchObject({ remote: { tool: 'find_order', arguments: { order: 'A-17' } } });
    expect(JSON.stringify([asked.sent, remote.sent])).not.toMatch(/Robin Heron|words of the/);
  });
});
