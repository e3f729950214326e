import { insertChat } from '../../../db/conversations/chats.js';
import { insertMessage } from '../../../db/conversations/messages.js';
import { createDataRecord } from '../../../domain/records/data-records/create-data-record.js';
import { createMenuItem } from '../../../domain/sites/menus/menu-items.js';
import { createPage } from '../../../domain/sites/pages/create-page.js';
import { publishPage } from '../../../domain/sites/pages/publish-page.js';
import { makeManyRecords, recordsInGroup } from '../../../test/support/records/many-records.js';
import { addSite } from '../../../test/support/sites/add-site.js';
import { conversationTasks, publishDefinition } from '../../../test/support/workspace/definitions.js';
import type { Figure } from '../figure.js';
import type { Stage } from '../stage/stage.js';
import { addFile } from '../support/add-file.js';
import { addAssistant } from '../support/ask.js';
import { analyzeRecords } from '../support/statistics-of-tables.js';
import { addVisits, visitValues } from '../support/visits.js';
import { compareRates, type Request } from './compare-rates.js';
import type { floors } from './floors.js';

/** The rate of a request beside that of its floor; `request` first makes what is asked for. */
function figure(
  name: string,
  title: string,
  ratioAtLeast: number,
  request: (stage: Stage) => Promise<Request>,
  floor = name as keyof typeof floors,
): Figure & { request: typeof request } {
  return {
    request,
    name,
    title,
    unit: 'requests/s',
    target: { ratioAtLeast },
    prepare: async (stage, { seconds }) => compareRates(stage, floor, await request(stage), seconds),
  };
}

export const getMessages = figure('get-messages', 'GET messages, ten of a chat', 0.6, async (stage) => ({
  path: `/chats/${await fillChats(stage)}/messages`,
}));

export const getRecord = figure('get-record', 'GET a data record', 0.6, async (stage) => {
  const typeId = await addVisits(stage);
  let recordId = 0;
  for (let made = 0; made < 200; made += 1) {
    recordId = (await createDataRecord(stage.workspace.context(), typeId, { fieldValues: visitValues })).id;
  }
  return { path: `/data-types/${typeId}/records/${recordId}` };
});

export const getFile = figure('get-file', 'GET a file, without its bytes', 0.6, async (stage) => {
  const content = Buffer.from('Drink enough water.');
  return { path: `/files/${(await addFile(stage, { filename: 'leaflet.txt', content })).id}` };
});

export const listPage = figure(
  'list-page',
  `GET data records: 25 of ${recordsInGroup} by an indexed field, with the total`,
  0.5,
  async ({ superuserUrl, workspace }) => {
    const { id } = await makeManyRecords(superuserUrl, workspace, 10_000);
    await analyzeRecords(superuserUrl);
    const path = `/data-types/${id}/records`;
    return { path: `${path}?filter=group:eq:7&pageSize=25`, floorPath: `${path}/group/7` };
  },
);

/** A published page of a warm process, whole. */
export const sitePage = figure('site-page', 'GET a page of a site', 0.6, addPage);

/** The same for a browser that has it already. */
export const knownSitePage = figure(
  'site-page-known',
  'GET a page of a site, 304',
  3,
  async (stage) => ({ ...(await addPage(stage)), isKnown: true }),
  'site-page',
);

export const createRecord = figure('create-record', 'POST data records', 0.4, async (stage) => ({
  path: `/data-types/${await addVisits(stage)}/records`,
  body: { memberId: stage.workspace.admin.memberId, fieldValues: visitValues },
}));

/** With their assignments and the outbox entries of their runs. No worker runs, so only the api is measured. */
export const postChats = figure('post-chats', 'POST chats with a workflow', 0.6, async (stage) => {
  const { memberId } = stage.workspace.admin;
  const assistantMemberId = await addAssistant(stage);
  const { workflowId, revisionId } = await publishDefinition(stage.workspace, conversationTasks());
  return {
    path: '/chats',
    body: { channel: 'web-chat', memberId, workflowId },
    floorBody: { memberId, assistantMemberId, workflowId, revisionId },
  };
});

/** Chats, of which the last one has messages. @returns its id */
async function fillChats({ database, workspace }: Stage): Promise<number> {
  const chat = { channel: 'web-chat', chatType: 'simple', memberId: workspace.member.memberId } as const;
  return database.inWorkspace(workspace.workspaceId, async (tx) => {
    let chatId = 0;
    for (let made = 0; made < 200; made += 1) chatId = (await insertChat(tx, chat)).id;
    for (let made = 0; made < 30; made += 1) {
      const role = made % 2 === 0 ? 'user' : 'assistant';
      const content = `Sentence ${made} of a conversation.`;
      await insertMessage(tx, { chatId, role, author: 'member', content });
    }
    return chatId;
  });
}

/** A page of some pages of text, in a site with a menu of eight items. */
async function addPage({ workspace }: Stage): Promise<Request> {
  const { id, uuid } = await addSite(workspace, { name: 'Clinic' });
  const context = workspace.context();
  const { page } = await createPage(context, id, {
    title: 'Leaflet',
    slug: 'leaflet',
    contentBlocks: { type: 'doc', content: Array.from({ length: 40 }, paragraph) },
  });
  await publishPage(context, id, page.id);
  for (let place = 0; place < 8; place += 1) {
    await createMenuItem(context, id, { label: `Item ${place}`, itemType: 'page', pageId: page.id });
  }
  return { publicPath: `/s/${uuid}/leaflet`, path: `/pages/${id}/leaflet` };
}

function paragraph() {
  const text = 'Drink enough water, and call us if you feel worse than before the operation. '.repeat(4);
  return { type: 'paragraph', content: [{ type: 'text', text }] };
}
