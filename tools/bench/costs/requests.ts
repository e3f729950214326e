import { randomUUID } from 'node:crypto';
import { createChat } from '../../../domain/conversations/chats/create-chat.js';
import { createDataRecord } from '../../../domain/records/data-records/create-data-record.js';
import { formWith } from '../../../test/support/files/send-file.js';
import { addMemberRow } from '../../../test/support/workspace/factories.js';
import type { Request } from '../http/compare-rates.js';
import {
  createRecord,
  getFile,
  getMessages,
  getRecord,
  listPage,
  postChats,
  sitePage,
} from '../http/figures.js';
import { readByTool } from '../mcp/figure.js';
import type { Stage } from '../stage/stage.js';
import { storageFolderOf } from '../support/add-file.js';
import { ask, send, sendJson } from '../support/ask.js';
import { addVisits, visitValues } from '../support/visits.js';
import { type Operation, request } from './operation.js';

const members = 200;

/** What a figure asks the service for. */
const asked = (name: string, title: string, figure: { request: (stage: Stage) => Promise<Request> }) =>
  request(name, title, async (stage) => {
    const { path, publicPath, body } = await figure.request(stage);
    return (api) =>
      publicPath === undefined
        ? ask(stage, api, body ? 'POST' : 'GET', path, { ...(body && { body }) })
        : send(api.url + publicPath);
  });

const withFiles = (stage: Stage) => ({ env: { STORAGE_FOLDER: storageFolderOf(stage) } });

/** Requests of the api alone, without a worker. */
export const requests: readonly Operation[] = [
  asked('get-messages', 'Get ten messages of a chat', getMessages),
  asked('get-record', 'Get a record', getRecord),
  asked('list-records', 'List 25 records', listPage),
  asked('create-record', 'Create a record', createRecord),
  request('update-record', 'Update a record', async (stage) => {
    const typeId = await addVisits(stage);
    const made = { fieldValues: visitValues };
    const { id } = await createDataRecord(stage.workspace.context(), typeId, made);
    return (api, nth) =>
      ask(stage, api, 'PUT', `/data-types/${typeId}/records/${id}`, {
        body: { fieldValues: { ...visitValues, minutes: nth } },
      });
  }),
  request('create-member', 'Create a member', async (stage) => (api) => {
    const tag = randomUUID();
    return ask(stage, api, 'POST', '/members', {
      body: { name: 'Someone New', email: `${tag}@example.com`, externalId: tag },
    });
  }),
  request('update-member', 'Update a member', async (stage) => (api, nth) => {
    const body = { description: `Prefers morning ${nth}` };
    return ask(stage, api, 'PUT', `/members/${stage.workspace.member.memberId}`, { body });
  }),
  request('list-members', `List 25 of ${members} members`, async (stage) => {
    const { workspace } = stage;
    for (let made = 0; made < members; made += 1) {
      await addMemberRow(workspace, { memberRoleId: workspace.roles.member.id });
    }
    return (api) => ask(stage, api, 'GET', '/members?pageSize=25');
  }),
  request('list-queue', 'List the queue of chats', async (stage) => {
    const { database, workspace } = stage;
    const { memberId } = workspace.member;
    for (let made = 0; made < members; made += 1) {
      await createChat(workspace.context(), { channel: 'web-chat', memberId });
    }
    await database.inWorkspace(workspace.workspaceId, (tx) =>
      tx.raw(
        `update chats set needs_response = true, needs_response_reason = 'handoff', needs_response_since = now()
         where id % 4 = 0`,
      ),
    );
    return (api) => ask(stage, api, 'GET', '/chats/needs-response?pageSize=25');
  }),
  request('search-messages', 'Search messages', async (stage) => {
    await getMessages.request(stage);
    return (api) => ask(stage, api, 'GET', '/chats/message-search?q=conversation');
  }),
  asked('post-chat', 'Post a chat with a workflow', postChats),
  request('post-message', 'Post a message in a web chat', async (stage) => {
    const { member } = stage.workspace;
    const chat = await createChat(stage.workspace.context(member), { channel: 'web-chat' });
    const hello = { apiKey: member.apiKey, body: { content: 'Hello' } };
    return (api) => ask(stage, api, 'POST', `/chats/${chat.id}/messages`, hello);
  }),
  asked('get-file', 'Get a file, without its bytes', getFile),
  request(
    'upload-file',
    'Upload a file of 20 KB',
    async (stage) => (api) =>
      send(`${api.url}/api/v2${stage.workspace.path('/files')}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${stage.workspace.admin.apiKey}` },
        body: formWith({ content: 'Drink enough water. '.repeat(1_024) }),
      }),
    withFiles,
  ),
  asked('site-page', 'Get a page of a site', sitePage),
  {
    name: 'call-tool',
    title: 'Call a tool (MCP), which reads a record',
    kind: 'request',
    async prepare(stage) {
      const { api, headers, body } = await readByTool(stage);
      return () => sendJson(`${api.url}/api/v2/mcp`, 'POST', body, headers);
    },
  },
];
