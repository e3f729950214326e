import { describe, expect, it } from 'vitest';
import {
  type CelContext,
  checkExpression,
  evaluate,
  evaluateCondition,
  evaluateText,
  isOverBudget,
} from '../../../domain/lib/cel.js';
import { celContext } from '../cel-context.js';

describe('checkExpression', () => {
  it.each([
    ['what does not parse, with the position', 'member.id ==', 12],
    ['an unclosed string', 'member.name == "Robin', 15],
    ['an unknown variable', 'customer.id == 1', 0],
    ['an unknown function', 'shout(member.name)', 0],
    ['operands that do not fit', '"a" == 1', 0],
    ['the evaluator’s own namespaces', 'cel.bind(x, member.labels, x.size()) > 1', 0],
    ['a pattern that can run for hours', 'member.name.matches("(a+)+$")', 20],
    ['a pattern taken from data', 'member.name.matches(member.locale)', 0],
    ['an empty text', '   ', 0],
  ])('rejects %s', (_title, text, position) => {
    expect(checkExpression(text)).toMatchObject({ ok: false, position });
  });

  const times = (count: number, part: string) => Array.from({ length: count }, () => part);
  it.each([
    ['more characters than allowed', `member.name == "${'x'.repeat(2_000)}"`, 'Longer than'],
    ['nesting that is too deep', `${'('.repeat(40)}1${')'.repeat(40)} == 1`, 'maxDepth'],
    ['long list literals', `member.id in [${times(101, '1')}]`, 'maxListElements'],
    [
      'macros nested three levels deep',
      'member.labels.all(a, member.labels.all(b, member.labels.all(c, a == c)))',
      'nested',
    ],
    ['too many macros', times(11, 'member.labels.exists(l, l == "a")').join(' || '), 'macros'],
  ])('rejects %s', (_title, text, part) => {
    expect(checkExpression(text)).toMatchObject({ ok: false, message: expect.stringContaining(part) });
  });

  it.each([
    'member.data.r.exists(x, member.data.r.exists(y, x != y))',
    'member.data.r.exists(x, member.data.s.exists(y, y in x.list))',
    'member.data.r.exists(x, member.data.s.map(y, y).exists(z, z == x))',
    'member.name.split("").exists(a, member.name.split("").exists(b, a == b))',
    'member.data.visits.map(v, v.text.split("")).exists(l, l.exists(c, c == "x"))',
    'member.labels.exists(l, l.matches("[a-z]+-[a-z]+-[a-z]+"))',
  ])('rejects an expression that could take too long on long lists: %s', (text) => {
    expect(checkExpression(text)).toMatchObject({ ok: false, message: expect.stringContaining('too long') });
  });

  it('rejects a condition that is never a boolean', () => {
    expect(checkExpression('"yes"')).toMatchObject({ ok: true });
    expect(checkExpression('"yes"', 'boolean')).toMatchObject({ ok: false });
  });
});

describe('checkExpression with a valid condition', () => {
  it.each([
    'member.form_data.intake.age > 17',
    '"vip" in member.labels && !("Intake" in tasks.completed)',
    'member.data.visits.exists(v, v.reason == "checkup")',
    'member.labels.exists(l, member.data.visits.exists(v, v.reason == l))',
    'member.data.visits.exists(v, v.date == member.form_data.intake.date)',
    'member.data.visits.exists(v, member.data.orders.exists(o, string(v.reason) == string(o.reason)))',
    'member.form_data.intake.reason in member.labels || "x" in member.form_data.intake.choices',
    'has(member.form_data.intake) && member.form_data.intake.agreed',
    'now > timestamp("2030-01-01T00:00:00Z")',
    'member.name.matches("^[A-Z][a-z]+")',
    'call != null && call.status == "completed"',
  ])('accepts %s', (text) => {
    expect(checkExpression(text, 'boolean')).toMatchObject({ ok: true });
  });
});

describe('evaluate', () => {
  const context = celContext();

  it.each([
    ['compares JSON numbers with int literals', 'member.form_data.intake.age > 17', true],
    ['compares them with double literals', 'member.form_data.intake.age < 18.5', true],
    ['counts with them', 'member.form_data.intake.age + 1', 19],
    ['mixes whole and broken numbers', 'member.form_data.intake.ratio * member.form_data.intake.height', 3.5],
    ['finds them in lists', 'member.form_data.intake.age in [17, 18]', true],
    ['knows the time', 'now - duration("24h") < now', true],
    ['gives timestamps as ISO 8601', 'now', '2030-01-15T12:00:00.000Z'],
    ['gives lists and maps as JSON', '{"ids": [member.id]}', { ids: [7] }],
    ['tells a null', 'call.status == null', true],
    ['reads collections', 'member.data.visits.map(v, v.reason)', ['checkup', 'vaccination']],
  ])('%s', (_title, text, value) => {
    expect(evaluate(text, context)).toEqual({ ok: true, value });
  });

  it('returns an error that does not quote data', () => {
    expect(evaluate('bool(member.name)', context)).toEqual({
      ok: false,
      error: { code: 'bool_conversion_error', message: expect.not.stringContaining('Robin'), position: 0 },
    });
    expect(evaluate('member.form_data.missing.age > 1', context)).toMatchObject({
      ok: false,
      error: { code: 'no_such_key' },
    });
  });

  it('does not give access to the prototype', () => {
    expect(evaluate('member.constructor', context)).toMatchObject({ ok: false });
    expect(evaluate('has(member.__proto__)', context)).toEqual({ ok: true, value: false });
  });

  it('does not run an expression that could not be saved', () => {
    expect(evaluate('nonsense(', context)).toMatchObject({
      ok: false,
      error: { code: 'invalid_expression' },
    });
  });

  it('cuts lists to two hundred items, except the names of tasks', () => {
    const labels = Array.from({ length: 5_000 }, (_, index) => `label-${index}`);
    const completed = Array.from({ length: 500 }, (_, index) => `Task ${index}`);
    const tasks = { visited: completed, completed, timed_out: [], current: null };
    const crowded = celContext({ member: { ...context.member, labels }, tasks });
    expect(evaluate('size(member.labels)', crowded)).toEqual({ ok: true, value: 200 });
    expect(evaluate('"Task 499" in tasks.completed', crowded)).toEqual({ ok: true, value: true });
  });
});

describe('evaluate with an expensive expression of an earlier release', () => {
  /** Values of 1.6 MB, which a member could write. */
  const large = () => {
    // Each record has its own strings, as rows of the database do, so that equal ones are compared by their
    // characters.
    const list = () => Array.from({ length: 1_600 }, (_, index) => `value ${index}`);
    const r = Array.from({ length: 100 }, (_, index) => ({ list: [...list(), `end ${index}`] }));
    return celContext({ member: { ...celContext().member, data: { r } } });
  };
  const quadratic = 'member.data.r.exists(x, member.data.r.exists(y, x != y && false))';
  const backtracking = `"${'a'.repeat(1_000)}".matches("a*a*a{0,100}b")`;

  /** How long the event loop was blocked: the shortest of several measurements, as a busy machine delays some. */
  function shortest(evaluations: (context: CelContext) => void): number {
    const times = Array.from({ length: 7 }, () => {
      const context = large();
      const begun = performance.now();
      evaluations(context);
      return performance.now() - begun;
    });
    return Math.min(...times);
  }

  it.each([quadratic, backtracking])('blocks the event loop for less than 50 ms: %s', (text) => {
    let last: unknown;

    const time = shortest((context) => {
      last = evaluate(text, context);
    });

    expect(time).toBeLessThan(50);
    const tooLong = {
      ok: false,
      error: { code: 'took_too_long', message: expect.any(String), position: 0 },
    };
    // A fast machine finishes the comparison of this many values in time. The pattern takes hours on any machine.
    expect(text === quadratic ? [tooLong, { ok: true, value: false }] : [tooLong]).toContainEqual(last);
  });

  it('shares one time budget per context, and isOverBudget reports that it is used up', () => {
    const results: unknown[] = [];

    const time = shortest((context) => {
      results.length = 0;
      for (let index = 0; index < 20; index += 1)
        results.push(evaluate(`${backtracking} || ${index} < 0`, context));
      expect(isOverBudget(context)).toBe(true);
      expect(evaluate('member.id', context)).toEqual({ ok: true, value: 7 });
    });

    expect(time).toBeLessThan(50);
    expect(results).toHaveLength(20);
    expect(results.every((one) => !(one as { ok: boolean }).ok)).toBe(true);
  });

  it('returns the value when there is little data', () => {
    const context = celContext();
    expect(evaluate('member.data.visits.exists(x, member.data.visits.exists(y, x != y))', context)).toEqual({
      ok: true,
      value: true,
    });
    expect(isOverBudget(context)).toBe(false);
  });

  it('does not affect expressions of other contexts', () => {
    const spent = large();
    evaluate(quadratic, spent);
    expect(evaluate('member.data.visits.map(v, v.reason)', celContext())).toEqual({
      ok: true,
      value: ['checkup', 'vaccination'],
    });
  });
});

describe('evaluateCondition', () => {
  it.each([
    ['holds', 'member.id == 7', true],
    ['does not hold', 'member.id == 8', false],
    ['fails on a missing key', 'member.form_data.missing.age > 1', false],
    ['fails on a null', 'member.form_data.intake.note > 1', false],
    ['is no boolean', 'member.name', false],
    ['does not parse', 'member.id ==', false],
  ])('evaluates an expression that %s', (_title, text, holds) => {
    expect(evaluateCondition(text, celContext())).toBe(holds);
  });
});

describe('evaluateText', () => {
  it.each([
    ['null is nothing', 'member.form_data.intake.note', ''],
    ['numbers are as written', 'member.form_data.intake.age', '18'],
    ['lists are joined', 'member.labels', 'newsletter, vip'],
  ])('renders a value: %s', (_title, text, value) => {
    expect(evaluateText(text, celContext())).toEqual({ ok: true, value });
  });

  it('returns an error for a map', () => {
    expect(evaluateText('member', celContext())).toMatchObject({ ok: false, error: { code: 'not_text' } });
  });
});
