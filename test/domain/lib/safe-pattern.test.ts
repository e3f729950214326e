import { describe, expect, it } from 'vitest';
import { checkExpression } from '../../../domain/lib/cel.js';
import { checkPattern, maxPatternedLength } from '../../../domain/lib/safe-pattern.js';
import { processorMs } from '../../support/lib/processor-ms.js';

describe('checkPattern', () => {
  it.each([
    ['nested repetition', '(a+)+'],
    ['nested repetition one level down', '((a+)b)*'],
    ['an optional group of repetitions, repeated', '((?:a*)?)+'],
    ['repeated alternatives', '(a|a)*'],
    ['repeated alternatives with a count', '(a|aa){2,30}'],
    ['a count of repetitions', '(a*){25}'],
    ['back references', '(a)\\1'],
    ['named back references', '(?<x>a)\\k<x>'],
    ['lookahead', 'a(?=b)'],
    ['lookbehind', '(?<!a)b'],
    ['many repetitions in a row', 'a*a*a*a*a*'],
    ['many optional parts', 'a?'.repeat(30)],
    ['optional parts between repetitions', `${'.?'.repeat(8)}${'.*'.repeat(3)}x`],
    ['alternatives in a row', '(?:a|a)'.repeat(26)],
    ['alternatives between repetitions', `${'(?:a|.)'.repeat(8)}${'.*'.repeat(3)}x`],
    ['optional groups of repetitions', '(?:.*)?'.repeat(4)],
    ['ranges in a row', '.{0,200}'.repeat(4)],
    ['repeated groups that hold counts', '(?:(?:.{1000}){1000}){1000}'],
    ['an empty alternative', '(?:|.)'],
    ['an empty alternative at the end', 'a|'],
    ['an empty alternative in between', 'a||b'],
    ['a group of empty alternatives', '(|)'],
    ['a syntax error', '[a-'],
    ['nothing', ''],
    ['too many characters', 'a'.repeat(201)],
  ])('rejects %s', (_title, pattern) => {
    expect(checkPattern(pattern)).toMatchObject({ ok: false });
  });

  it.each([
    '^[A-Z]{2}-\\d{4,8}$',
    '(?:\\d{3}-){2}\\d{4}',
    '[a-z]+@[a-z]+',
    'red|green|blue',
    '(?:red|green)-light',
    '[()*+]{1,5}',
    '\\(\\d+\\)',
    '\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}',
    '(?:Mx|Dr)?\\.? ?[A-Z][a-z]+(?: [A-Z][a-z]+)?',
    '\\p{Lu}\\p{Ll}+',
    '\\u{1F600}{2}',
    'a?a?a?a?a?a?a?a?a?aaaaaaaaa',
  ])('accepts %s', (pattern) => {
    expect(checkPattern(pattern)).toMatchObject({ ok: true });
  });
});

describe('the patterns that checkPattern accepts', () => {
  const parts = [
    '.',
    'a',
    'a?',
    '.?',
    'a*',
    '.*',
    '.+',
    'a{2,9}',
    '.{0,50}',
    '(?:a|.)',
    '(?:a|aa)',
    '(?:a*)?',
    '(a|.*)',
  ];
  const rows = [1, 2, 3, 4, 5, 6, 8, 12].flatMap((times) => [
    ...parts.map((part) => part.repeat(times)),
    ...parts.map((part, index) => (part + (parts[(index * 5 + 3) % parts.length] ?? '')).repeat(times)),
    ...parts.map((part) => `${part.repeat(times)}.*.*`),
  ]);
  const taken = rows.map((row) => `${row}x`).filter((pattern) => checkPattern(pattern).ok);

  it('are some of many, of which others are rejected', () => {
    expect(taken.length).toBeGreaterThan(60);
    expect(taken.length).toBeLessThan(rows.length - 60);
  });

  it.each(taken)('run in bounded time on the longest text of a field: %s', (pattern) => {
    const field = new RegExp(`^(?:${pattern})$`, 'u');
    expect(processorMs(() => field.test('a'.repeat(maxPatternedLength)))).toBeLessThan(1_500);
  });

  it.each(taken.filter((pattern) => checkExpression(`member.name.matches("${pattern}")`).ok))(
    'run in bounded time in an expression that can be saved: %s',
    (pattern) => {
      expect(processorMs(() => new RegExp(pattern).test('a'.repeat(4_000)))).toBeLessThan(1_500);
    },
  );
});
