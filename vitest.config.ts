import { defineConfig, type ViteUserConfig } from 'vitest/config';
import { ClosingLineReporter } from './test/support/reporter.js';

/** What `npm test` and `npm run test:interop` have in common. */
export const settings: ViteUserConfig['test'] = {
  pool: 'forks',
  globalSetup: ['test/support/global-setup.ts'],
  setupFiles: ['test/support/end-with-run.ts'],
  reporters: ['default', new ClosingLineReporter()],
  testTimeout: 30_000,
  hookTimeout: 180_000,
  teardownTimeout: 60_000,
  allowOnly: false,
  restoreMocks: true,
};

export default defineConfig({ test: { ...settings, include: ['test/**/*.test.ts'] } });
