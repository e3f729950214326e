import { defineConfig } from 'vitest/config';
import { faults, run, shared } from './vitest.config.js';

const attacks = 'test/faults/attacks/*.test.ts';

/**
 * `npm run test:faults`: tests that kill processes, two files at a time as they mostly wait, and then those that
 * attack.
 */
export default defineConfig({
  test: {
    ...run,
    projects: [
      {
        test: {
          ...shared,
          name: 'faults',
          include: faults,
          exclude: [attacks],
          maxWorkers: 2,
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: { ...shared, name: 'attacks', include: [attacks], maxWorkers: 1, sequence: { groupOrder: 1 } },
      },
    ],
  },
});
