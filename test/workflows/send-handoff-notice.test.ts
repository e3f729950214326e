import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { insertChat } from '../../db/conversations/chats.js';
import { alertColleague } from '../../domain/kernel/alert-colleague.js';
import { taskQueues } from '../../workflows/contracts/runs.js';
import { waitFor } from '../support/lib/wait-for.js';
import { startSystem, type TestSystem } from '../support/system/system.js';
import { createWorkspace, type TestWorkspace } from '../support/workspace/factories.js';
import { proveEmail } from '../support/workspace/prove-email.js';
import { readable, recordRun, summariesOf } from './histories.js';

let system: TestSystem;
/** How far the service’s clock is ahead of the real time. */
let aheadMs = 0;

beforeAll(async () => {
  system = await startSystem({ clock: { now: () => new Date(Date.now() + aheadMs) } });
});
afterAll(() => system.stop());

/** A look at all workspaces that tell people of waiting chats, a minute later than what was done before. */
async function look() {
  aheadMs += 60_000;
  return system.client.workflow.execute('tellOfWaitingChats', {
    workflowId: `tell-${randomUUID()}`,
    taskQueue: taskQueues.runs,
  });
}

async function scene(): Promise<{ workspace: TestWorkspace; email: string }> {
  const workspace = await createWorkspace(system.database, { name: 'Demo Clinic' });
  const { email } = await proveEmail(workspace, workspace.admin.memberId);
  const handoffNotices = { channels: ['email'], memberRoleIds: [workspace.roles.admin.id] };
  const answer = await system.api.request('PUT', workspace.path(''), {
    apiKey: workspace.admin.apiKey,
    body: { handoffNotices },
  });
  expect(answer.status).toBe(200);
  await look();
  return { workspace, email };
}

function handOver({ database, workspaceId, member }: TestWorkspace, chats = 1) {
  return database.inWorkspace(workspaceId, async (tx) => {
    for (let count = 0; count < chats; count += 1) {
      const { memberId } = member;
      const chat = { channel: 'web-chat', chatType: 'simple', memberId, title: 'Private matter' } as const;
      await alertColleague(tx, await insertChat(tx, chat), 'handoff');
    }
    // The database has the real time.
    await tx('chats').update({ needs_response_since: new Date(Date.now() + aheadMs) });
  });
}

async function noticesOf({ database, workspaceId }: TestWorkspace) {
  return database.inWorkspace(workspaceId, async (tx) => tx('handoff_notices').orderBy('id'));
}

it('a burst of hand-overs is told by one mail, and its history has no name and no words', async () => {
  const { workspace, email } = await scene();
  await system.mail.plan({ to: email, reply: 451 });
  await handOver(workspace, 30);
  expect(await look()).toMatchObject({ notices: 1, failed: 0 });
  expect(await look()).toMatchObject({ notices: 0, failed: 0 });

  const [notice, ...more] = await noticesOf(workspace);
  expect(more).toEqual([]);
  const run = system.run('sendHandoffNotice', notice.uuid);
  const { outcome } = await waitFor('the run has ended', () => run.result());
  expect(outcome).toBe('sent');
  const sent = await system.mail.sentTo(email);
  expect(sent).toMatchObject([{ text: expect.stringContaining('30 chats wait for a person') }]);

  const description = await run.describe();
  expect(description.searchAttributes).toMatchObject({ MemberId: [String(workspace.admin.memberId)] });
  const history = await recordRun(run, description.runId, 'sendHandoffNotice');
  expect(summariesOf(history)).toEqual([
    `Chats wait: notice ${notice.id} to member ${workspace.admin.memberId} (email)`,
    'Send the notice, unless nothing waits any more',
  ]);
  for (const text of [email, 'Private matter', 'Demo Clinic']) expect(readable(history)).not.toContain(text);
});

it('a mail is not repeated if it is unknown whether it was sent', async () => {
  const { workspace, email } = await scene();
  await system.mail.plan({ to: email, hangUp: true });
  await handOver(workspace);
  await look();
  const [notice] = await noticesOf(workspace);
  const run = system.run('sendHandoffNotice', notice.uuid);
  expect((await waitFor('the run has ended', () => run.result())).outcome).toBe('unknown_outcome');
  expect(await system.mail.sentTo(email)).toHaveLength(1);
});
