import { defineConfig, type TestUserConfig } from 'vitest/config';
import { ClosingLineReporter } from './test/support/reporter.js';

/** Settings of a run: one PostgreSQL and one Temporal for all of its projects, and the closing line. */
export const run: TestUserConfig = {
  globalSetup: ['test/support/global-setup.ts'],
  reporters: ['default', new ClosingLineReporter()],
  teardownTimeout: 60_000,
  allowOnly: false,
};

/** Settings of each test file. */
export const files: TestUserConfig = {
  pool: 'forks',
  setupFiles: ['test/support/end-with-run.ts'],
  testTimeout: 30_000,
  hookTimeout: 180_000,
  restoreMocks: true,
};

/** Tests that measure time, kill processes, use much memory, or fill what a process caches by id. */
const alone = [
  'test/api/records/storage-limit.test.ts',
  'test/bench/**/*.test.ts',
  'test/domain/events/emitted/chat-paths.test.ts',
  'test/faults/**/*.test.ts',
  'test/workflows/webhooks/{fairness,limits}.test.ts',
];

export default defineConfig({
  test: {
    ...run,
    projects: [
      {
        test: {
          ...files,
          name: 'parallel',
          include: ['test/**/*.test.ts'],
          exclude: alone,
          maxWorkers: 3,
          // Workers keep their modules from file to file: loading them again takes a third of the run.
          isolate: false,
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: { ...files, name: 'alone', include: alone, maxWorkers: 1, sequence: { groupOrder: 1 } },
      },
    ],
  },
});
