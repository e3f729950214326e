import { shortName } from './contracts/names.js';

/** The end of a summary that names the task, as far as the run knows it. */
export function inTask(taskName: string | undefined): string {
  return taskName === undefined ? '' : ` in “${shortName(taskName)}”`;
}
