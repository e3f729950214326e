import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findAssignmentOfChat } from '../../../db/assignments/assignments.js';
import { lockChat } from '../../../db/conversations/chats.js';
import { insertMessage } from '../../../db/conversations/messages.js';
import type { Tx } from '../../../db/tx.js';
import { readSituation } from '../../../domain/agent/read-situation.js';
import { executeToolCall } from '../../../domain/agent/tool-calls/perform-tool-call.js';
import type { ToolResult } from '../../../domain/agent/tools/tool-result.js';
import { lockEnteringMachine } from '../../../domain/assignments/machine/machine.js';
import { liveOutreach } from '../../../domain/calls/live-outreach.js';
import type { RevisionTask } from '../../../domain/definitions/revision-rules/types.js';
import { openBrowser } from '../../support/api/browser.js';
import { useApi } from '../../support/api/use-api.js';
import { addStoredFile } from '../../support/files/add-stored-file.js';
import { insertIndexedFile, page } from '../../support/files/indexed-file.js';
import { png } from '../../support/files/samples.js';
import { MovedClock } from '../../support/lib/moved-clock.js';
import { addForm, recorded, type SpeakersDesk, signUp, speakers } from '../../support/people/speakers.js';
import { addPublishedPage } from '../../support/sites/add-published-page.js';
import { addChatSite, visit } from '../../support/sites/site-chat.js';
import { scratchStorage } from '../../support/storage/scratch-storage.js';
import { addPhoneNumber, publishDefinition } from '../../support/workspace/definitions.js';
import { addMember, type TestMember, uniqueEmail } from '../../support/workspace/factories.js';
import { addInbox } from '../../support/workspace/inboxes.js';

/*
 * Every way in, by every kind of nobody and somebody, to files of every access (docs/decisions/0223-who-is-nobody.md). What is expected is
 * written by hand: `public`, or `workspace`, which includes it. A private file of others is read by none of them. What they are told
 * beside files: test/api/files/what-nobody-is-told.test.ts.
 */
type Expected = 'public' | 'workspace';
const accesses = ['private', 'workspace', 'public'] as const;
type Access = (typeof accesses)[number];
const readBy: Record<Expected, readonly string[]> = {
  public: ['public'],
  workspace: ['public', 'workspace'],
};

const clock = new MovedClock();
const { storage, remove } = scratchStorage();
afterAll(remove);
const suite = useApi({ clock, storage });
const { api, database, workspace, asAdmin, as } = suite;
const inWorkspace = <Result>(work: (tx: Tx) => Promise<Result>) =>
  database.database.inWorkspace(workspace.workspaceId, work);

const texts: Partial<Record<Access, number>> = {};
const pictures: Partial<Record<Access, number>> = {};
let desk: SpeakersDesk;
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
    const indexed = { title: access, access, folderId: folder };
    texts[access] = (
      await insertIndexedFile(workspace, { ...indexed, pages: page('the heron sleeps') })
    ).fileId;
    const picture = { content: png(), filename: 'heron.png', access };
    pictures[access] = (await addStoredFile(workspace, storage, picture)).id;
  }
  // Not read yet, which is counted for those who may read it.
  const waiting = { title: 'waiting', access: 'workspace', pages: [], state: 'pending' } as const;
  await insertIndexedFile(workspace, waiting);
  const { workflowId } = await publishDefinition(workspace, answering({}));
  const smsNumber = await addPhoneNumber(workspace, { inboundWorkflowId: workflowId, mmsEnabled: true });
  const { id: inboxId } = await addInbox(workspace, { workflowId });
  desk = { suite, clock, workflowId, smsNumber, inboxId, form: await addForm(suite) };
});

interface Shown {
  /** Titles of files with passages. */
  found: string[];
  /** How many files are told to be read later. */
  waiting: number;
  /** What is sent by its number; in a chat by SMS as MMS. */
  texts: string[];
  pictures: string[];
  /** Titles in the description of the tool. */
  offered: string[];
}

/** What the agent of a chat finds, may send and is told the names of. */
async function agentShows(chatId: number): Promise<Shown> {
  const use = (name: string, input: object) =>
    inWorkspace(async (tx): Promise<ToolResult & { passages?: { file: string }[] }> => {
      const chat = await lockChat(tx, chatId);
      const assignment = chat && (await findAssignmentOfChat(tx, chat.id));
      if (chat === undefined || assignment === undefined) throw new Error('the chat has no assignment');
      const step = { outreach: liveOutreach, now: clock.now(), ofRun: false };
      const machine = await lockEnteringMachine(tx, assignment.id, step);
      const { id: messageId } = await insertMessage(tx, { chatId, role: 'assistant', author: 'agent' });
      const performer = { by: 'agent', memberId: chat.assistantMemberId, inTurn: true } as const;
      const place = { chat, machine, performer, messageId, now: clock.now() };
      return executeToolCall(workspace.context(), tx, place, { name, arguments: JSON.stringify(input) });
    });
  const offered = await inWorkspace(async (tx) => {
    const chat = await lockChat(tx, chatId);
    const { tools } = chat === undefined ? { tools: [] } : await readSituation(tx, chat, clock.now());
    const { description = '' } = tools.find(({ name }) => name === 'send_files') ?? {};
    return accesses.filter((access) => description.includes(`"${access}"`));
  });
  const found = await use('search_files', { query: 'heron' });
  const sent = async (ids: typeof texts) => {
    const shown: string[] = [];
    for (const access of accesses) {
      const result = await use('send_files', { files: [ids[access]], text: 'Here it is.' });
      if (result.ok || result.error !== 'not_found') shown.push(access);
    }
    return shown.sort();
  };
  return {
    found: (found.passages ?? []).map(({ file }) => file).sort(),
    waiting: Number(found.filesNotIndexedYet ?? 0),
    texts: await sent(texts),
    pictures: await sent(pictures),
    offered: offered.sort(),
  };
}

const shownTo = (expected: Expected): Shown => {
  const shown = [...readBy[expected]].sort();
  const waiting = expected === 'workspace' ? 1 : 0;
  return { found: shown, waiting, texts: shown, pictures: shown, offered: shown };
};

describe('an agent shows files', () => {
  it.each(speakers)('to $who: $reads', { timeout: 60_000 }, async ({ reads, told, speak }) => {
    const { chatId } = await speak(desk);
    const expected = shownTo(reads);
    // Where nothing is told of what is stored, no names are listed either.
    expect(await agentShows(chatId)).toEqual(told === 'nothing' ? { ...expected, offered: [] } : expected);
  });

  it('of the access workspace to anybody where the ability says so', async () => {
    const { workflowId: open } = await publishDefinition(workspace, answering({ access: 'workspace' }));
    const site = await addChatSite(api, workspace, { defaultWorkflowId: open });
    await (await visit(api, site)).write('Hello');
    const { id } = await inWorkspace((tx) => tx('chats').where({ site_id: site.id }).first('id'));
    expect(await agentShows(id)).toEqual(shownTo('workspace'));
  });

  it('by MMS, as pictures that are delivered', async () => {
    const { speak } = speakers.find(({ who }) => who === 'an unknown texter') ?? {};
    const { chatId } = (await speak?.(desk)) ?? { chatId: 0 };
    await agentShows(chatId);
    const sent: { files: { fileId: number }[] }[] = await inWorkspace((tx) =>
      tx('messages as m')
        .join('deliveries as d', 'd.message_id', 'm.id')
        .where('m.chat_id', chatId)
        .select('m.files'),
    );
    expect(sent.flatMap(({ files }) => files.map(({ fileId }) => fileId))).toEqual([pictures.public]);
  });

  it('that another nobody has sent to none', async () => {
    const [first, second] = speakers.filter(({ who }) => who.startsWith('an unknown'));
    const sender = await first?.speak(desk);
    const other = await second?.speak(desk);
    const { member_id: ownerMemberId } = await inWorkspace((tx) =>
      tx('chats').where({ id: sender?.chatId }).first('member_id'),
    );
    const sent = {
      title: 'sent',
      access: 'private',
      ownerMemberId,
      pages: page('the heron sleeps'),
    } as const;
    await insertIndexedFile(workspace, sent);
    expect((await agentShows(sender?.chatId ?? 0)).found).toEqual(['public', 'sent']);
    expect((await agentShows(other?.chatId ?? 0)).found).toEqual(['public']);
  });
});

describe('a caller of the API', () => {
  interface Person {
    request: ReturnType<typeof as>;
    /** Below the address of sites. */
    visits: (path: string) => Promise<{ status: number }>;
  }
  const byKey = (member: Pick<TestMember, 'apiKey'>): Person => ({
    request: as(member),
    visits: (path) => api.request('GET', path, { apiKey: member.apiKey }),
  });
  const bySession = async (token: string): Promise<Person> => {
    const browser = openBrowser(api);
    expect((await browser.request('POST', '/sessions', { body: { memberToken: token } })).status).toBe(201);
    return {
      request: (method, path, body) =>
        browser.request(method, workspace.path(path), body === undefined ? {} : { body }) as never,
      visits: (path) => browser.request('GET', path),
    };
  };
  const anyone: Person = {
    request: (method, path, body) =>
      api.request(method, workspace.path(path), body === undefined ? {} : { body }) as never,
    visits: (path) => api.request('GET', path),
  };
  const people: [who: string, expected: Expected, person: () => Promise<Person>][] = [
    [
      'with the token of a form',
      'public',
      async () => bySession((await signUp(desk, { email: uniqueEmail() })).token),
    ],
    [
      'whom the workspace has written down and signed in',
      'workspace',
      async () => {
        const memberId = await recorded(desk, { name: 'Jo' });
        return bySession((await asAdmin('POST', `/members/${memberId}/tokens`)).body.token);
      },
    ],
    [
      'with an account',
      'workspace',
      async () => byKey(await addMember(workspace, { role: workspace.roles.member })),
    ],
  ];
  const ways: [way: string, reads: (person: Person, access: Access) => Promise<boolean>][] = [
    ['reads a file', async ({ request }, access) => (await request('GET', file(access))).status === 200],
    [
      'reads a small picture in what is told of a file',
      async ({ request }, access) =>
        String((await request('GET', `/files/${pictures[access]}`)).body.data).startsWith('data:image/png'),
    ],
    [
      'reads the bytes of a file',
      async ({ request }, access) => (await request('GET', `${file(access)}/download`)).status === 200,
    ],
    [
      'reads the versions of a file',
      async ({ request }, access) => (await request('GET', `${file(access)}/versions`)).status === 200,
    ],
    [
      'reads the bytes of a shared file',
      async ({ request }, access) =>
        (await request('GET', `/sharing${file(access)}/contents/any`)).status === 200,
    ],
    ['lists files', async ({ request }, access) => lists(request, '/files?pageSize=100', stored[access])],
    [
      'reads a shared file',
      async ({ request }, access) => (await request('GET', `/sharing${file(access)}`)).status === 200,
    ],
    [
      'reads a folder',
      async ({ request }, access) => (await request('GET', `/folders/${folders[access]}`)).status === 200,
    ],
    ['lists folders', async ({ request }, access) => lists(request, '/folders', folders[access])],
    [
      'finds passages of a file',
      async ({ request }, access) =>
        (
          (await request('GET', '/files/search?q=heron')).body as { items: { file: { id: number } }[] }
        ).items.some((found) => found.file.id === texts[access]),
    ],
    [
      'attaches a file to a message',
      async ({ request }, access) => {
        const begun = await request('POST', '/chats', { channel: 'web-chat' });
        const { id: chatId } = begun.body as { id: number };
        const files = [stored[access]];
        return (
          (await request('POST', `/chats/${chatId}/messages`, { content: 'This', files })).status === 201
        );
      },
    ],
    [
      'puts a file into a record',
      async ({ request }, access) =>
        (await request('POST', `/data-types/${typeId}/records`, { fieldValues: { paper: stored[access] } }))
          .status === 201,
    ],
  ];
  const file = (access: Access) => `/files/${stored[access]}`;
  const lists = async (request: Person['request'], path: string, id: number | undefined) =>
    ((await request('GET', path)).body as { items: { id: number }[] }).items.some((item) => item.id === id);
  const stored: Partial<Record<Access, number>> = {};
  const folders: Partial<Record<Access, number>> = {};
  let typeId: number;
  beforeAll(async () => {
    const fields = [{ slug: 'paper', name: 'Paper', fieldType: 'file' }];
    const type = { name: 'Papers', slug: 'papers', isCollection: true, fields };
    typeId = (await asAdmin('POST', '/data-types', type)).body.id;
    for (const access of accesses) {
      stored[access] = (await addStoredFile(workspace, storage, { access })).id;
      folders[access] = (await asAdmin('POST', '/folders', { name: `Of ${access}`, access })).body.id;
    }
  });

  it.each(
    people.flatMap(([who, expected, person]) =>
      ways.map(([way, reads]) => ({ who, way, expected, person, reads })),
    ),
  )('$who $way: $expected', async ({ expected, person, reads }) => {
    const caller = await person();
    const read: string[] = [];
    for (const access of accesses) if (await reads(caller, access)) read.push(access);
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

  it.each(people)('%s sees sites and their pages: %s', async (_, expected, person) => {
    const hidden = await addChatSite(api, workspace, { isPublic: false });
    const open = await addChatSite(api, workspace);
    const word = `kingfisher${randomUUID().slice(0, 8)}`;
    for (const { id } of [hidden, open]) await addPublishedPage(asAdmin, id, { text: `The ${word} dives.` });
    const { id: fileId } = await addStoredFile(workspace, storage, { access: 'workspace' });
    expect((await asAdmin('PUT', `/files/${fileId}`, { siteId: hidden.id })).status).toBe(200);
    const { request, visits } = await person();
    const ids = async (path: string) =>
      ((await request('GET', path)).body as { items: { id: number }[] }).items.map(({ id }) => id);
    const found = (await request('GET', `/files/search?q=${word}`)).body as {
      pages: { site: { id: number } }[];
    };
    const statuses = [
      await request('GET', `/sites/${hidden.id}`),
      await request('POST', `/sites/${hidden.id}/files/${fileId}/address`),
      await visits(hidden.path),
      await visits(`${hidden.path}/files/${fileId}/contents/any`),
    ].map(({ status }) => status);

    const seesHidden = expected === 'workspace';
    expect(statuses).toEqual(Array(4).fill(seesHidden ? 200 : 404));
    const listed = await ids('/sites?pageSize=100');
    expect([hidden.id, open.id].map((id) => listed.includes(id))).toEqual([seesHidden, true]);
    expect(found.pages.map(({ site }) => site.id).sort()).toEqual(
      (seesHidden ? [hidden.id, open.id] : [open.id]).sort(),
    );
  });

  it.each(people)('%s finds no message and no record of others', async (_, __, person) => {
    const word = `bittern${randomUUID().slice(0, 8)}`;
    const { body: chat } = await asAdmin('POST', '/chats', { channel: 'web-chat' });
    await asAdmin('POST', `/chats/${chat.id}/messages`, { content: `The ${word} booms.` });
    const { body: record } = await asAdmin('POST', `/data-types/${typeId}/records`, {
      fieldValues: { paper: stored.public },
    });
    const { request } = await person();
    expect((await request('GET', `/chats/message-search?q=${word}`)).body).toMatchObject({ items: [] });
    expect((await request('GET', `/chats/${chat.id}/messages`)).status).toBeGreaterThanOrEqual(400);
    const records = `/data-types/${typeId}/records`;
    expect(await lists(request, records, record.id)).toBe(false);
    expect((await request('GET', `${records}/${record.id}`)).status).toBeGreaterThanOrEqual(400);
  });
});
