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
])('%j is no phone number', (text) => {
  expect(normalizePhone(text, 'US')).toBeNull();
});

it.each([
  ['(202) 555-0123', 'US', '+12025550123'],
  [' +1 202.555.0123 ', 'GB', '+12025550123'],
  ['07700 900123', 'gb', '+447700900123'],
  ['+44 7700 900123', 'nowhere', '+447700900123'],
  ['+15550001111', 'US', '+15550001111'],
])('%j in %s is %s', (text, region, number) => {
  expect(normalizePhone(text, region)).toBe(number);
});

it('needs a country code where the region is unknown', () => {
  expect(normalizePhone('202 555 0123', 'nowhere')).toBeNull();
});
