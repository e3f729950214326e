import { describe, expect, it } from 'vitest';
import { archiveWorkflowDefinition } from '../../../../domain/definitions/workflow-definitions/archive-workflow-definition.js';
import { createWorkflowDefinition } from '../../../../domain/definitions/workflow-definitions/create-workflow-definition.js';
import { requireWorkflowDefinition } from '../../../../domain/definitions/workflow-definitions/require-definition.js';
import {
  requireUsableDefinition,
  requireUse,
} from '../../../../domain/definitions/workflow-definitions/require-use.js';
import { Forbidden, NotFound } from '../../../../domain/lib/errors.js';
import { actorOf, addMember } from '../../../support/workspace/factories.js';
import { useWorkspace } from '../../../support/workspace/use-workspace.js';

const { workspace } = useWorkspace();

const newDefinition = (roleIds: number[]) =>
  createWorkflowDefinition(workspace.context(), { name: 'Intake', roleIds });

describe('the permission to use a definition', () => {
  it('is given to everyone when no role is named', async () => {
    const definition = await newDefinition([]);

    await expect(use(definition, [])).resolves.toBeUndefined();
  });

  it('is limited to the named roles', async () => {
    const definition = await newDefinition([workspace.roles.member.id]);
    const outsider = await addMember(workspace);

    await expect(use(definition, [])).resolves.toBeUndefined();
    await expect(use(definition, [], outsider)).rejects.toThrow(Forbidden);
    await expect(use(definition, [], outsider)).rejects.toThrow('use permission');
  });

  it('is given to members who may change definitions', async () => {
    const definition = await newDefinition([workspace.roles.admin.id]);

    await expect(use(definition, ['workflows:write'])).resolves.toBeUndefined();
    await expect(use(definition, ['assignments:write'])).rejects.toThrow(Forbidden);
  });

  it('ends when the definition is archived', async () => {
    const definition = await newDefinition([]);
    const { actor } = workspace.context();
    const find = () =>
      workspace.database.inWorkspace(workspace.workspaceId, (tx) =>
        requireUsableDefinition(tx, actor, definition.id),
      );
    expect(await find()).toMatchObject({ id: definition.id });

    await archiveWorkflowDefinition(workspace.context(), definition.id);

    await expect(find()).rejects.toThrow(NotFound);
  });

  function use(definition: { id: number }, permissions: string[], member = workspace.member) {
    const actor = actorOf(workspace, { member, permissions });
    return workspace.database.inWorkspace(workspace.workspaceId, async (tx) =>
      requireUse(actor, await requireWorkflowDefinition(tx, definition.id)),
    );
  }
});
