import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findAssignmentOfChat } from '../../../db/assignments/assignments.js';
import { lockChat } from '../../../db/conversations/chats.js';
import { insertMessage } from '../../../db/conversations/messages.js';
import type { Tx } from '../../../db/database.js';
import { executeCall } from '../../../domain/agent/run-tool.js';
import type { ToolResult } from '../../../domain/agent/tools.js';
import { lockMachine } from '../../../domain/assignments/machine/machine.js';
import { openInboundChat } from '../../../domain/conversations/chats/open-inbound-chat.js';
import { receiveSms } from '../../../domain/conversations/chats/receive-sms.js';
import { memberOfSender } from '../../../domain/conversations/chats/sender-member.js';
import type { RevisionTask } from '../../../domain/definitions/revision-rules/types.js';
import { openBrowser } from '../../support/api/browser.js';
import { useApi } from '../../support/api/use-api.js';
import { stageCall } from '../../support/calls/staged-call.js';
import { addStoredFile } from '../../support/files/add-stored-file.js';
import { insertIndexedFile, page } from '../../support/files/indexed-file.js';
import { MovedClock } from '../../support/lib/moved-clock.js';
import { addChatSite, visit } from '../../support/sites/site-chat.js';
import { scratchStorage } from '../../support/storage/scratch-storage.js';
import { addPhoneNumber, publishDefinition } from '../../support/workspace/definitions.js';
import {
  addMember,
  addMemberRow,
  type TestMember,
  uniqueEmail,
  uniquePhone,
} from '../../support/workspace/factories.js';
import { addInbox } from '../../support/workspace/inboxes.js';

/*
 * Every way in, by every kind of nobody and somebody, to files of every access (docs/decisions/0223-who-is-nobody.md). What is expected is
 * written by hand: `public`, or `workspace`, which includes it. A private file of others is read by none of them.
 */
type Expected = 'public' | 'workspace';
const accesses = ['private', 'workspace', 'public'] as const;
const readBy: Record<Expected, readonly string[]> = {
  public: ['public'],
  workspace: ['public', 'workspace'],
};

const clock = new MovedClock();
const { storage, remove } = scratchStorage();
afterAll(remove);
const { api, database, workspace, asAdmin, as } = useApi({ clock, storage });
const inWorkspace = <Result>(work: (tx: Tx) => Promise<Result>) =>
  database.database.inWorkspace(workspace.workspaceId, work);
const roleId = () => workspace.roles.member.id;

const ids: Record<string, number> = {};
let workflowId: number;
let smsNumber: { id: number; number: string };
let inboxId: number;
const answering = (config: object): RevisionTask => ({
  name: 'Answer',
  taskType: 'conversation',
  prompt: 'Answer from the files.',
  abilities: [
    { abilityType: 'search_files', config: { ...config } },
    { abilityType: 'send_files', config: { folderPath: 'shelf', ...config } },
    { abilityType: 'handoff' },
  ],
});
beforeAll(async () => {
  const folder = (await asAdmin('POST', '/folders', { name: 'Shelf' })).body.id as number;
  for (const access of accesses) {
    const indexed = { title: access, access, folderId: folder, pages: page('the heron sleeps') };
    ids[access] = (await insertIndexedFile(workspace, indexed)).fileId;
  }
  workflowId = (await publishDefinition(workspace, answering({}))).workflowId;
  smsNumber = await addPhoneNumber(workspace, { inboundWorkflowId: workflowId });
  inboxId = (await addInbox(workspace, { workflowId })).id;
});

/** What the agent of a chat finds, may send and is told the names of. */
async function agentShows(chatId: number) {
  const use = (name: string, input: object) =>
    inWorkspace(async (tx): Promise<ToolResult & { passages?: { file: string }[] }> => {
      const chat = await lockChat(tx, chatId);
      const assignment = chat && (await findAssignmentOfChat(tx, chat.id));
      if (chat === undefined || assignment === undefined) throw new Error('the chat has no assignment');
      const machine = await lockMachine(tx, assignment.id, clock.now());
      const { id: messageId } = await insertMessage(tx, { chatId, role: 'assistant', author: 'agent' });
      const performer = { by: 'agent', memberId: chat.assistantMemberId, inTurn: true } as const;
      const place = { chat, machine, performer, messageId, now: clock.now() };
      return executeCall(workspace.context(), tx, place, { name, arguments: JSON.stringify(input) });
    });
  const found = await use('search_files', { query: 'heron' });
  const sent: string[] = [];
  for (const access of accesses) {
    const result = await use('send_files', { files: [ids[access]], text: 'Here it is.' });
    const isShown = result.ok || result.error !== 'not_found';
    if (isShown) sent.push(access);
  }
  return { found: (found.passages ?? []).map(({ file }) => file).sort(), sent: sent.sort() };
}

async function chatOfSms(from: string): Promise<number> {
  const sms = { carrierMessageId: `SM${randomUUID()}`, from, to: smsNumber.number, body: 'Hello' };
  await receiveSms(workspace.context(undefined, clock), sms);
  const chat = await inWorkspace((tx) =>
    tx('chats')
      .join('members', 'members.id', 'chats.member_id')
      .where({ 'members.phone': from, 'chats.channel': 'phone-sms' })
      .orderBy('chats.id', 'desc')
      .first('chats.id'),
  );
  return chat.id;
}

const chatOfMail = (address: string) =>
  inWorkspace(async (tx) => {
    const now = clock.now();
    const member = await memberOfSender(database.database, tx, { channel: 'email', address }, now);
    const place = {
      channel: 'email',
      memberId: member.id,
      phoneNumberId: null,
      inboxId,
      title: null,
    } as const;
    return (await openInboundChat(tx, { ...place, definitionId: workflowId }, now)).id;
  });

/** A chat on the web of a member, which a colleague has begun unless its own credential does. */
async function chatOfWeb(memberId: number): Promise<number> {
  const { body } = await asAdmin('POST', '/assignments', { workflowId, memberId });
  const { chat_id: chatId } = await inWorkspace((tx) =>
    tx('assignments').where({ id: body.id }).first('chat_id'),
  );
  return chatId;
}

/** A chat whose member is on the phone. */
async function chatOfCall(
  phone: string,
  { inbound, proved = false }: { inbound: boolean; proved?: boolean },
): Promise<number> {
  const { id } = await inWorkspace((tx) => tx('members').where({ phone }).first('id'));
  const chatId = await chatOfWeb(id);
  const call = await stageCall(workspace, clock, chatId);
  await inWorkspace((tx) =>
    tx('phone_calls')
      .where({ id: call.callId })
      .update({
        inbound,
        remote_number: phone,
        ...(proved ? { identity_proved_at: clock.now() } : {}),
      }),
  );
  return chatId;
}

const signUp = async (member: object) =>
  (await asAdmin('POST', '/create-signup', { member })).body as { token: string; member: { id: number } };
async function recorded(values: object): Promise<number> {
  return (await asAdmin('POST', '/members', values)).body.id;
}
async function withAccount(proved: { phone?: string; email?: string }): Promise<number> {
  const row = await addMemberRow(
    workspace,
    { memberRoleId: roleId(), phone: proved.phone ?? null, email: proved.email ?? null },
    { isVouchedFor: false },
  );
  const now = clock.now();
  const account = await database.database.identity.accounts.create({
    name: 'Person',
    ...(proved.phone === undefined ? {} : { phone: proved.phone, phoneVerifiedAt: now }),
    ...(proved.email === undefined ? {} : { email: proved.email, emailVerifiedAt: now }),
  });
  await database.database.identity.memberships.add({
    workspaceId: workspace.workspaceId,
    memberId: row.id,
    accountId: account.id,
  });
  return row.id;
}
/** As after a call from a number that nobody knows. */
async function uncalled(phone: string): Promise<void> {
  await addMemberRow(workspace, { memberRoleId: roleId(), phone, email: null }, { isVouchedFor: false });
}

const spoken: [who: string, expected: Expected, chat: () => Promise<number>][] = [
  [
    'a visitor of a site',
    'public',
    async () => {
      const site = await addChatSite(api, workspace, { defaultWorkflowId: workflowId });
      await (await visit(api, site)).write('Hello');
      return (await inWorkspace((tx) => tx('chats').where({ site_id: site.id }).first('id'))).id;
    },
  ],
  ['an unknown texter', 'public', () => chatOfSms(uniquePhone())],
  [
    'a texter that a form has named',
    'public',
    async () => {
      const phone = uniquePhone();
      await signUp({ phone, email: uniqueEmail() });
      return chatOfSms(phone);
    },
  ],
  [
    'a texter of whom a colleague has written down the email alone',
    'public',
    async () => {
      const phone = uniquePhone();
      const chatId = await chatOfSms(phone);
      const { id } = await inWorkspace((tx) => tx('members').where({ phone }).first('id'));
      await asAdmin('PUT', `/members/${id}`, { email: uniqueEmail() });
      return chatId;
    },
  ],
  [
    'a texter whose number a colleague has written down since',
    'workspace',
    async () => {
      const phone = uniquePhone();
      const chatId = await chatOfSms(phone);
      const { id } = await inWorkspace((tx) => tx('members').where({ phone }).first('id'));
      expect((await asAdmin('PUT', `/members/${id}`, { phone })).status).toBe(200);
      return chatId;
    },
  ],
  [
    'a texter whom the workspace has written down',
    'workspace',
    async () => {
      const phone = uniquePhone();
      await recorded({ phone });
      return chatOfSms(phone);
    },
  ],
  [
    'a texter whose account has proved the number',
    'workspace',
    async () => {
      const phone = uniquePhone();
      await withAccount({ phone });
      return chatOfSms(phone);
    },
  ],
  ['an unknown mailer', 'public', () => chatOfMail(uniqueEmail())],
  [
    'a mailer that a form has named',
    'public',
    async () => {
      const email = uniqueEmail();
      await signUp({ email });
      return chatOfMail(email);
    },
  ],
  [
    'a mailer whom the workspace has written down',
    'workspace',
    async () => {
      const email = uniqueEmail();
      await recorded({ email });
      return chatOfMail(email);
    },
  ],
  [
    'a mailer whose account has proved the address',
    'workspace',
    async () => {
      const email = uniqueEmail();
      await withAccount({ email });
      return chatOfMail(email);
    },
  ],
  [
    'an unknown caller',
    'public',
    async () => {
      const phone = uniquePhone();
      await uncalled(phone);
      return chatOfCall(phone, { inbound: true });
    },
  ],
  [
    'an unknown caller who has proved to be the same as before',
    'public',
    async () => {
      const phone = uniquePhone();
      await uncalled(phone);
      return chatOfCall(phone, { inbound: true, proved: true });
    },
  ],
  [
    'a caller with the number of a member',
    'public',
    async () => {
      const phone = uniquePhone();
      await recorded({ phone });
      return chatOfCall(phone, { inbound: true });
    },
  ],
  [
    'a caller who has proved to be a member',
    'workspace',
    async () => {
      const phone = uniquePhone();
      await recorded({ phone });
      return chatOfCall(phone, { inbound: true, proved: true });
    },
  ],
  [
    'a member whom the service has called',
    'workspace',
    async () => {
      const phone = uniquePhone();
      await recorded({ phone });
      return chatOfCall(phone, { inbound: false });
    },
  ],
  [
    'whoever takes a call to a number of a form',
    'public',
    async () => {
      const phone = uniquePhone();
      await signUp({ phone });
      return chatOfCall(phone, { inbound: false });
    },
  ],
  [
    'a person of a form on the web',
    'public',
    async () => chatOfWeb((await signUp({ email: uniqueEmail() })).member.id),
  ],
  [
    'a person of a form whose address a colleague has written down since, on the web',
    'public',
    async () => {
      const email = uniqueEmail();
      const { member } = await signUp({ email });
      await asAdmin('PUT', `/members/${member.id}`, { email });
      return chatOfWeb(member.id);
    },
  ],
  [
    'a member whom the workspace has written down, on the web',
    'workspace',
    async () => chatOfWeb(await recorded({ name: 'Jo' })),
  ],
  [
    'a member with an account, on the web',
    'workspace',
    async () => chatOfWeb(await withAccount({ email: uniqueEmail() })),
  ],
  [
    'a member in whose chat a person of a form takes part',
    'public',
    async () => {
      const chatId = await chatOfWeb(await recorded({ name: 'Jo' }));
      const { member } = await signUp({ email: uniqueEmail() });
      const added = await asAdmin('POST', `/chats/${chatId}/participants`, { memberId: member.id });
      expect(added.status).toBe(201);
      return chatId;
    },
  ],
];

describe('an agent shows files', () => {
  it.each(spoken)('to %s: %s', { timeout: 60_000 }, async (_, expected, chat) => {
    const shown = [...readBy[expected]].sort();
    expect(await agentShows(await chat())).toEqual({ found: shown, sent: shown });
  });

  it('of the access workspace to anybody where the ability says so', async () => {
    const { workflowId: open } = await publishDefinition(workspace, answering({ access: 'workspace' }));
    const site = await addChatSite(api, workspace, { defaultWorkflowId: open });
    await (await visit(api, site)).write('Hello');
    const { id } = await inWorkspace((tx) => tx('chats').where({ site_id: site.id }).first('id'));
    expect(await agentShows(id)).toEqual({ found: ['public', 'workspace'], sent: ['public', 'workspace'] });
  });
});

describe('a caller of the API', () => {
  interface Person {
    request: ReturnType<typeof as>;
  }
  const byKey = (member: Pick<TestMember, 'apiKey'>): Person => ({
    request: as(member),
  });
  const bySession = async (token: string): Promise<Person> => {
    const browser = openBrowser(api);
    expect((await browser.request('POST', '/sessions', { body: { memberToken: token } })).status).toBe(201);
    return {
      request: (method, path, body) =>
        browser.request(method, workspace.path(path), body === undefined ? {} : { body }) as never,
    };
  };
  const anyone: Person = {
    request: (method, path, body) =>
      api.request(method, workspace.path(path), body === undefined ? {} : { body }) as never,
  };
  const people: [who: string, expected: Expected, person: () => Promise<Person>][] = [
    [
      'with the token of a form',
      'public',
      async () => bySession((await signUp({ email: uniqueEmail() })).token),
    ],
    [
      'whom the workspace has written down and signed in',
      'workspace',
      async () => {
        const memberId = await recorded({ name: 'Jo' });
        return bySession((await asAdmin('POST', `/members/${memberId}/tokens`)).body.token);
      },
    ],
    [
      'with an account',
      'workspace',
      async () => byKey(await addMember(workspace, { role: workspace.roles.member })),
    ],
  ];
  const ways: [way: string, reads: (person: Person, fileId: number) => Promise<boolean>][] = [
    ['reads a file', async ({ request }, id) => (await request('GET', `/files/${id}`)).status === 200],
    [
      'reads the bytes of a shared file',
      async ({ request }, id) => (await request('GET', `/sharing/files/${id}/contents/any`)).status === 200,
    ],
    [
      'lists files',
      async ({ request }, id) =>
        ((await request('GET', '/files?pageSize=100')).body as { items: { id: number }[] }).items.some(
          (file) => file.id === id,
        ),
    ],
    [
      'reads a shared file',
      async ({ request }, id) => (await request('GET', `/sharing/files/${id}`)).status === 200,
    ],
    [
      'attaches a file to a message',
      async ({ request }, id) => {
        const begun = await request('POST', '/chats', { channel: 'web-chat' });
        const { id: chatId } = begun.body as { id: number };
        const sent = await request('POST', `/chats/${chatId}/messages`, { content: 'This', files: [id] });
        return sent.status === 201;
      },
    ],
  ];
  const stored: Record<string, number> = {};
  beforeAll(async () => {
    for (const access of accesses) stored[access] = (await addStoredFile(workspace, storage, { access })).id;
  });

  it.each(
    people.flatMap(([who, expected, person]) =>
      ways.map(([way, reads]) => ({ who, way, expected, person, reads })),
    ),
  )('$who $way: $expected', async ({ expected, person, reads }) => {
    const caller = await person();
    const read: string[] = [];
    for (const access of accesses) if (await reads(caller, stored[access] ?? 0)) read.push(access);
    expect(read.sort()).toEqual([...readBy[expected]].sort());
  });

  it('without credentials reads what is public, at the sharing endpoints', async () => {
    const read: string[] = [];
    for (const access of accesses) {
      if ((await anyone.request('GET', `/sharing/files/${stored[access]}`)).status === 200) read.push(access);
      expect((await anyone.request('GET', `/files/${stored[access]}`)).status).toBe(401);
    }
    expect(read).toEqual(['public']);
  });

  it('with the token of a visitor attaches what it has uploaded, and nothing else by number', async () => {
    const visitor = await visit(api, await addChatSite(api, workspace));
    await visitor.write('Hello');
    for (const access of accesses) {
      const sent = await visitor.write('This', { files: [stored[access]] });
      expect(sent).toMatchObject({ status: 400, body: { errors: [{ pointer: '/files/0' }] } });
    }
    const multipart = new FormData();
    multipart.append('file', new Blob(['Own words.'], { type: 'text/plain' }), 'own.txt');
    const own = await visitor.request('POST', '/chat/files', { multipart });
    expect(await visitor.write('This', { files: [own.body.id] })).toMatchObject({ status: 201 });
  });

  it('sees nothing of a site that is not public with the token of a form', async () => {
    const site = await addChatSite(api, workspace, { isPublic: false });
    const { token } = await signUp({ email: uniqueEmail() });
    const browser = openBrowser(api);
    await browser.request('POST', '/sessions', { body: { memberToken: token } });
    const path = `/s/${workspace.workspaceUuid}/${site.uuid}`;
    expect((await browser.request('GET', path)).status).toBe(404);
  });
});
