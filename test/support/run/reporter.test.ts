import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import type { TestModule } from 'vitest/node';
import { count, describeFailures } from './reporter.js';

type Errors = { message: string }[];

function module(states: string[], { load = [] as Errors, hook = [] as Errors } = {}): TestModule {
  return {
    moduleId: resolve('test/some.test.ts'),
    errors: () => load,
    children: {
      allSuites: () => [{ fullName: 'a suite', errors: () => hook }],
      allTests: () =>
        states.map((state, index) => ({
          fullName: `test ${index + 1}`,
          result: () => ({ state, errors: state === 'failed' ? [error] : undefined }),
        })),
    },
  } as unknown as TestModule;
}

const error = { message: 'it broke:\n\tbadly' };

test('tests are counted over all files; one that did not run has not passed', () => {
  expect(count([module(['passed', 'failed']), module(['passed', 'skipped'])], [])).toEqual({
    passed: 2,
    failed: 2,
  });
});

test('a file that does not load, a hook that throws and an uncaught error are failures', () => {
  const modules = [module([], { load: [error] }), module(['passed'], { hook: [error] })];

  expect(count(modules, [{ ...error, stacks: [] }])).toEqual({ passed: 1, failed: 3 });
});

test('each failure is described in a line with its file, its test and its error', () => {
  const modules = [
    module(['passed', 'failed', 'skipped']),
    module([], { load: [error] }),
    module([], { hook: [error] }),
  ];

  expect(describeFailures(modules, [{ ...error, stacks: [] }]).split('\n')).toEqual([
    '-\t\tit broke: badly',
    'test/some.test.ts\ttest 2\tit broke: badly',
    'test/some.test.ts\ttest 3\t',
    'test/some.test.ts\t\tit broke: badly',
    'test/some.test.ts\ta suite\tit broke: badly',
    '',
  ]);
});

test('nothing is described if everything passed', () => {
  expect(describeFailures([module(['passed'])], [])).toBe('');
});
