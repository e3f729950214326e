import { defineConfig, type TestUserConfig } from 'vitest/config';
import { patienceMs } from './test/support/lib/patience.js';
import { alone } from './test/support/run/alone.js';
import { ClosingLineReporter } from './test/support/run/reporter.js';

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
  // Longer than what a test waits for at most, which then says what it waited for.
  testTimeout: 90_000,
  hookTimeout: 180_000,
  expect: { poll: { timeout: patienceMs } },
  restoreMocks: true,
};

/** Tests that kill processes: `npm run test:faults`. */
export const faults = ['test/faults/**/!(invariants|plan).test.ts'];

/** Workers keep their modules from file to file: loading them again takes a third of the run. */
export const shared: TestUserConfig = { ...files, isolate: false };
/** Some of the files wait for most of their time. */
const parallel = { ...shared, name: 'parallel', maxWorkers: 4, sequence: { groupOrder: 0 } };

export default defineConfig({
  test: {
    ...run,
    projects: [
      { test: { ...parallel, include: ['test/**/*.test.ts'], exclude: [...alone, ...faults] } },
      { test: { ...shared, name: 'alone', include: alone, maxWorkers: 1, sequence: { groupOrder: 1 } } },
    ],
  },
});
