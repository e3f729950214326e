import { mkdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openApiDocument } from '../../api/http/openapi.js';
import { routes } from '../../api/resources/index.js';
import { chatLabels } from '../../domain/conversations/chat-labels/chat-labels.js';
import { createRevision } from '../../domain/definitions/workflow-revisions/create-revision.js';
import { hashApiKey } from '../../domain/identity/api-keys/api-key-secret.js';
import { createLabel } from '../../domain/kernel/labels.js';
import { memberLabels as labelsOfMembers } from '../../domain/people/member-labels/member-labels.js';
import { createDataRecord } from '../../domain/records/data-records/create-data-record.js';
import { createDataType } from '../../domain/records/data-types/create-data-type.js';
import { createSmsWorkspace } from '../support/system/sms-workspace.js';
import { startSystem, type TestSystem } from '../support/system/system.js';
import { addEventRule } from '../support/webhooks/event-rules.js';
import { addDelivery } from '../support/webhooks/webhook-history.js';
import { addPhoneNumber } from '../support/workspace/definitions.js';
import { addMember, addRole, type TestWorkspace } from '../support/workspace/factories.js';
import { doors } from '../workflows/small-trees.js';
import { operationsOf } from './examples/example-request.js';
import { installPythonTools } from './support/python-tools.js';
import { runProgram } from './support/run-program.js';

let programs: string;
let system: TestSystem;
beforeAll(async () => {
  [programs, system] = await Promise.all([installPythonTools(), startSystem()]);
});
afterAll(() => system.stop());

/** The data for `hooks.py`, which describes it. */
async function prepare(): Promise<{ apiKey: string; told: object }> {
  const workspace = await createSmsWorkspace(system);
  const { admin } = workspace;
  const context = workspace.context();
  const definition = await workspace.publish(doors);
  const eight = <T>(make: (index: number) => Promise<T>): Promise<T[]> =>
    Promise.all(Array.from({ length: 8 }, (_, index) => make(index)));
  const label = (index: number) => ({ name: `Label ${index}`, color: '#336699' });
  const walks = await eight(() => workspace.begin(definition));
  const drafts = await eight(() => createRevision(context, definition, { rootTask: doors }));
  const members = await eight(() => addMember(workspace));
  const labels = await eight((index) => createLabel(context, chatLabels, label(index)));
  const memberLabels = await eight((index) => createLabel(context, labelsOfMembers, label(index)));
  const records = await eight((index) => addRecord(workspace, index));
  const roles = await eight(() => addRole(workspace));
  const rules = await eight((index) => addEventRule(workspace, { secret: `secret of receiver ${index}` }));
  const deliveries = await Promise.all(
    rules.map(({ id }) => addDelivery(workspace, id, { status: 'failed', attempts: 2 })),
  );
  const numbers = await eight(() => addPhoneNumber(workspace));
  const key = await system.database.identity.apiKeys.findByHash(hashApiKey(admin.apiKey));
  return {
    apiKey: admin.apiKey,
    told: {
      baseUrl: `${system.api.baseUrl}/api/v2`,
      carrierToken: system.carrier.credentials.authToken,
      workspaceUuid: workspace.workspaceUuid,
      known: {
        chat_id: walks.map(({ chatId }) => chatId),
        assignment_id: walks.map(({ assignmentId }) => assignmentId),
        assignment_task_id: await Promise.all(walks.map((walk) => walk.taskId('Hall'))),
        member_role_id: roles.map(({ id }) => id),
        phone_number_id: numbers.map(({ id }) => id),
        workflow_id: [definition],
        chat_label_id: labels.map(({ id }) => id),
        member_label_id: memberLabels.map(({ id }) => id),
        data_type_id: records.map(({ dataTypeId }) => dataTypeId),
        record_id: records.map(({ id }) => id),
        member_id: members.map(({ memberId }) => memberId),
        event_rule_id: rules.map(({ id }) => id),
        delivery_id: deliveries.map(({ id }) => id),
        revision_id: drafts.map(({ id }) => id),
      },
      own: { api_key_id: key?.key.id, member_id: admin.memberId, member_role_id: admin.row.memberRoleId },
    },
  };
}

/** A record in a data type of its own. */
async function addRecord(workspace: TestWorkspace, index: number) {
  const context = workspace.context();
  const type = await createDataType(context, {
    name: `Type ${index}`,
    slug: `type-${index}`,
    isCollection: index % 2 === 0,
    fields: [
      { slug: 'title', name: 'Title', fieldType: 'text', shouldIndex: true },
      { slug: 'count', name: 'Count', fieldType: 'integer', shouldIndex: true },
    ],
  });
  return createDataRecord(context, type.id, { fieldValues: { title: `Title ${index}`, count: index } });
}

/** A half of the operations, so that two processes test them at once; what belongs together is in the same one. */
const people =
  '^/w/[^/]+/(ai-models|assignments|assistants|chat-labels|chats|member-labels|member-roles|members|phone-numbers|workflows)';

it('answers requests of Schemathesis as the OpenAPI document says', async () => {
  const outputs = await Promise.all([
    schemathesis('people', `--include-path-regex=${people}`),
    schemathesis('others', `--exclude-path-regex=${people}`),
  ]);

  // Every operation except the event streams, which have no end.
  const finite = routes.filter(({ response }) => response.events === undefined);
  expect(sum(outputs.map(testedOperations))).toBe(finite.length);
  const refused = outputs.flatMap(turnedAway);
  expect(refused.filter((operation) => !withoutKey.includes(operation))).toEqual([]);
});

/** Tests the selected operations with the API key of a workspace of their own, and returns what it prints. */
async function schemathesis(name: string, selection: string): Promise<string> {
  const { apiKey, told } = await prepare();
  // Schemathesis stores its results in the working directory.
  const cwd = resolve('.cache', `schemathesis-${name}`);
  await mkdir(cwd, { recursive: true });
  const { code, output } = await runProgram(
    resolve(programs, 'schemathesis'),
    [
      `--config-file=${resolve('test/interop/schemathesis.toml')}`,
      'run',
      `${system.api.baseUrl}/api/v2/openapi.json`,
      `--header=Authorization: Bearer ${apiKey}`,
      selection,
      // Python 3.11 sometimes fails when several threads parse its sources concurrently (cpython issue 106905).
      '--workers=1',
      '--seed=1',
      '--max-examples=20',
      '--continue-on-failure',
      // A health check of the generator, not of the API: large definitions with many patterns are hard to generate.
      '--suppress-health-check=filter_too_much',
      '--request-timeout=30',
      '--no-color',
    ],
    {
      cwd,
      env: {
        SCHEMATHESIS_HOOKS: 'hooks',
        PYTHONPATH: resolve('test/interop'),
        PYTHONDONTWRITEBYTECODE: '1',
        WES_INTEROP: JSON.stringify(told),
      },
    },
  );
  expect(code, output).toBe(0);
  return output;
}

/** The operations that may answer nothing but 401 and 403: those without keys in the document, and those that need the person of a key. */
const withoutKey = [
  ...operationsOf(openApiDocument(routes))
    .filter(({ security }) => !security.some((one) => 'apiKey' in one))
    .map(({ method, path }) => `${method} ${path}`),
  'DELETE /sessions',
  'DELETE /sessions/{session_uuid}',
  'DELETE /w/{workspace_uuid}/members/me',
  'DELETE /w/{workspace_uuid}/organization',
];

function testedOperations(output: string): number {
  return Number(/Tested: (\d+)/.exec(output)?.[1]);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/** The operations that returned only 401 and 403. */
function turnedAway(output: string): string[] {
  const told = /^Authentication failed:.*?^💡/ms.exec(output)?.[0] ?? '';
  return [...told.matchAll(/^ {2}- (.+)$/gm)].map((match) => match[1] as string);
}
