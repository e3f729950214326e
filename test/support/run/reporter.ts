import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import type { Reporter, SerializedError, TestModule } from 'vitest/node';

/**
 * Ends the run with `N passed, N failed`. Errors outside of tests are failures: they hide tests that did not run.
 * Writes what failed to the file that `TEST_FAILURES` names, for `.ci/run`.
 */
export class ClosingLineReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    const { passed, failed } = count(modules, unhandled);
    const { TEST_FAILURES: file } = process.env;
    if (file !== undefined) writeFileSync(file, describeFailures(modules, unhandled));
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

/** The name in the place of a file for an error that belongs to none. */
const noFile = '-';

/** A line for each failure, with tabs between: the test file, the title of the test if it is one, and the error. */
export function describeFailures(
  modules: readonly TestModule[],
  unhandled: readonly SerializedError[],
): string {
  const lines = unhandled.map((error) => line(noFile, '', [error]));
  for (const module of modules) {
    const file = relative(process.cwd(), module.moduleId);
    for (const error of module.errors()) lines.push(line(file, '', [error]));
    for (const suite of module.children.allSuites()) {
      for (const error of suite.errors()) lines.push(line(file, suite.fullName, [error]));
    }
    for (const test of module.children.allTests()) {
      const { state, errors } = test.result();
      if (state !== 'passed') lines.push(line(file, test.fullName, errors ?? []));
    }
  }
  return lines.join('');
}

const maxMessageLength = 2_000;

function line(file: string, title: string, errors: readonly { message: string }[]): string {
  const message = errors.map((error) => error.message).join('; ');
  const cells = [file, title, message.slice(0, maxMessageLength)];
  return `${cells.map((cell) => cell.replaceAll(/\s+/g, ' ')).join('\t')}\n`;
}
