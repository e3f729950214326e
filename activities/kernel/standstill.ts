import { alertColleague } from '../../domain/kernel/alert-colleague.js';
import { standstillReasonOf } from '../../workflows/contracts/failures.js';
import type { ActivityDependencies } from './dependencies.js';

export function standstillActivities({ db, logger }: Pick<ActivityDependencies, 'db' | 'logger'>) {
  return {
    /** Alerts a colleague to the chat of a run in which a step fails each time. */
    async noteStandstill(input: { workspaceId: number; chatId: number; step: string }): Promise<void> {
      const { workspaceId, chatId, step } = input;
      logger.error({ workspaceId, chatId, step }, 'a step fails each time; its run stands still');
      await db.inWorkspace(workspaceId, (tx) => alertColleague(tx, { id: chatId }, standstillReasonOf(step)));
    },
  };
}
