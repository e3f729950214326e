import { describe, expect, it } from 'vitest';
import { redeliverFailedEvents } from '../../../../domain/events/webhook-deliveries/redeliver-failed-events.js';
import { whenWaitedFor } from '../../../support/db/locks.js';
import { days } from '../../../support/lib/moved-clock.js';
import { addEventRule } from '../../../support/webhooks/event-rules.js';
import { addDelivery } from '../../../support/webhooks/webhook-history.js';
import { useWorkspace } from '../../../support/workspace/use-workspace.js';

const suite = useWorkspace();
const since = new Date(Date.now() - days(1));

describe('redeliverFailedEvents', () => {
  it('waits for a concurrent call, and then finds nothing', async () => {
    const { workspace } = suite;
    const { id } = await addEventRule(workspace);
    for (let number = 0; number < 3; number += 1) await addDelivery(workspace, id, { status: 'failed' });
    const { second, first } = await workspace.database.atomically(workspace.workspaceId, async (within) => {
      const first = await redeliverFailedEvents({ ...workspace.context(), db: within }, id, { since });
      const second = redeliverFailedEvents(workspace.context(), id, { since });
      await within.inWorkspace(workspace.workspaceId, (tx) => whenWaitedFor(tx));
      return { first, second: [second] };
    });

    expect(first.redelivered).toBe(3);
    expect(await second[0]).toEqual({ redelivered: 0, more: false });
  });
});
