import { randomBytes } from 'node:crypto';
import { MockActivityEnvironment } from '@temporalio/testing';
import { pino } from 'pino';
import { beforeEach, describe, expect, it } from 'vitest';
import { retentionActivities } from '../../../../activities/kernel/retention.js';
import { insertIdempotencyKey } from '../../../../db/idempotency-keys.js';
import { forgetOldKeys } from '../../../../domain/kernel/idempotency.js';
import { allBatches } from '../../../support/lib/all-batches.js';
import { hours, MovedClock } from '../../../support/lib/moved-clock.js';
import { createWorkspace } from '../../../support/workspace/factories.js';
import { useWorkspace } from '../../../support/workspace/use-workspace.js';

const suite = useWorkspace();
const clock = new MovedClock();
const context = () => ({ db: suite.database.database, clock });
beforeEach(async () => {
  clock.advance(hours(25));
  await forgetOldKeys(context(), suite.workspace.workspaceId);
  await forgetOldKeys(context(), null);
});

function addKey(workspaceId: number | null, ageMs: number): Promise<void> {
  return suite.database.database.atomically(workspaceId, (_, tx) =>
    insertIdempotencyKey(tx, {
      digest: randomBytes(32),
      operation: 'createMember',
      fingerprint: randomBytes(32),
      status: 201,
      answer: '{}',
      resourceId: null,
      grants: [],
      createdAt: new Date(clock.now().getTime() - ageMs),
    }),
  );
}

function ages(workspaceId: number | null): Promise<number[]> {
  const table = workspaceId === null ? 'identity.account_idempotency_keys' : 'idempotency_keys';
  return suite.database.database.atomically(workspaceId, async (_, tx) => {
    const made: Date[] = await tx(table).pluck('created_at');
    return made.map((at) => clock.now().getTime() - at.getTime()).sort((one, other) => one - other);
  });
}

describe('forgetOldKeys', () => {
  it('deletes keys that are 24 hours old, in the given workspace only', async () => {
    const { workspaceId } = suite.workspace;
    const other = await createWorkspace(suite.database.database);
    for (const age of [0, hours(24) - 1, hours(24), hours(48)]) await addKey(workspaceId, age);
    await addKey(other.workspaceId, hours(48));

    await forgetOldKeys(context(), workspaceId);

    expect(await ages(workspaceId)).toEqual([0, hours(24) - 1]);
    expect(await ages(other.workspaceId)).toEqual([hours(48)]);
    await forgetOldKeys(context(), other.workspaceId);
  });

  it('deletes all of them in batches of a thousand', async () => {
    const { workspaceId } = suite.workspace;
    await suite.database.database.inWorkspace(workspaceId, (tx) =>
      tx.raw(
        `insert into idempotency_keys (workspace_id, digest, operation, fingerprint, status, created_at)
         select ?, decode(md5(n::text), 'hex'), 'createMember', 'x', 201, ? from generate_series(1, 2000) n`,
        [workspaceId, new Date(clock.now().getTime() - hours(30))],
      ),
    );

    expect(await allBatches(() => forgetOldKeys(context(), workspaceId))).toEqual([1_000, 1_000, 0]);

    expect(await ages(workspaceId)).toEqual([]);
  });

  it('is called by the activity for every workspace and for accounts', async () => {
    const { workspaceId } = suite.workspace;
    for (const place of [workspaceId, null]) {
      await addKey(place, hours(1));
      await addKey(place, hours(25));
    }
    const activities = retentionActivities({ ...context(), logger: pino({ level: 'silent' }) });

    expect(await new MockActivityEnvironment().run(activities.forgetOldKeys)).toEqual({
      keys: 2,
      imports: 0,
      failed: 0,
    });

    expect(await ages(workspaceId)).toEqual([hours(1)]);
    expect(await ages(null)).toEqual([hours(1)]);
  });
});
