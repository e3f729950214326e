import { describe, expect, it } from 'vitest';
import { checkPattern } from '../../domain/safe-pattern.js';

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
    ['many optional parts', 'a?a?a?a?a?a?a?a?a?aaaaaaaaa'],
    ['a syntax error', '[a-'],
    ['nothing', ''],
    ['too many characters', 'a'.repeat(201)],
  ])('refuses %s', (_title, pattern) => {
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
  ])('takes %s', (pattern) => {
    expect(checkPattern(pattern)).toMatchObject({ ok: true });
  });
});
