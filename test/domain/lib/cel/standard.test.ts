import { describe, expect, it } from 'vitest';
import { checkExpression, evaluate, failureOf } from '../../../../domain/lib/cel.js';
import { processorMs } from '../../../support/lib/processor-ms.js';
import { celContext } from '../../cel-context.js';

const context = celContext();
const value = (text: string) => evaluate(text, context);
const failsWith = (code: string) => ({ ok: false, error: expect.objectContaining({ code }) });

describe('times', () => {
  // now is 2030-01-15T12:00:00Z, a Tuesday.
  it.each([
    ['int(now)', 1_894_708_800],
    ['int(timestamp("1969-12-31T23:59:59.5Z"))', -1],
    ['string(now)', '2030-01-15T12:00:00.000Z'],
    ['string(duration("1h30m"))', '5400s'],
    ['string(duration("-1.5s"))', '-1.5s'],
    ['string(duration("-500ms"))', '-0.5s'],
    ['string(duration("1ns") - duration("2ns"))', '-0.000000001s'],
    ['duration("-1ns") + duration("0s") == duration("-1ns")', true],
    ['duration(string(duration("-90m"))) == duration("-1.5h")', true],
    ['duration("24h") + now == now + duration("24h")', true],
    ['(duration("24h") + now).getDate()', 16],
    ['string(now - timestamp("1900-01-01T00:00:00.001Z"))', '4103697599.999s'],
    ['now - duration("24h")', '2030-01-14T12:00:00.000Z'],
    ['timestamp(now) == now && duration(duration("1s")) == duration("1s")', true],
    ['type(now) == google.protobuf.Timestamp', true],
  ])('%s is %j', (text, expected) => {
    expect(value(text)).toEqual({ ok: true, value: expected });
  });

  it.each([
    ['now + duration("80000000h")', 'timestamp_out_of_range'],
    ['timestamp("0001-01-01T00:00:00Z") - duration("1s")', 'timestamp_out_of_range'],
    ['duration("320000000000s")', 'duration_out_of_range'],
    ['duration("200000000000s") + duration("200000000000s")', 'duration_out_of_range'],
    ['duration("")', 'invalid_duration'],
    ['duration("1")', 'invalid_duration'],
    ['duration("1h ")', 'invalid_duration'],
    ['duration("1d")', 'invalid_duration'],
    ['-(-9223372036854775807 - 1)', 'numeric_overflow'],
    ['now.getHours("Europe/Nowhere")', 'invalid_time_zone'],
    ['now.getHours("+24:00")', 'invalid_time_zone'],
  ])('%s fails: %s', (text, code) => {
    expect(value(text)).toEqual(failsWith(code));
  });

  it.each([
    ['now.getHours("America/New_York")', 7],
    ['now.getHours("america/new_york")', 7],
    ['now.getHours("+05:30")', 17],
    ['now.getMinutes("05:30")', 30],
    ['now.getDate("+12:00")', 16],
    ['now.getDate("-12:01")', 14],
    ['now.getDayOfWeek()', 2],
    ['now.getDayOfWeek("Pacific/Auckland")', 3],
    ['now.getDayOfYear()', 14],
    ['timestamp("2024-12-31T23:30:00Z").getDayOfYear()', 365],
    ['timestamp("2024-12-31T23:30:00Z").getDayOfYear("Europe/Paris")', 0],
    ['timestamp("2024-12-31T23:30:00Z").getFullYear("Europe/Paris")', 2025],
    ['timestamp("2024-07-01T00:00:00Z").getDayOfYear("Europe/Paris")', 182],
    ['timestamp("1969-12-31T23:59:59.250Z").getMilliseconds("Europe/Paris")', 250],
  ])('%s is %j', (text, expected) => {
    expect(value(text)).toEqual({ ok: true, value: expected });
  });

  it('do not depend on the time zone of the process', () => {
    const before = process.env.TZ;
    try {
      process.env.TZ = 'America/Sao_Paulo';
      expect(evaluate('timestamp("2024-07-01T01:00:00Z").getDayOfYear()', celContext())).toMatchObject({
        value: 182,
      });
    } finally {
      process.env.TZ = before;
    }
  });
});

describe('names and literals of the standard', () => {
  const form_data = { intake: { 'blood-pressure': { 'a.b': 120 } } };
  const dashed = celContext({ member: { ...context.member, form_data } });

  it('read a field by its name in backticks', () => {
    const text = 'member.form_data.intake.`blood-pressure`.`a.b` == 120 && "`" != ".`x`"';
    expect(checkExpression(text, 'boolean')).toMatchObject({ ok: true });
    expect(evaluate(text, dashed)).toEqual({ ok: true, value: true });
    expect(evaluate('has(member.form_data.intake.`blood-pressure`)', dashed)).toMatchObject({ value: true });
    expect(evaluate('has(member.form_data.intake.`heart-rate`)', dashed)).toMatchObject({ value: false });
  });

  it.each([
    ['`member`.id == 1', 0],
    ['member.`id', 7],
    ['"a" == member.`first name` + 1 +', 32],
    ['member.`a`b', 10],
  ])('keep the position of what is wrong beside them: %s', (text, position) => {
    expect(checkExpression(text)).toMatchObject({ ok: false, position });
  });

  it('are the same within texts and comments as without', () => {
    const text = '"br\'x\' .`y` // no" + // .`z` b\'ÿ\'\n r".`\\\\"';
    expect(value(text)).toEqual({ ok: true, value: "br'x' .`y` // no.`\\\\" });
  });

  it.each([
    ["size(b'ÿ')", 2],
    ["size(br'\\x00')", 4],
    ["bytes('ÿ') == b'ÿ' && b'a' < b'b'", true],
    ["string(b'€\\x21')", '€!'],
  ])('read bytes: %s is %j', (text, expected) => {
    expect(value(text)).toEqual({ ok: true, value: expected });
  });

  it.each([
    ['{"a": 1, "a": 2}', 9],
    ['{1: true, 1u: false}', 10],
    ['[{"x": {1.5: 1}}]', 8],
    ['{null: 1}', 1],
  ])('refuse a map that cannot be meant, when it is saved: %s', (text, position) => {
    expect(checkExpression(text)).toMatchObject({ ok: false, position });
    expect(value(text)).toMatchObject({ ok: true });
  });

  it.each([
    ['has({"a": 1}.a) && !has({"a": 1}.b)', true],
    ['[].all(x, x > 0) && ![].exists(x, x > 0)', true],
    ['[].map(x, x * 2)', []],
    ['member.name.matches("")', true],
    ['member.form_data.intake.age in [17u, 18u]', true],
    ['1 == 1.0 && 2u == 2 && 2u == 2.0 && 1 != 1.5', true],
  ])('%s is %j', (text, expected) => {
    expect(value(text)).toEqual({ ok: true, value: expected });
  });
});

describe('failureOf', () => {
  it.each([
    ['member.nmae == "x"', 'no such key: nmae'],
    ['member.form_data.intkae.age > 1', 'no such key: intkae'],
    ['member.form_data["in take"].age > 1', 'no such key: in take'],
    ['member.form_data.`in-take`.age > 1', 'no such key: in-take'],
    ['member.data.visits.exists(v, v.raeson == "x")', 'no such key: raeson'],
    ['has(member.form_data.missing.age)', 'no such key: missing'],
  ])('names the missing field as the author wrote it: %s', (text, message) => {
    expect(failureOf(text, context)).toMatchObject({ code: 'no_such_key', message });
  });

  it('does not name a key that comes from data', () => {
    const text = 'member.form_data[member.name].age > 1';
    expect(failureOf(text, context)?.message).toBe('no such key at 0');
    expect(JSON.stringify(evaluate(text, context))).not.toContain('Robin');
  });

  it('says in general terms what else failed, and nothing if nothing did', () => {
    expect(failureOf('member.form_data.intake.note > 1', context)?.message).toBe('no such overload at 0');
    expect(failureOf('member.data.visits[5].reason == "x"', context)?.message).toMatch(
      /^index out of bounds/,
    );
    expect(failureOf('member.id == 8', context)).toBeUndefined();
  });
});

describe('an expression over texts of a member', () => {
  const text = (content: string) =>
    celContext({ member: { ...context.member, form_data: { intake: { text: content } } } });
  function fastest(expression: string, content: string): number {
    const times = Array.from({ length: 5 }, () => {
      const own = text(content);
      return processorMs(() => evaluate(expression, own));
    });
    return Math.min(...times);
  }

  it.each([
    ['digits that never become a duration', 'duration(member.form_data.intake.text)', '1'.repeat(4_000)],
    ['digits and points', 'duration(member.form_data.intake.text)', '1.'.repeat(2_000)],
    ['very many parts of a duration', 'duration(member.form_data.intake.text)', '1s'.repeat(2_000)],
    ['a long name of a time zone', 'now.getHours(member.form_data.intake.text)', '+'.repeat(4_000)],
  ])('is evaluated in no time with %s', (_what, expression, content) => {
    expect(checkExpression(expression)).toMatchObject({ ok: true });
    expect(fastest(expression, content)).toBeLessThan(5);
  });

  it('looks at many times in time zones within its budget', () => {
    const many = (zone: string) => `member.labels.exists(l, now.getHours(${zone}) > 24)`;
    const labels = Array.from({ length: 200 }, (_, index) => `Label/${index}`);
    const crowded = () => celContext({ member: { ...context.member, labels } });
    for (const zone of ['"Europe/Paris"', 'l', '"Europe/" + l']) {
      const times = Array.from({ length: 3 }, () => {
        const own = crowded();
        const begun = performance.now();
        evaluate(many(zone), own);
        return performance.now() - begun;
      });
      expect(Math.min(...times)).toBeLessThan(50);
    }
  });

  it('is compiled quickly, whatever it quotes', () => {
    for (const part of ['b"', '"""', "b'''", '\\"', 'b"\\"', '.`', '//b"`\n', "br'"]) {
      expect(processorMs(() => checkExpression(part.repeat(2_000 / part.length)))).toBeLessThan(50);
    }
  });
});
