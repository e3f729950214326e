import { describe, expect, it } from 'vitest';
import { archiveWorkflowDefinition } from '../../../../domain/definitions/workflow-definitions/archive-workflow-definition.js';
import { createWorkflowDefinition } from '../../../../domain/definitions/workflow-definitions/create-workflow-definition.js';
import { requireUsableDefinition } from '../../../../domain/definitions/workflow-definitions/require-definition.js';
import { Forbidden, NotFound } from '../../../../domain/lib/errors.js';
import { actorOf, addMember } from '../../../support/workspace/factories.js';
import { useWorkspace } from '../../../support/workspace/use-workspace.js';

const { workspace } = useWorkspace();

const newDefinition = (roleIds: number[]) =>
  createWorkflowDefinition(workspace.context(), { name: 'Intake', roleIds });

describe('the permission to use a definition', () => {
  it('is given to everyone when no role is named', async () => {
    await expect(use(await newDefinition([]))).resolves.toBeDefined();
  });

  it('is limited to the named roles', async () => {
    const definition = await newDefinition([workspace.roles.member.id]);
    const outsider = await addMember(workspace);

    await expect(use(definition)).resolves.toBeDefined();
    const refused = use(definition, [], outsider);
    await expect(refused).rejects.toThrow(Forbidden);
    await expect(refused).rejects.toThrow('use permission');
  });

  it('is given to members who may change definitions', async () => {
    const definition = await newDefinition([workspace.roles.admin.id]);

    await expect(use(definition, ['workflows:write'])).resolves.toBeDefined();
    await expect(use(definition, ['assignments:write'])).rejects.toThrow(Forbidden);
  });

  it('ends when the definition is archived', async () => {
    const definition = await newDefinition([]);
    expect(await use(definition)).toMatchObject({ id: definition.id });

    await archiveWorkflowDefinition(workspace.context(), definition.id);

    await expect(use(definition)).rejects.toThrow(NotFound);
  });

  function use({ id }: { id: number }, permissions: string[] = [], member = workspace.member) {
    const actor = actorOf(workspace, { member, permissions });
    return workspace.within((tx) => requireUsableDefinition(tx, actor, id));
  }
});
