import { setCurrentDetails, setHandler } from '@temporalio/workflow';
import { activityOf } from './activity-of.js';
import { pokeSignal } from './contracts/messages.js';
import { type RunInputs, taskQueues } from './contracts/runs.js';

/** Builds the archive of what is stored about a member. Repeated attempts begin anew, and leave one archive. */
export async function exportPersonData(
  input: RunInputs['exportPersonData'],
): Promise<{ outcome: string; rows: number; files: number; bytes: number }> {
  // A poke starts the run; one that comes later needs nothing.
  setHandler(pokeSignal, () => {});
  const { workspaceId, workspaceUuid, exportId } = input;
  const build = activityOf('exportPersonData', input, {
    taskQueue: taskQueues.jobs,
    startToCloseTimeout: '3h',
    heartbeatTimeout: '1m',
    // Failures are counted in the database, and end by themselves; a storage that is away may stay so for a day.
    retry: { initialInterval: '2s', maximumInterval: '5m' },
    summary: 'Build the archive',
  });
  setCurrentDetails('Reads what is stored, and writes the archive.');
  const result = await build({ workspaceId, workspaceUuid, exportId });
  const { outcome, rows, files, bytes } = result;
  setCurrentDetails(`Ended: \`${outcome}\`, ${rows} rows and ${files} files, ${bytes} bytes.`);
  return result;
}
