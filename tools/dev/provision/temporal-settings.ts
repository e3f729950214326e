/**
 * Workspaces take turns on a task queue (`priority.fairnessKey`): server 1.29 has it switched off, and it is
 * exact with one partition only.
 */
export const dynamicConfiguration = [
  'matching.useNewMatcher=true',
  'matching.enableFairness=true',
  'matching.numTaskqueueReadPartitions=1',
  'matching.numTaskqueueWritePartitions=1',
] as const;
