import { defineConfig } from 'vitest/config';
import { files, run } from './vitest.config.js';

/** `npm run test:interop`: what other people's tools say of the service. */
export default defineConfig({
  test: {
    ...run,
    ...files,
    include: ['test/interop/**/*.interop.ts'],
    testTimeout: 20 * 60_000,
    hookTimeout: 10 * 60_000,
    fileParallelism: false,
  },
});
