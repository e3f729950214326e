import { describe, expect, it } from 'vitest';
import type { BusinessHours } from '../../../db/identity/models/workspace.js';
import { isWithinBusinessHours } from '../../../domain/channels/business-hours/business-hours.js';
import { checkBusinessHours } from '../../../domain/channels/business-hours/check-business-hours.js';
import { defaultClosedText, textInLocale } from '../../../domain/channels/business-hours/closed-texts.js';
import { checkPlaceholders, fillPlaceholders } from '../../../domain/channels/business-hours/placeholders.js';
import { weekdays } from '../../../domain/channels/outreach/quiet-hours.js';

const week = weekdays.slice(0, 5);
const hours: Pick<BusinessHours, 'windows' | 'closedDates'> = {
  windows: [
    { days: week, from: '08:00', to: '12:00' },
    { days: week, from: '13:30', to: '17:00' },
    { days: ['saturday'], from: '22:00', to: '02:00' },
  ],
  closedDates: ['2030-07-04', '2030-07-06'],
};
const isOpen = (moment: string, timezone = 'America/New_York') =>
  isWithinBusinessHours(new Date(moment), hours, timezone);

describe('business hours', () => {
  it.each([
    ['at their beginning', '2030-07-01T08:00:00-04:00', true],
    ['before it', '2030-07-01T07:59:59.999-04:00', false],
    ['at their end', '2030-07-01T12:00:00-04:00', false],
    ['between two windows', '2030-07-01T12:30:00-04:00', false],
    ['in the second window', '2030-07-01T13:30:00-04:00', true],
    ['on another day', '2030-07-07T09:00:00-04:00', false],
    ['in a night that began on their day', '2030-07-14T01:59:00-04:00', true],
    ['at the end of that night', '2030-07-14T02:00:00-04:00', false],
    ['in the same hour of another night', '2030-07-13T01:00:00-04:00', false],
    ['on a closed date', '2030-07-04T09:00:00-04:00', false],
    ['in the night after a closed date', '2030-07-07T01:00:00-04:00', false],
  ])('%s', (_when, moment, expected) => {
    expect(isOpen(moment)).toBe(expected);
  });

  it('are by the clock of the time zone', () => {
    expect(isOpen('2030-07-01T09:00:00Z', 'Europe/London')).toBe(true);
    expect(isOpen('2030-07-01T09:00:00Z', 'America/New_York')).toBe(false);
  });

  it('last all day where a window ends when it begins, and never without windows', () => {
    const always = { windows: [{ days: [...weekdays], from: '00:00', to: '00:00' }], closedDates: [] };
    for (const time of ['00:00:00', '12:00:00', '23:59:59']) {
      expect(isWithinBusinessHours(new Date(`2030-07-01T${time}Z`), always, 'UTC')).toBe(true);
    }
    expect(isWithinBusinessHours(new Date(), { windows: [], closedDates: [] }, 'UTC')).toBe(false);
  });

  it('are stored with defaults, and their dates in order, each once', () => {
    const closedDates = ['2030-12-26', '2030-12-25', '2030-12-26'];
    expect(checkBusinessHours({ windows: [{ from: '08:00', to: '17:00' }], closedDates })).toEqual({
      windows: [{ days: [...weekdays], from: '08:00', to: '17:00' }],
      closedDates: ['2030-12-25', '2030-12-26'],
      outside: 'closed',
      closedText: null,
    });
  });

  it.each(['2030-02-30', '2030-13-01', '2030-1-01'])('have no date like %s', (date) => {
    expect(() => checkBusinessHours({ windows: [], closedDates: [date] })).toThrow(
      expect.objectContaining({
        errors: [expect.objectContaining({ pointer: '/businessHours/closedDates/0' })],
      }),
    );
  });
});

describe('what callers are told outside of business hours', () => {
  it('is in the language of the locale, or in English', () => {
    expect(defaultClosedText('de-AT')).toMatchObject({
      language: 'de-DE',
      text: expect.stringContaining('geschlossen'),
    });
    expect(defaultClosedText('ja')).toEqual(defaultClosedText('en-GB'));
  });

  it('is the given text, without a language that the carrier may not have', () => {
    expect(textInLocale('Fermé.', 'fr')).toEqual({ text: 'Fermé.', language: 'fr-FR' });
    expect(textInLocale('休業中です。', 'ja')).toEqual({ text: '休業中です。' });
  });
});

describe('placeholders of texts that every caller hears', () => {
  const names = { 'workspace.name': 'Clinic', 'phone_number.name': 'Front {{ desk }}' };

  it('are filled with names of the workspace, which are not read again', () => {
    const text = 'This is {{workspace.name}}, {{ phone_number.name }}.';
    expect(() => checkPlaceholders(text, '/greeting')).not.toThrow();
    expect(fillPlaceholders(text, names)).toBe('This is Clinic, Front {{ desk }}.');
  });

  it.each([
    '{{ member.name }}',
    '{{ member.form_data.intake.birth_date }}',
    '{{ workspace.name',
    'workspace.name }}',
    '{{ toString }}',
    '{{ workspace.name + member.name }}',
    '{{}}',
  ])('are nothing of a member, and no expression: %s', (text) => {
    expect(() => checkPlaceholders(`Hello ${text}`, '/greeting')).toThrow(
      expect.objectContaining({ errors: [expect.objectContaining({ pointer: '/greeting' })] }),
    );
  });
});
