import { describe, expect, it } from 'vitest';
import { isFixedExpression, mayHold } from '../../../../domain/lib/cel.js';

const canBeVisited = (name: string) => name !== 'Never';

describe('mayHold', () => {
  it.each([
    '"Never" in tasks.visited',
    '"Never" in tasks["completed"] && chat.paused',
    'chat.paused && (false || "Never" in tasks.timed_out)',
    'tasks.current == "Never"',
    '"Never" == tasks.current',
    '!(chat.paused || true)',
    'true ? "Never" in tasks.visited : chat.paused',
    'chat.paused ? "Never" in tasks.visited : false',
  ])('is false for %s', (text) => {
    expect(mayHold(text, canBeVisited)).toBe(false);
  });

  it.each([
    '"Ask" in tasks.visited',
    '!("Never" in tasks.visited)',
    '!("Ask" in tasks.visited)',
    'chat.paused || "Never" in tasks.visited',
    '"Never" in member.labels',
    'tasks.current != "Never"',
    'member.name in tasks.visited',
    'chat.paused ? "Never" in tasks.visited : true',
    'false ? "Never" in tasks.visited : chat.paused',
    'tasks.visited.exists(name, name == "Never")',
    'does not parse',
  ])('is true for %s', (text) => {
    expect(mayHold(text, canBeVisited)).toBe(true);
  });
});

describe('isFixedExpression', () => {
  it.each([
    ["'tomorrow'", true],
    ["'a' + string(1 + 2)", true],
    ['[1, 2][0] == 1 ? "x" : "y"', true],
    ['now', false],
    ['string(now)', false],
    ['has(member.name) ? "x" : "y"', false],
    ['1 +', false],
  ])('tells whether %s is the same for all data', (text, isFixed) => {
    expect(isFixedExpression(text)).toBe(isFixed);
  });
});
