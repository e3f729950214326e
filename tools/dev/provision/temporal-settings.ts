/**
 * Switches on fairness between workspaces on a task queue (`priority.fairnessKey`), which is off by default in server
 * 1.29. Fairness is exact only with a single partition.
 */
export const dynamicConfiguration = [
  'matching.useNewMatcher=true',
  'matching.enableFairness=true',
  'matching.numTaskqueueReadPartitions=1',
  'matching.numTaskqueueWritePartitions=1',
] as const;
