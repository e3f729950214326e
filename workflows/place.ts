import { shortName } from './contracts/names.js';

/** Two names, in four bytes a character, leave room in the 400 bytes of a summary. */
const longerOfTwo = 30;

/** Where a run is among the tasks, as far as it knows: named in its summaries. */
export class Place {
  taskName: string | undefined;
  /** The task that the last summary has named. */
  #named: string | undefined;

  /** The end of a summary: the task, and the one before if the run has come from there since the last summary. */
  inWords(): string {
    const { taskName } = this;
    if (taskName === undefined) return '';
    const from = this.#named === taskName ? undefined : this.#named;
    this.#named = taskName;
    if (from === undefined) return ` in “${shortName(taskName)}”`;
    return ` in “${shortName(taskName, longerOfTwo)}”, from “${shortName(from, longerOfTwo)}”`;
  }
}
