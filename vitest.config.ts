import { defineConfig } from 'vitest/config';
import { ClosingLineReporter } from './test/support/reporter.js';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    pool: 'forks',
    globalSetup: ['test/support/global-setup.ts'],
    reporters: ['default', new ClosingLineReporter()],
    testTimeout: 30_000,
    hookTimeout: 180_000,
    teardownTimeout: 60_000,
    allowOnly: false,
    restoreMocks: true,
  },
});
