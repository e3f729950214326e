import { activityInfo, heartbeat } from '@temporalio/activity';
import { listActiveRuns, mendRun } from '../domain/assignments/mend-runs.js';
import { listWaitingChats, pokeWaitingChat } from '../domain/chats/mend-chats.js';
import { forgetOldKeys } from '../domain/idempotency/forget-old-keys.js';
import { listOverdueRuns, mendDelivery } from '../domain/webhook-deliveries/mend-deliveries.js';
import { workflowIdOf } from '../workflows/contracts/runs.js';
import type { ActivityDependencies } from './dependencies.js';

export interface Reconciliation {
  checked: number;
  restarted: number;
  concluded: number;
  /** Chats whose run was woken to ask for a receipt that is late. */
  late: number;
  /** What could not be mended this time; the log says why. */
  failed: number;
}

/** Compares what the database says is going on with the runs that should drive it. */
export function reconcilerActivities(dependencies: ActivityDependencies) {
  const { db, logger, runs } = dependencies;

  return {
    /**
     * Walks through the workspaces, and forgets Idempotency-Keys that have had their time on the way; a repeat goes on with the one that the last heartbeat
     * named.
     */
    async reconcileRuns(): Promise<Reconciliation> {
      const found = { checked: 0, restarted: 0, concluded: 0, late: 0, failed: 0 };
      const from: number = activityInfo().heartbeatDetails ?? 0;
      for (const workspaceId of await db.identity.workspaces.listIds()) {
        if (workspaceId < from) continue;
        await reconcileAssignments(workspaceId, found);
        await reconcileChats(workspaceId, found);
        await reconcileWebhooks(workspaceId, found);
        await forgetOldKeys(dependencies, workspaceId, () => heartbeat(workspaceId));
      }
      await forgetOldKeys(dependencies, null);
      return found;
    },
  };

  async function reconcileAssignments(workspaceId: number, found: Reconciliation): Promise<void> {
    for await (const run of listActiveRuns(dependencies, workspaceId)) {
      heartbeat(workspaceId);
      found.checked += 1;
      const status = await runs.statusOf(workflowIdOf('runAssignment', run.assignmentUuid));
      if (status === 'running') continue;
      await mending(found, run, async () => {
        const mended = await mendRun(dependencies, run, status);
        if (mended !== undefined) found[mended] += 1;
      });
    }
  }

  /** Chats that owe an answer, have something to send or miss a receipt, and no run that sees to it. */
  async function reconcileChats(workspaceId: number, found: Reconciliation): Promise<void> {
    for await (const chat of listWaitingChats(dependencies, workspaceId)) {
      heartbeat(workspaceId);
      found.checked += 1;
      const status = await runs.statusOf(workflowIdOf(chat.waitsFor, chat.chatUuid));
      if (status === 'running') continue;
      await mending(found, chat, async () => {
        await pokeWaitingChat(dependencies, chat);
        found[chat.late ? 'late' : 'restarted'] += 1;
      });
    }
  }

  /** Deliveries of events whose attempt is overdue, and no run that makes it. */
  async function reconcileWebhooks(workspaceId: number, found: Reconciliation): Promise<void> {
    for await (const overdue of listOverdueRuns(dependencies, workspaceId)) {
      heartbeat(workspaceId);
      found.checked += 1;
      const status = await runs.statusOf(workflowIdOf('deliverWebhook', overdue.deliveryUuid));
      if (status === 'running') continue;
      await mending(found, overdue, async () => {
        const mended = await mendDelivery(dependencies, overdue, status);
        if (mended !== undefined) found[mended] += 1;
      });
    }
  }

  /** One that cannot be mended keeps nobody from the others. */
  async function mending(found: Reconciliation, what: object, mend: () => Promise<void>): Promise<void> {
    try {
      await mend();
    } catch (error) {
      found.failed += 1;
      logger.warn({ ...what, code: error instanceof Error ? error.name : 'unknown' }, 'not mended');
    }
  }
}
