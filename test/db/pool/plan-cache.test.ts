import { afterAll, beforeAll, expect, it } from 'vitest';
import { Database } from '../../../db/database.js';
import { createDataType } from '../../../domain/records/data-types/create-data-type.js';
import { callAs } from '../../support/api/call-as.js';
import { useApiOn } from '../../support/api/use-api.js';
import { addEventRule } from '../../support/webhooks/event-rules.js';
import { conversationTasks, publishDefinition } from '../../support/workspace/definitions.js';
import { useWorkspace } from '../../support/workspace/use-workspace.js';

const suite = useWorkspace();
/** Has a single connection, which therefore holds all prepared statements. */
let database: Database;

beforeAll(async () => {
  database = new Database({ url: suite.database.appUrl, poolSize: 1 });
});
afterAll(async () => {
  await database.close();
});
const api = useApiOn(() => database);

/** PostgreSQL makes a new plan for this many executions of a prepared statement before it can reuse one. */
const plannedAnyway = 5;

it('PostgreSQL reuses the plans of the statements that requests execute often', async () => {
  const { workspace } = suite;
  const asAdmin = callAs(api, workspace, workspace.admin);
  const fields = [{ name: 'Colour', slug: 'colour', fieldType: 'text', shouldIndex: true }];
  const type = await createDataType(workspace.context(), {
    name: 'Likes',
    slug: 'likes',
    isCollection: true,
    fields,
  });
  const records = `/data-types/${type.id}/records`;
  const { workflowId } = await publishDefinition(workspace, conversationTasks());
  await addEventRule(workspace, { eventType: 'data_record:changed' });
  const chatId = (await asAdmin('POST', '/chats', { channel: 'web-chat' })).body.id;

  for (let times = 0; times < 2 * plannedAnyway; times += 1) {
    const begun = await asAdmin('POST', '/chats', { channel: 'web-chat', workflowId });
    const { status, body } = await asAdmin('POST', records, { fieldValues: { colour: 'green' } });
    const limit = 1 + times * 10;
    const read = await Promise.all([
      asAdmin('GET', `${records}/${body.id}`),
      asAdmin('GET', `/chats/${chatId}`),
      asAdmin('GET', `/chats/${chatId}/messages`),
      asAdmin('GET', `/chats/${chatId}/messages`, undefined, { limit }),
    ]);
    const statuses = [begun.status, status, ...read.map((answer) => answer.status)];
    expect(statuses).toEqual([201, 201, 200, 200, 200, 200]);
  }

  const planned = await database.inWorkspace(workspace.workspaceId, async (tx) =>
    tx('pg_prepared_statements').select('statement', 'custom_plans', 'generic_plans'),
  );
  expect(planned.length).toBeGreaterThan(10);
  expect(planned.filter(({ custom_plans }) => custom_plans > plannedAnyway)).toEqual([]);
});
