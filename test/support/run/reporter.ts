import type { Reporter, SerializedError, TestModule } from 'vitest/node';

/** Ends the run with `N passed, N failed`. Errors outside of tests are failures: they hide tests that did not run. */
export class ClosingLineReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    const { passed, failed } = count(modules, unhandled);
    // After the default reporter's own summary.
    process.once('exit', () => process.stdout.write(`${passed} passed, ${failed} failed\n`));
  }
}

export function count(
  modules: readonly TestModule[],
  unhandled: readonly SerializedError[],
): { passed: number; failed: number } {
  let passed = 0;
  let failed = unhandled.length;
  for (const module of modules) {
    failed += module.errors().length;
    for (const suite of module.children.allSuites()) failed += suite.errors().length;
    for (const test of module.children.allTests()) {
      const { state } = test.result();
      if (state === 'passed') passed += 1;
      else failed += 1;
    }
  }
  return { passed, failed };
}
