import { describe, expect, it } from 'vitest';
import { compileIn } from '../../../../domain/lib/cel/compile.js';
import { environment } from '../../../../domain/lib/cel/environment.js';

describe('an expression that cannot be read', () => {
  it.each([
    ['member.labels contains "vip"', 14, 'Unexpected contains; write text.contains("…"), or "…" in list'],
    ['member.name == "x" and member.id == 1', 19, 'Unexpected and; write &&'],
    ['member.name == "x" OR member.id == 1', 19, 'Unexpected OR; write ||'],
    ['member.name == "x" and', 19, 'Unexpected and; write &&'],
    ['member.name == "x" & true', 19, 'Unexpected &; write &&'],
    ['member.name = "x"', 12, 'Unexpected =; write =='],
    ['member.name === "x"', 12, 'Unexpected ===; write =='],
    ['member.name <> "x"', 12, 'Unexpected <>; write !='],
    ['member.name is null', 12, 'Unexpected is; write =='],
    ['member.id ≥ 2', 10, 'Unexpected ≥; write >='],
    ['member.name == “x”', 15, 'Unexpected “; write straight quotes, "…"'],
    ['not member.paused', 0, 'Unexpected not; write !(…)'],
    ['"vip" not in member.labels', 6, 'Unexpected not; write !(…)'],
    ['if (member.id == 1) "a"', 0, 'Unexpected if; write condition ? one : other'],
    ['member.name ?? "x"', 12, 'Unexpected ??; write has(value) ? value : other'],
    ['$member.name', 0, 'Unexpected $'],
    ['member.id == 1)', 14, 'Unexpected )'],
    ['(member.id == 1', 15, '")" is missing'],
    ['member.id == 1 &&', 17, 'The expression ends too early'],
    ['{{ member.name }}', 15, 'An expression stands without {{ and }}'],
    ["member.name == 'x", 15, 'Unterminated string'],
    ['member.name == None', 15, 'Unknown variable: None; write null'],
    ['membr.name == "x"', 0, 'Unknown variable: membr; did you mean "member"?'],
    [
      'patient.name == "x"',
      0,
      'Unknown variable: patient; known: member, assignment, chat, tasks, call, now',
    ],
    ['upper(member.name) == "X"', 0, 'There is no function upper; write text.upperAscii()'],
    ['member.name.toUpperCase() == "X"', 12, 'There is no function toUpperCase; write text.upperAscii()'],
    ['member.labels.length() > 1', 14, 'There is no function length; write size(text)'],
    ['member.name.startWith("x")', 12, 'There is no function startWith; did you mean "startsWith"?'],
    ['now() > assignment.created_at', 0, 'There is no function now; write now, without ()'],
    ['contains(member.name, "x")', 0, 'contains(value, text) does not exist; there is text.contains(text)'],
    ['1 % "x" == 1', 0, '% cannot be used between int and text'],
  ])('says what was meant: %s', (text, position, message) => {
    expect(compileIn(environment, text)).toEqual({ ok: false, position, message });
  });

  it.each(['bind', 'none', 'base64'])('does not offer what values from JSON cannot use: %s', (name) => {
    const refused = compileIn(environment, `member.name.${name}s() == 1`);
    expect(refused).toMatchObject({ ok: false, message: expect.not.stringContaining('did you mean') });
  });
});
