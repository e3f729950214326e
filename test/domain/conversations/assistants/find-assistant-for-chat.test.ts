import { beforeEach, expect, it } from 'vitest';
import { findAssistantForChat } from '../../../../db/conversations/assistants.js';
import { createAssistant } from '../../../../domain/conversations/assistants/create-assistant.js';
import { deleteAssistant } from '../../../../domain/conversations/assistants/delete-assistant.js';
import { updateAssistant } from '../../../../domain/conversations/assistants/update-assistant.js';
import { createWorkflowDefinition } from '../../../../domain/definitions/workflow-definitions/create-workflow-definition.js';
import { useDatabase } from '../../../support/db/use-database.js';
import {
  actorOf,
  addRole,
  createWorkspace,
  type TestWorkspace,
} from '../../../support/workspace/factories.js';

const testDatabase = useDatabase();
let workspace: TestWorkspace;
beforeEach(async () => {
  workspace = await createWorkspace(testDatabase.database);
});

const newAssistant = (name: string, isDefault = false) =>
  createAssistant(workspace.context(), { name, instructions: '', isDefault });

const nameFor = (chat: { assistantMemberId?: number | null; definitionId?: number | null }) =>
  workspace.within(async (tx) => (await findAssistantForChat(tx, chat))?.name ?? null);

it('findAssistantForChat prefers the assistant of the chat, then that of the definition, then the default', async () => {
  const named = await newAssistant('Named');
  const own = await newAssistant('Own');
  const values = { name: 'Intake', assistantMemberId: own.memberId };
  const { id: definitionId } = await createWorkflowDefinition(workspace.context(), values);
  const { id: bareDefinitionId } = await createWorkflowDefinition(workspace.context(), { name: 'Bare' });

  expect(await nameFor({})).toBeNull();
  await newAssistant('Default', true);

  expect(await nameFor({ assistantMemberId: named.memberId, definitionId })).toBe('Named');
  expect(await nameFor({ assistantMemberId: null, definitionId })).toBe('Own');
  expect(await nameFor({ definitionId: bareDefinitionId })).toBe('Default');
  expect(await nameFor({})).toBe('Default');
});

it('findAssistantForChat skips disabled and deleted assistants', async () => {
  const disabled = await newAssistant('Disabled');
  const deleted = await newAssistant('Deleted');
  await newAssistant('Default', true);
  await updateAssistant(workspace.context(), disabled.id, { enabled: false });
  await deleteAssistant(workspace.context(), deleted.id);

  expect(await nameFor({ assistantMemberId: disabled.memberId })).toBe('Default');
  expect(await nameFor({ assistantMemberId: deleted.memberId })).toBe('Default');
});

it('findAssistantForChat does not return an assistant of another workspace', async () => {
  const foreign = await newAssistant('Foreign', true);
  workspace = await createWorkspace(testDatabase.database);
  expect(await nameFor({ assistantMemberId: foreign.memberId })).toBeNull();
});

it('createAssistant adds a plain role for assistants where the workspace has none', async () => {
  const { database } = testDatabase;
  const created = await database.identity.workspaces.create({ name: 'Bare', slug: 'bare-of-roles' });
  if (created === undefined) throw new Error('the slug was taken');
  const place = { database, workspaceId: created.id, workspaceUuid: created.uuid };
  await addRole(place, { name: 'Assistant', permissions: ['workspace:write'] });
  const actor = actorOf(place, { member: workspace.admin, permissions: ['assistants:write'] });
  const context = { ...workspace.context(), actor };

  await createAssistant(context, { name: 'Guide', instructions: '' });

  const names = await database.inWorkspace(created.id, (tx) =>
    tx('member_roles').orderBy('id').pluck('name'),
  );
  expect(names).toEqual(['Assistant', 'Assistants']);
});
