import { defineConfig } from 'vitest/config';
import { settings } from './vitest.config.js';

/** `npm run test:interop`: what other people's tools say of the service. */
export default defineConfig({
  test: {
    ...settings,
    include: ['test/interop/**/*.interop.ts'],
    testTimeout: 20 * 60_000,
    hookTimeout: 10 * 60_000,
    fileParallelism: false,
  },
});
