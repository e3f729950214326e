import { expect, it } from 'vitest';
import { normalizePhone } from '../../../domain/lib/phone.js';

it.each([
  '',
  'call me',
  '123',
  '555-0123',
  '1-800-EXAMPLE',
  '+12025550123 ext 4',
  '+12025550123;ext=4',
  'tel:+12025550123',
  '+999123456789',
  `+1${'2'.repeat(60)}`,
])('normalizePhone rejects %j', (text) => {
  expect(normalizePhone(text, 'US')).toBeNull();
});

it.each([
  ['(202) 555-0123', 'US', '+12025550123'],
  [' +1 202.555.0123 ', 'GB', '+12025550123'],
  ['07700 900123', 'gb', '+447700900123'],
  ['+44 7700 900123', 'nowhere', '+447700900123'],
  ['+15550001111', 'US', '+15550001111'],
])('normalizePhone turns %j in %s into %s', (text, region, number) => {
  expect(normalizePhone(text, region)).toBe(number);
});

it('normalizePhone requires a country code when the region is unknown', () => {
  expect(normalizePhone('202 555 0123', 'nowhere')).toBeNull();
});
