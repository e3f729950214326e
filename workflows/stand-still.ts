import {
  ActivityFailure,
  ApplicationFailure,
  condition,
  isCancellation,
  log,
  proxyActivities,
  setCurrentDetails,
} from '@temporalio/workflow';
import type { Activities } from '../activities/index.js';
import { standstillReasonOf, stepFailed } from './contracts/failures.js';
import { type ChatRef, taskQueues } from './contracts/runs.js';
import { showStands } from './show-stands.js';

/**
 * After a permanent failure of a step: alerts a colleague, then waits for a poke, or for `againAfterMs` at most.
 * @throws `error` itself if it is not a permanent failure of a step
 */
export async function standStill(
  { workspaceId, chatId }: Pick<ChatRef, 'workspaceId' | 'chatId'>,
  error: unknown,
  isPoked: () => boolean,
  againAfterMs?: number,
): Promise<void> {
  const failure = error instanceof ActivityFailure ? error : undefined;
  const cause = failure?.cause;
  if (!(cause instanceof ApplicationFailure) || cause.type !== stepFailed) throw error;
  const step = failure?.activityType ?? 'a step';
  log.error('a step fails each time; the run stands still', { step });
  const until = againAfterMs === undefined ? '' : ` or ${new Date(Date.now() + againAfterMs).toISOString()}`;
  setCurrentDetails(`Stands still: \`${step}\` failed, ${cause.message}. A poke${until} tries it again.`);
  showStands(standstillReasonOf(step));
  const { noteStandstill } = proxyActivities<Pick<Activities, 'noteStandstill'>>({
    taskQueue: taskQueues.runs,
    startToCloseTimeout: '10s',
    retry: { maximumAttempts: 5 },
    summary: 'Alert a colleague',
  });
  try {
    await noteStandstill({ workspaceId, chatId, step });
  } catch (notNoted) {
    // The run stands still anyway; its details and the log report it.
    if (isCancellation(notNoted)) throw notNoted;
  }
  if (againAfterMs === undefined) await condition(isPoked);
  else await condition(isPoked, againAfterMs, { summary: 'Try again' });
}
