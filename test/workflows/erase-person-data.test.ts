import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findErasureOfMember } from '../../db/person-data/person-erasures.js';
import { pokeErasureRun } from '../../domain/kernel/runs.js';
import { callAs } from '../support/api/call-as.js';
import { waitFor } from '../support/lib/wait-for.js';
import { startSystem, type TestSystem } from '../support/system/system.js';
import { addMemberRow, createWorkspace, type TestWorkspace } from '../support/workspace/factories.js';
import { readable, recordRuns, summariesOf } from './histories.js';

let system: TestSystem;
let workspace: TestWorkspace;
beforeAll(async () => {
  system = await startSystem();
  workspace = await createWorkspace(system.database);
});
afterAll(() => system.stop());

describe('the erasePersonData run', () => {
  it('erases, waits a day, looks once more, and tells numbers only', async () => {
    const asAdmin = callAs(system.api, workspace, workspace.admin);
    const { id } = await addMemberRow(workspace, {
      memberRoleId: workspace.roles.member.id,
      name: 'zqhistoryx',
    });
    const { body } = await asAdmin('POST', `/members/${id}/erase`, { confirm: String(id) });
    await waitFor(
      'nothing is left',
      async () => (await asAdmin('GET', `/members/${id}/erase`)).body.state === 'erased',
    );
    const run = system.run('erasePersonData', body.uuid);
    await waitFor('it waits', async () => {
      const metadata = await run.query<{ currentDetails: string }>('__temporal_workflow_metadata');
      return metadata.currentDetails.startsWith('Nothing is left. Waits to look for late writes');
    });

    await system.database.inWorkspace(workspace.workspaceId, async (tx) => {
      await tx('person_erasures').where({ uuid: body.uuid }).update({ look_again_at: new Date() });
      const found = await findErasureOfMember(tx, id);
      if (found !== undefined) await pokeErasureRun(tx, found);
    });
    expect(await run.result()).toEqual({ erased: expect.any(Number) });

    expect((await asAdmin('GET', `/members/${id}/erase`)).body).toMatchObject({ state: 'finished' });
    const [recorded] = await recordRuns(system, `WorkflowId = 'erasure-${body.uuid}'`);
    expect(recorded && summariesOf(recorded)).toContain('Wait to look for late writes');
    expect(recorded && readable(recorded)).not.toContain('zqhistoryx');
  });
});
