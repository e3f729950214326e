import { expect, test } from 'vitest';
import type { TestModule } from 'vitest/node';
import { count } from './reporter.js';

type Errors = { message: string }[];

function module(states: string[], { load = [] as Errors, hook = [] as Errors } = {}): TestModule {
  return {
    errors: () => load,
    children: {
      allSuites: () => [{ errors: () => hook }],
      allTests: () => states.map((state) => ({ result: () => ({ state }) })),
    },
  } as unknown as TestModule;
}

const error = { message: 'it broke' };

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
