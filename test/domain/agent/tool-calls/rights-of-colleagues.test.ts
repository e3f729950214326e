import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { remoteTool } from '../../../../domain/agent/remote-tools/remote-tool.js';
import { requestTool } from '../../../../domain/agent/requests/request-tool.js';
import { isForColleagues } from '../../../../domain/agent/tool-calls/rights-of-colleagues.js';
import { isToolName, tools } from '../../../../domain/agent/tools/tools.js';
import { attachFilesToAssignment } from '../../../../domain/assignments/assignment-files.js';
import { markAnswered } from '../../../../domain/calls/record-call-news.js';
import { sendAssistantMessage } from '../../../../domain/conversations/chats/send-assistant-message.js';
import type { RevisionTask } from '../../../../domain/definitions/revision-rules/types.js';
import { type AbilityType, abilityTypes } from '../../../../domain/kernel/abilities.js';
import type { Actor, CredentialKind } from '../../../../domain/kernel/actor.js';
import { allScopes, isScope, type Scope } from '../../../../domain/kernel/scopes.js';
import { createDataType } from '../../../../domain/records/data-types/create-data-type.js';
import { stageCall } from '../../../support/calls/staged-call.js';
import { type StagedAssignment, stageAssignment } from '../../../support/chats/staged-assignment.js';
import { addFile } from '../../../support/files/add-file.js';
import { createMemoryStore } from '../../../support/files/memory-store.js';
import { png } from '../../../support/files/samples.js';
import { addPhoneNumber } from '../../../support/workspace/definitions.js';
import {
  actorOf,
  addMember,
  randomTag,
  type TestMember,
  uniquePhone,
} from '../../../support/workspace/factories.js';
import { addInbox } from '../../../support/workspace/inboxes.js';
import { useWorkspace } from '../../../support/workspace/use-workspace.js';

const { workspace } = useWorkspace();
const store = createMemoryStore();
afterAll(() => store.close());
const slug = `intake_${randomTag()}`;
let fileId: number;
beforeAll(async () => {
  const fields = [{ slug: 'note', name: 'Note', fieldType: 'text' }];
  await createDataType(workspace.context(), { name: 'Intake', slug, isCollection: false, fields });
  await addInbox(workspace);
  fileId = (await addFile(workspace, store, { filename: 'map.png', content: png(), access: 'workspace' })).id;
});

interface Use {
  config?: Record<string, unknown>;
  input: () => object;
  place?: 'sms' | 'call';
}

/** How a colleague uses each ability, or why none does. A new ability needs an entry to compile. */
const uses: Record<AbilityType, Use | { agentOnly: string }> = {
  save_data: { config: { dataTypeSlug: slug, fieldSlugs: ['note'] }, input: () => ({ note: 'Cough' }) },
  read_data: { config: { dataTypeSlug: slug }, input: () => ({ dataType: slug }) },
  send_sms: { input: () => ({ text: 'Hello' }), place: 'sms' },
  search_files: { input: () => ({ query: 'heron' }) },
  send_files: { input: () => ({ files: [fileId], text: 'See' }) },
  suggest_answers: { agentOnly: 'answers are shown with the reply of its turn' },
  schedule_follow_up: { input: () => ({ after: 'P1D', instructions: 'Ask' }) },
  handoff: { input: () => ({ reason: 'Wants a person' }) },
  conclude: { input: () => ({ outcome: 'done' }) },
  send_email: { input: () => ({ subject: 'Visit', text: 'Hello' }) },
  http_request: { agentOnly: 'requests are made in its turn, outside of the transaction' },
  mcp_tools: { agentOnly: 'tools of others are called in its turn, outside of the transaction' },
  place_call: { input: () => ({ purpose: 'To talk' }), place: 'sms' },
  forward_call: { agentOnly: 'the bridge that speaks transfers its call' },
  end_call: { input: () => ({}), place: 'call' },
};

async function stage(task: Partial<RevisionTask>, place?: Use['place'], member?: TestMember) {
  const person = member ?? (await addMember(workspace, { values: { phone: uniquePhone() } }));
  const tasks: RevisionTask = { name: 'Talk', taskType: 'conversation', prompt: 'Talk.', ...task };
  const number = place === 'sms' ? await addPhoneNumber(workspace, { voiceEnabled: true }) : undefined;
  const byText = number === undefined ? {} : ({ channel: 'phone-sms', phoneNumberId: number.id } as const);
  const staged = await stageAssignment(workspace, tasks, { member: person, unchecked: true, ...byText });
  if (place === 'call') {
    await staged.advance();
    const call = await stageCall(workspace, staged.clock, staged.chatId);
    await call.inCall((tx, locked) => markAnswered(tx, locked, staged.clock.now()));
  }
  return staged;
}

interface Colleague {
  member?: TestMember;
  permissions?: readonly string[];
  scopes?: readonly string[] | null;
  kind?: CredentialKind;
  isKnown?: boolean;
}
const colleague = ({ member = workspace.admin, permissions = allScopes, ...more }: Colleague = {}): Actor =>
  actorOf(workspace, { member, permissions, ...more });
const allBut = (left: string): Colleague => {
  const others = allScopes.filter((scope) => scope !== left);
  return { permissions: others, scopes: others };
};

/** What becomes of a message of the colleague with a call: done, the permission that is needed, or the code of why not. */
async function use(staged: StagedAssignment, who: Colleague, name: string, input: object) {
  const context = { ...workspace.context(workspace.admin, staged.clock), actor: colleague(who) };
  const toolCalls = [{ name, arguments: JSON.stringify(input) }];
  const sent = sendAssistantMessage(context, { chatId: staged.chatId, message: 'Done.', toolCalls });
  return sent.then(
    () => 'done',
    (error) => error.missing ?? error.code ?? error,
  );
}
const storedIn = async (staged: StagedAssignment) =>
  (await staged.messages()).filter(({ author }) => author === 'person').length;

const rightFor = (type: AbilityType) => (isToolName(type) ? tools[type].colleague : 'agent');

describe('each ability', () => {
  it.each(abilityTypes)('%s names the permission that a colleague needs, or is the agent’s alone', (type) => {
    const right = rightFor(type);
    expect('agentOnly' in uses[type]).toBe(right === 'agent');
    expect(right === 'agent' || isScope(right)).toBe(true);
  });

  const used = abilityTypes.flatMap((type) => {
    const use = uses[type];
    return 'agentOnly' in use ? [] : [[type, rightFor(type) as Scope, use] as const];
  });

  it.each(used)(
    '%s is refused without %s, and nothing is stored',
    async (type, right, { config, input, place }) => {
      const staged = await stage({ abilities: [{ abilityType: type, ...(config && { config }) }] }, place);
      const before = await staged.messages();
      expect(await use(staged, allBut(right), type, input())).toBe(right);
      expect(await staged.messages()).toEqual(before);
      expect(await staged.chat()).toMatchObject({ paused: false });
      expect(await staged.assignment()).toMatchObject({ status: 'active' });
    },
  );

  it.each(used)(
    '%s is done with %s and no other permission',
    async (type, right, { config, input, place }) => {
      const staged = await stage({ abilities: [{ abilityType: type, ...(config && { config }) }] }, place);
      expect(await use(staged, { permissions: ['chats:admin', right] }, type, input())).toBe('done');
      expect(await storedIn(staged)).toBeGreaterThan(0);
    },
  );
});

describe('the tools of tasks', () => {
  const children: RevisionTask[] = [{ name: 'Other', taskType: 'conversation', prompt: 'Other.' }];
  it.each<[string, Partial<RevisionTask>, object]>([
    ['select_task', { children }, { task: 'unknown' }],
    ['complete_task', { autoNext: true }, {}],
  ])('%s needs assignments:write', async (name, task, input) => {
    const staged = await stage(task);
    expect(await use(staged, allBut('assignments:write'), name, input)).toBe('assignments:write');
    expect(await storedIn(staged)).toBe(0);
  });

  it('that collect need the right to write the records', async () => {
    const configuration = { dataTypeSlug: slug, fieldSlugs: ['note'] };
    const staged = await stage({ taskType: 'collect', configuration });
    expect(await use(staged, allBut('records:write'), 'save_data', { note: 'x' })).toBe('records:write');
    const ofType = { permissions: [`data:write:${slug}`] };
    expect(await use(staged, ofType, 'save_data', { note: 'x' })).toBe('done');
  });
});

describe('less than the permission', () => {
  it('is enough to read and to write records of one type, and of no other', async () => {
    const reading = await stage({ abilities: [{ abilityType: 'read_data' }] });
    const other = { permissions: ['data:read:other', 'data:write:other'] };
    expect(await use(reading, other, 'read_data', { dataType: slug })).toBe('data:read');
    const ofType = { permissions: [`data:read:${slug}`] };
    expect(await use(reading, ofType, 'read_data', { dataType: slug })).toBe('done');

    const config = { dataTypeSlug: slug, fieldSlugs: ['note'] };
    const writing = await stage({ abilities: [{ abilityType: 'save_data', config }] });
    expect(await use(writing, other, 'save_data', { note: 'x' })).toBe('records:write');
  });

  it('is enough to find and to send files that every member may see', async () => {
    const declared = [{ abilityType: 'search_files' }, { abilityType: 'send_files' }];
    const staged = await stage({ abilities: declared });
    const none = { permissions: [] };
    expect(await use(staged, none, 'search_files', { query: 'heron' })).toBe('done');
    expect(await use(staged, none, 'send_files', { files: [fileId], text: 'See' })).toBe('done');

    const own = await addFile(workspace, store, { filename: 'own.png', content: png(), access: 'private' });
    await attachFilesToAssignment(workspace.context(), staged.assignmentId, [own.id]);
    const reader = { ...none, member: await addMember(workspace) };
    const send = (who: Colleague) => use(staged, who, 'send_files', { files: [own.id], text: 'See' });
    expect(await send(reader)).toBe('files:read');
    expect(await send({ ...reader, permissions: ['files:read'] })).toBe('done');
    expect(await use(staged, { ...none, isKnown: false }, 'search_files', { query: 'x' })).toBe('files:read');
  });

  it('is not to be the member of the chat: who speaks as the assistant is not the member', async () => {
    const member = await addMember(workspace);
    const staged = await stage({ abilities: [{ abilityType: 'conclude' }] }, undefined, member);
    const self = { member, permissions: ['chats:admin'] };
    expect(await use(staged, self, 'conclude', { outcome: 'won' })).toBe('assignments:write');
  });
});

describe('an ability that needs approval', () => {
  const abilitiesOfTask = [{ abilityType: 'conclude', config: { requiresApproval: true } }];

  it('is used by another person than the member of the chat, and by no application', async () => {
    const member = await addMember(workspace, { role: workspace.roles.admin });
    const staged = await stage({ abilities: abilitiesOfTask }, undefined, member);
    for (const who of [{ member }, { kind: 'oauth_token' }, { isKnown: false }] satisfies Colleague[]) {
      expect(await use(staged, who, 'conclude', { outcome: 'won' })).toBe('another person');
    }
    expect(await staged.assignment()).toMatchObject({ status: 'active' });
    expect(await use(staged, {}, 'conclude', { outcome: 'won' })).toBe('done');
  });
});

describe('a tool that is for the agent alone', () => {
  const request = requestTool({ name: 'book_visit', description: '', method: 'POST', url: '' });
  const served = { server: 'visits', tool: 'book', serverId: 1, description: '', inputSchema: null };
  const remote = remoteTool({ ...served, approval: 'none', isReadOnly: false, isIdempotent: false });

  it.each([
    ['a suggestion', tools.suggest_answers],
    ['a transfer', tools.forward_call],
    ['a proof of identity', tools.prove_identity],
    ['a request', request],
    ['a tool of others', remote],
  ])('is %s', (_what, definition) => {
    expect(isForColleagues(definition)).toBe(false);
    expect(isForColleagues(tools.handoff)).toBe(true);
  });
});
