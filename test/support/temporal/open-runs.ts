import type { RunInspector } from '../../../activities/kernel/dependencies.js';

/** A Temporal in which every run is open and all is well, but for `changes`. */
export function openRuns(changes: Partial<RunInspector> = {}): RunInspector {
  return {
    statusOf: async () => 'running',
    listClosedAssignments: async () => new Map(),
    listOpenAssignments: async () => ({ items: new Map() }),
    poke: async () => true,
    ...changes,
  };
}
