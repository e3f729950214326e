import { describe, expect, it } from 'vitest';
import { countSegments, isGsm } from '../../../../domain/channels/sms/segments.js';
import { smsText } from '../../../../domain/channels/sms/sms-text.js';

const sent: [what: string, written: string, text: string][] = [
  ['curly quotes', 'It’s “fine” and ‘good’', `It's "fine" and 'good'`],
  ['quotes of German', 'Er sagt „ja“ und ‚nein‘', `Er sagt "ja" und 'nein'`],
  ['quotes of French', 'Il dit «\u00a0oui\u00a0»', 'Il dit " oui "'],
  ['dashes', '8–12, or later — call us‑now', '8-12, or later - call us-now'],
  ['an ellipsis', 'Wait…', 'Wait...'],
  ['spaces that do not break', 'At 9\u202f30 on 1\u00a0May', 'At 9 30 on 1 May'],
  ['signs that are not seen', 'appoint\u00adment\u200b', 'appointment'],
  ['letters in two parts', 'Mu\u0308ller, e\u0301t\u00e9', 'Müller, été'],
  ['Finnish', 'Hyvää päivää – tervetuloa', 'Hyvää päivää - tervetuloa'],
  ['Swedish', 'Läkaren på Öland…', 'Läkaren på Öland...'],
  ['the euro', '“5 €”', '"5 €"'],
  ['bullets', '• water\n• bread', '- water\n- bread'],
  ['plain text', 'At 9:00, room 4_b @desk', 'At 9:00, room 4_b @desk'],
  ['spaces and lines as written', '  A\n\n\n  B  ', '  A\n\n\n  B  '],
  // What is not in the alphabet keeps all signs.
  ['Thai', 'นัด 9–10 น. “คลินิก”', 'นัด 9–10 น. “คลินิก”'],
  ['Polish', '“Zażółć” – jaźń…', '“Zażółć” – jaźń…'],
  ['Vietnamese', 'Bệnh viện – 9h', 'Bệnh viện – 9h'],
  ['an emoji', 'See you — 👋', 'See you — 👋'],
  ['a c with a cedilla', 'Ça va – français', 'Ça va – français'],
  ['Russian', '«Да» — нет', '«Да» — нет'],
  // Markdown.
  ['bold', 'Bring **your card** please', 'Bring your card please'],
  ['bold and curly', '**It’s** at *nine*', "It's at nine"],
  ['a link', 'Fill in [the form](https://a.example/f)', 'Fill in the form (https://a.example/f)'],
  ['an address', 'See https://a.example/a_b_c.', 'See https://a.example/a_b_c.'],
  ['an address in brackets', 'See <https://a.example/x>', 'See https://a.example/x'],
  ['a mail address', 'Write to desk@a.example', 'Write to desk@a.example'],
  ['a link of its address', '[https://a.example](https://a.example)', 'https://a.example'],
  ['a list', 'Bring:\n\n- a **card**\n- water', 'Bring:\n\n- a card\n- water'],
  ['stars of a list', '* a\n* b', '- a\n- b'],
  ['a numbered list', '3. Rest.\n4. *Drink.*', '3. Rest.\n4. Drink.'],
  ['a list in a list', '- a\n  - b\n- c', '- a\n  - b\n- c'],
  ['a heading', '# Visit\n\nAt nine', 'Visit\n\nAt nine'],
  ['code', 'Your code: `1234`', 'Your code: 1234'],
  ['struck words', 'At ~~nine~~ ten', 'At nine ten'],
  ['a table', '| Day | Time |\n| --- | --- |\n| Monday | 9 |', 'Day | Time\nMonday | 9'],
  ['an escaped star', '5 \\* 3', '5 * 3'],
  // What only looks like it.
  ['a dose', 'Take 2 * 500 mg and 1 * 500 mg', 'Take 2 * 500 mg and 1 * 500 mg'],
  ['a date', 'Ihr Termin ist am\n12. November um 9 Uhr', 'Ihr Termin ist am\n12. November um 9 Uhr'],
  ['a reading', '>180 in the morning', '>180 in the morning'],
  ['Thai in bold', '**นัด** 9–10', 'นัด 9–10'],
];

describe('a message by SMS', () => {
  it.each(sent)('%s', (_what, written, text) => {
    expect(smsText(written)).toBe(text);
    expect(countSegments(text)).toBeLessThanOrEqual(countSegments(written));
    expect(smsText(text)).toBe(text);
  });

  it('of 141 characters with one curly quote is one SMS instead of three', () => {
    const text = `It’s ${'x'.repeat(136)}`;
    expect([text.length, countSegments(text), countSegments(smsText(text))]).toEqual([141, 3, 1]);
    expect(isGsm(smsText(text))).toBe(true);
  });
});
