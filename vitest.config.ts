import { defineConfig, type TestUserConfig } from 'vitest/config';
import { ClosingLineReporter } from './test/support/run/reporter.js';
import { unitTests } from './test/support/run/unit-tests.js';

/** Settings of a run: one PostgreSQL and one Temporal for all of its projects, and the closing line. */
export const run: TestUserConfig = {
  globalSetup: ['test/support/run/global-setup.ts'],
  reporters: ['default', new ClosingLineReporter()],
  teardownTimeout: 60_000,
  allowOnly: false,
};

/** Settings of each test file. */
export const files: TestUserConfig = {
  pool: 'forks',
  setupFiles: ['test/support/run/end-with-run.ts'],
  testTimeout: 30_000,
  hookTimeout: 180_000,
  restoreMocks: true,
};

/** Tests that measure time or use much memory. */
const alone = [
  'test/tools/bench/**/*.test.ts',
  'test/domain/events/events/emitted/chat-paths.test.ts',
  'test/domain/pattern-budget.test.ts',
  'test/faults/attacks/*.test.ts',
  'test/workflows/webhooks/{fairness,limits}.test.ts',
];
/** Tests that kill processes, and wait for what comes after. */
const faults = ['test/faults/**/!(invariants|plan).test.ts'];

const unit = unitTests();
// Workers keep their modules from file to file: loading them again takes a third of the run.
const shared = { ...files, maxWorkers: 3, isolate: false, sequence: { groupOrder: 0 } };

export default defineConfig({
  test: {
    ...run,
    projects: [
      { test: { ...shared, name: 'unit', include: unit, exclude: [...alone, ...faults] } },
      {
        test: {
          ...shared,
          name: 'parallel',
          include: ['test/**/*.test.ts'],
          exclude: [...alone, ...faults, ...unit],
        },
      },
      {
        test: {
          ...shared,
          name: 'faults',
          include: faults,
          exclude: alone,
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: { ...shared, name: 'alone', include: alone, maxWorkers: 1, sequence: { groupOrder: 2 } },
      },
    ],
  },
});
