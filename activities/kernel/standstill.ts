import { callPerson } from '../../domain/kernel/call-person.js';
import type { deliveryActivities } from '../channels/deliveries.js';
import type { ActivityDependencies } from './dependencies.js';

/** The step of the run that delivers a chat's messages. */
const deliveryStep: keyof ReturnType<typeof deliveryActivities> = 'deliverNext';

export function standstillActivities({ db, logger }: Pick<ActivityDependencies, 'db' | 'logger'>) {
  return {
    /** Calls a person to the chat of a run in which a step fails each time. */
    async noteStandstill(input: { workspaceId: number; chatId: number; step: string }): Promise<void> {
      const { workspaceId, chatId, step } = input;
      logger.error({ workspaceId, chatId, step }, 'a step fails each time; its run stands still');
      const reason = step === deliveryStep ? 'delivery_stuck' : 'step_failed';
      await db.inWorkspace(workspaceId, (tx) => callPerson(tx, { id: chatId }, reason));
    },
  };
}
