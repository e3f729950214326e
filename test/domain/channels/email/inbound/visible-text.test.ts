import { describe, expect, it } from 'vitest';
import { visibleText } from '../../../../../domain/channels/email/inbound/visible-text.js';
import { processorMs } from '../../../../support/lib/processor-ms.js';

describe('what a person has written', () => {
  it.each([
    [
      'an English program',
      'On Friday, please.\n\nOn Mon, Nov 2, 2026 at 9:00 AM Clinic <desk@clinic.example> wrote:\n> When can you come?\n',
    ],
    [
      'a German one',
      'On Friday, please.\n\nAm Mo., 2. Nov. 2026 um 09:00 Uhr schrieb Clinic <desk@clinic.example>:\n> When can you come?\n',
    ],
    [
      'a Spanish one',
      'On Friday, please.\n\nEl lun, 2 nov 2026 a las 9:00, Clinic (<desk@clinic.example>) escribió:\n> When can you come?\n',
    ],
    [
      'Outlook',
      'On Friday, please.\n\nFrom: Clinic <desk@clinic.example>\nSent: Monday, November 2, 2026 9:00 AM\nTo: Ana <ana@example.org>\nSubject: Appointment\n\nWhen can you come?\n',
    ],
    ['an answer below the quotation', '> When can you come?\n\nOn Friday, please.\n'],
  ])('is parted from what %s quotes', (_what, text) => {
    expect(visibleText(text)).toEqual({ visible: 'On Friday, please.', whole: text.trim() });
  });

  it('is the whole if nothing is quoted', () => {
    expect(visibleText(' Hello.\n\nOn Friday? \n')).toEqual({ visible: 'Hello.\n\nOn Friday?', whole: null });
    expect(visibleText('')).toEqual({ visible: '', whole: null });
  });

  it('is the whole if answers stand between the lines, which would lose their questions', () => {
    const text = '> Can you come on Friday?\n\nYes.\n\n> At nine?\n\nNo, at ten.';
    expect(visibleText(text)).toEqual({ visible: text, whole: null });
  });

  it('is the whole if all of it is quoted', () => {
    const text = '> Can you come on Friday?\n> At nine?';
    expect(visibleText(text)).toEqual({ visible: text, whole: null });
  });

  it.each([
    ['quotation marks', '> '.repeat(12_500)],
    ['quoted lines', '>\n'.repeat(12_500)],
    ['lines', 'On \n'.repeat(6_250)],
    ['one word', 'a'.repeat(25_000)],
    ['beginnings of quotations', 'On Monday '.repeat(2_500)],
  ])('is found soon in 25 kB of %s, and not looked for in more', (_what, text) => {
    const time = processorMs(() => {
      visibleText(text);
      expect(visibleText(text.repeat(10))).toEqual({ visible: text.repeat(10).trim(), whole: null });
    });
    expect(time).toBeLessThan(5_000);
  });
});
