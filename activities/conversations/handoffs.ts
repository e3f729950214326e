import { type Told, tellOfWaitingChats } from '../../domain/conversations/handoffs/tell-of-waiting-chats.js';
import type { Sliced } from '../../workflows/contracts/steps.js';
import type { ActivityDependencies } from '../kernel/dependencies.js';
import { settleInWorkspaces } from '../kernel/settle-in-workspaces.js';

export function handoffActivities(dependencies: Pick<ActivityDependencies, 'db' | 'clock' | 'logger'>) {
  return {
    /** Looks at the chats that wait in the workspaces that tell people of them and have news, and writes notices and events. */
    async tellOfWaitingChats(): Promise<Told & { failed: number } & Sliced> {
      const found = { notices: 0, events: 0, failed: 0 };
      const list = 'waiting_chats';
      return settleInWorkspaces(dependencies, found, {
        name: 'tell_of_waiting_chats',
        places: await dependencies.db.identity.walks.workspacesDue({ [list]: dependencies.clock.now() }),
        lists: [
          {
            name: list,
            async settle(workspaceId) {
              const told = await tellOfWaitingChats(dependencies, workspaceId);
              found.notices += told.notices;
              found.events += told.events;
            },
          },
        ],
        failure: 'not told of waiting chats',
      });
    },
  };
}
