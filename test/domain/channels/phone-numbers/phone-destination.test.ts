import { expect, it } from 'vitest';
import {
  classifyPhoneNumber,
  countriesOf,
  refusalOfDestination,
} from '../../../../domain/channels/phone-numbers/phone-destination.js';

const home = ['US', 'GB', 'DE'];

it.each([
  ['a premium number', '+19005551234'],
  ['a premium number that is not in the tables', '+19000000000'],
  ['a premium exchange of an area', '+12129765551'],
  ['a premium number of another plan', '+449012345678'],
  ['a number between premium numbers', '+449212345678'],
  ['a shared-cost number', '+448701234567'],
  ['a premium number with more digits than it has', '+49900123456789'],
  ['a personal number', '+447012345678'],
  ['a satellite', '+881612345678'],
  ['an international network', '+882161234567'],
  ['another international network', '+8835100123456'],
  ['a ship', '+870773123456'],
  ['an international premium number', '+979123456789'],
])('%s costs more: %s', (_, phone) => {
  expect(refusalOfDestination(phone, home)).toBe('premium_number');
});

it.each([
  ['another country', '+25221234567'],
  ['a country whose calls are dear', '+5352123456'],
  ['Jamaica, with the calling code of the United States', '+18765551234'],
  ['Jamaica, by a number that is not in the tables', '+18760001234'],
  ['the Dominican Republic', '+18095551234'],
  ['Canada, by a number that is not in the tables', '+14160000100'],
  ['a number with an extension', '+12025550123;ext=5'],
  ['an address of SIP', 'sip:desk@voip.example'],
  ['a short code', '72975'],
  ['a number that is too short', '+1900'],
  ['no number', 'front desk'],
])('%s is in no country of the list: %s', (_, phone) => {
  expect(refusalOfDestination(phone, home)).toBe('country_not_allowed');
});

it.each(['+12025550123', '+15550100100', '+18005551234', '+442079460123', '+447700900123', '+493012345'])(
  '%s is in a country of the list',
  (phone) => {
    expect(refusalOfDestination(phone, home)).toBeUndefined();
  },
);

it('takes a number of the North American plan that no table has for one of the country of its area code', () => {
  expect(classifyPhoneNumber('+18760001234')).toMatchObject({ country: 'JM' });
  expect(classifyPhoneNumber('+14160000100')).toMatchObject({ country: 'CA' });
  expect(classifyPhoneNumber('+15550100100')).toMatchObject({ country: 'US' });
});

it('names each country of numbers once, and all with the calling code where the plan says nothing', () => {
  expect(countriesOf(['+15550100100', '+12025550123', 'nothing'])).toEqual(['US']);
  expect(countriesOf(['+447700900123'])).toEqual(['GB', 'GG', 'IM', 'JE']);
});
