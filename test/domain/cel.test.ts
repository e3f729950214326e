import { describe, expect, it } from 'vitest';
import { checkExpression, evaluate, evaluateCondition, evaluateText } from '../../domain/cel.js';
import { celContext } from './cel-context.js';

describe('checkExpression refuses', () => {
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
  ])('%s', (_title, text, position) => {
    expect(checkExpression(text)).toMatchObject({ ok: false, position });
  });

  it('more characters than allowed', () => {
    expect(checkExpression(`member.name == "${'x'.repeat(2_000)}"`)).toMatchObject({ ok: false });
  });

  it('nesting that is too deep', () => {
    expect(checkExpression(`${'('.repeat(40)}1${')'.repeat(40)} == 1`)).toMatchObject({ ok: false });
  });

  it('long list literals', () => {
    const list = Array.from({ length: 101 }, (_, index) => index).join(',');
    expect(checkExpression(`member.id in [${list}]`)).toMatchObject({ ok: false });
  });

  it('macros nested in macros in macros', () => {
    const text = 'member.labels.all(a, member.labels.all(b, member.labels.all(c, a == c)))';
    expect(checkExpression(text)).toMatchObject({ ok: false, message: expect.stringContaining('nested') });
  });

  it('too many macros', () => {
    const text = Array.from({ length: 11 }, () => 'member.labels.exists(l, l == "a")').join(' || ');
    expect(checkExpression(text)).toMatchObject({ ok: false, message: expect.stringContaining('macros') });
  });

  it.each([
    'member.labels.exists(a, [a, a, a].map(b, member.labels + member.labels + member.labels).size() > 0)',
    'member.name.split("").exists(a, member.name.split("").exists(b, a == b))',
    'member.data.visits.map(v, v.text.split("")).exists(l, l.exists(c, c == "x"))',
    'member.labels.exists(l, l.matches("[a-z]+-[a-z]+-[a-z]+"))',
  ])('what could take too long on long lists: %s', (text) => {
    expect(checkExpression(text)).toMatchObject({ ok: false, message: expect.stringContaining('too long') });
  });

  it('a condition that is never a boolean', () => {
    expect(checkExpression('"yes"')).toEqual({ ok: true });
    expect(checkExpression('"yes"', 'boolean')).toMatchObject({ ok: false });
  });
});

describe('checkExpression takes', () => {
  it.each([
    'member.form_data.intake.age > 17',
    '"vip" in member.labels && !("Intake" in tasks.completed)',
    'member.data.visits.exists(v, v.reason == "checkup")',
    'member.labels.exists(l, member.data.visits.exists(v, v.reason == l))',
    'has(member.form_data.intake) && member.form_data.intake.agreed',
    'now > timestamp("2030-01-01T00:00:00Z")',
    'member.name.matches("^[A-Z][a-z]+")',
    'call != null && call.status == "completed"',
  ])('%s', (text) => {
    expect(checkExpression(text, 'boolean')).toEqual({ ok: true });
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
    ['tells a null', 'call == null', true],
    ['reads collections', 'member.data.visits.map(v, v.reason)', ['checkup', 'vaccination']],
  ])('%s', (_title, text, value) => {
    expect(evaluate(text, context)).toEqual({ ok: true, value });
  });

  it('tells why there is no value, without quoting data', () => {
    expect(evaluate('bool(member.name)', context)).toEqual({
      ok: false,
      error: { code: 'bool_conversion_error', message: expect.not.stringContaining('Robin'), position: 0 },
    });
    expect(evaluate('member.form_data.missing.age > 1', context)).toMatchObject({
      ok: false,
      error: { code: 'no_such_key' },
    });
  });

  it('does not reach the prototype', () => {
    expect(evaluate('member.constructor', context)).toMatchObject({ ok: false });
    expect(evaluate('has(member.__proto__)', context)).toEqual({ ok: true, value: false });
  });

  it('refuses to run what could not be saved', () => {
    expect(evaluate('nonsense(', context)).toMatchObject({
      ok: false,
      error: { code: 'invalid_expression' },
    });
  });

  it('cuts long lists to a thousand', () => {
    const labels = Array.from({ length: 5_000 }, (_, index) => `label-${index}`);
    const crowded = celContext({ member: { ...context.member, labels } });
    expect(evaluate('size(member.labels)', crowded)).toEqual({ ok: true, value: 1_000 });
  });

  it('ends within moments on the longest lists that it allows', () => {
    const visits = Array.from({ length: 1_000 }, (_, index) => ({
      reason: `reason ${index}`,
      other: 'none',
    }));
    const crowded = celContext({ member: { ...context.member, data: { visits } } });
    const text = 'member.data.visits.exists(a, member.data.visits.exists(b, a.reason == b.other))';
    const started = performance.now();
    expect(evaluate(text, crowded)).toEqual({ ok: true, value: false });
    expect(performance.now() - started).toBeLessThan(3_000);
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
  ])('an expression that %s', (_title, text, holds) => {
    expect(evaluateCondition(text, celContext())).toBe(holds);
  });
});

describe('evaluateText', () => {
  it.each([
    ['null is nothing', 'member.form_data.intake.note', ''],
    ['numbers are as written', 'member.form_data.intake.age', '18'],
    ['lists are joined', 'member.labels', 'newsletter, vip'],
  ])('%s', (_title, text, value) => {
    expect(evaluateText(text, celContext())).toEqual({ ok: true, value });
  });

  it('has no text for a map', () => {
    expect(evaluateText('member', celContext())).toMatchObject({ ok: false, error: { code: 'not_text' } });
  });
});
