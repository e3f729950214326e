import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { files, run } from './vitest.config.js';

/** Schemathesis takes longer than all other files together, so it begins first. */
class LongestFirst extends BaseSequencer {
  override async sort(specifications: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(specifications);
    return sorted.sort((one, other) => Number(isLong(other)) - Number(isLong(one)));
  }
}

function isLong({ moduleId }: TestSpecification): boolean {
  return moduleId.includes('schemathesis');
}

/** `npm run test:interop`: what other people's tools say of the service. */
export default defineConfig({
  test: {
    ...run,
    ...files,
    globalSetup: ['test/support/run/global-setup.ts', 'test/interop/support/global-setup.ts'],
    include: ['test/interop/**/*.interop.ts'],
    testTimeout: 20 * 60_000,
    hookTimeout: 10 * 60_000,
    maxWorkers: 2,
    sequence: { sequencer: LongestFirst },
  },
});
