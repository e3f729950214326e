import { inWorkspace } from '../support/floor-transaction.js';
import { runFloorWorker } from '../support/floor-worker.js';
import { statements } from './waiting-tasks.js';

/*
 * The floor of a select: an update whose handler runs one local activity with as many statements as the whole request
 * in the service, in one transaction on the same database. All but one of them only read.
 */

async function enter({ workspaceId, chatId }: { workspaceId: number; chatId: number }): Promise<string> {
  return inWorkspace(workspaceId, async (client) => {
    for (let done = 0; done < statements - 1; done += 1) {
      await client.query('select * from chats where id = $1', [chatId]);
    }
    await client.query('update chats set updated_at = now() where id = $1', [chatId]);
    return 'entered';
  });
}

await runFloorWorker(new URL('./floor-workflow.ts', import.meta.url), { enter });
