import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type ConformanceCase, conformanceCases } from './cases.js';
import { failures, failuresUnchecked } from './failures.js';
import { runCase } from './run-case.js';

const cases = conformanceCases();
const checked = cases.filter(({ disableCheck }) => !disableCheck);
const unchecked = cases.filter(({ disableCheck }) => disableCheck);

/** Fails if the outcomes differ from the list, and names each case with what it got. */
function expectToFail(of: ConformanceCase[], listed: string[]): void {
  const outcomes = of.map((test) => ({ id: test.id, expr: test.expr, ...runCase(test) }));
  const isListed = new Set(listed);
  expect(outcomes.filter(({ id, passes }) => passes === isListed.has(id))).toEqual([]);
  expect(listed.filter((id) => !of.some((test) => test.id === id))).toEqual([]);
}

describe('the conformance cases of CEL that need no protocol buffers and no extensions', () => {
  it('pass to at least 97 %, and exactly those fail that are listed with a reason', () => {
    const listed = failures.flatMap((group) => group.cases);
    expectToFail(checked, listed);
    expect((checked.length - listed.length) / checked.length).toBeGreaterThanOrEqual(0.97);
  });

  it('that switch the type check off fail exactly where listed, because it is always on', () => {
    expectToFail(unchecked, failuresUnchecked);
  });

  it('are counted in the documents', () => {
    const page = readFileSync(new URL('../../../../../docs/expressions.md', import.meta.url), 'utf8');
    const failing = failures.flatMap((group) => group.cases).length;
    const share = (passing: number, of: number) => `${passing} of ${of}`;
    expect(page).toContain(share(checked.length - failing, checked.length));
    expect(page).toContain(share(unchecked.length - failuresUnchecked.length, unchecked.length));
  });
});
