import { setCurrentDetails, setHandler } from '@temporalio/workflow';
import { activityOf } from './activity-of.js';
import { pokeSignal } from './contracts/messages.js';
import { type RunInputs, taskQueues } from './contracts/runs.js';
import { cancellationOf, orCancel } from './or-cancel.js';

/** Imports members from a file, slice by slice. The database has how far it is. */
export async function importMembers(
  input: RunInputs['importMembers'],
): Promise<{ outcome: string; done: number; total: number }> {
  // A poke starts a missing run; one that is there needs nothing.
  setHandler(pokeSignal, () => {});
  const { workspaceId, workspaceUuid, importId } = input;
  const importMemberRows = activityOf('importMemberRows', input, {
    taskQueue: taskQueues.jobs,
    startToCloseTimeout: '5m',
    heartbeatTimeout: '1m',
    // Attempts that settle no row are counted in the database, and end by themselves; a storage may be away for hours.
    retry: { initialInterval: '2s', maximumInterval: '5m' },
    summary: 'Import the next rows',
  });
  const cancelImport = cancellationOf(
    'cancelImport',
    input,
    'Cancel the import, whose run was cancelled here',
  );
  setCurrentDetails('Reads the file.');
  const importAll = async () => {
    for (;;) {
      const step = await importMemberRows({ workspaceId, workspaceUuid, importId });
      const { done, total } = step;
      if (step.kind === 'again') {
        setCurrentDetails(`${done} of ${total} rows are done.`);
        continue;
      }
      const { outcome, reason } = step;
      const why = reason === undefined ? '' : ` (\`${reason}\`)`;
      setCurrentDetails(`Ended: \`${outcome}\`${why}, ${done} of ${total} rows.`);
      return { outcome, done, total };
    }
  };
  return await orCancel(importAll, () => cancelImport({ workspaceId, workspaceUuid, importId }));
}
