import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findNewestExport } from '../../db/person-data/person-exports.js';
import { systemClock } from '../../domain/lib/clock.js';
import { openExports } from '../../domain/person-data/exports/reconcile-exports.js';
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

const addMember = () =>
  addMemberRow(workspace, { memberRoleId: workspace.roles.member.id, name: 'zqhistoryx' });
const asAdmin = (method: string, path: string) =>
  callAs(system.api, workspace, workspace.admin)(method, path);

describe('the exportPersonData run', () => {
  it('builds the archive, and tells numbers only', async () => {
    const { id } = await addMember();
    const { body } = await asAdmin('POST', `/members/${id}/data-export`);
    await waitFor(
      'the archive is ready',
      async () => (await asAdmin('GET', `/members/${id}/data-export`)).body.state === 'ready',
    );
    expect(await system.run('exportPersonData', body.uuid).result()).toEqual({
      outcome: 'ready',
      rows: expect.any(Number),
      files: 0,
      bytes: expect.any(Number),
    });

    const { body: ready } = await asAdmin('GET', `/members/${id}/data-export`);
    expect(ready.state).toBe('ready');
    expect((await fetch(ready.downloadUrl)).status).toBe(200);
    const [recorded] = await recordRuns(system, `WorkflowId = 'export-${body.uuid}'`);
    expect(recorded && summariesOf(recorded)).toContain('Build the archive');
    const history = recorded && readable(recorded);
    for (const secret of ['zqhistoryx', ready.downloadUrl.split('signature=')[1]]) {
      expect(history).not.toContain(secret);
    }
  });

  it('is started anew where it is missing', async () => {
    const { id } = await addMember();
    const { workspaceId } = workspace;
    const context = { db: system.database, clock: systemClock };
    await system.database.inWorkspace(workspaceId, async (tx) => {
      const values = { member_id: id, requested_by_member_id: workspace.admin.memberId, kept_days: 7 };
      await tx('person_exports').insert({ workspace_id: workspaceId, includes_internal: true, ...values });
    });
    const { items } = await openExports.page(context, workspaceId);
    expect(items).toHaveLength(1);
    for (const item of items) await openExports.repair(context, item, 'missing');

    await waitFor('the archive is ready', async () => {
      const found = await system.database.inWorkspace(workspaceId, (tx) =>
        findNewestExport(tx, { memberId: id, includesInternal: true }),
      );
      return found?.finishedAt !== null;
    });
    expect((await openExports.page(context, workspaceId)).items).toEqual([]);
  });
});
