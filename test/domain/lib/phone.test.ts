import examples from 'libphonenumber-js/examples.mobile.json';
import {
  type CountryCode,
  getCountries,
  getCountryCallingCode,
  type PhoneNumber,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/max';
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
  'tel:+12025550123;ext=4',
  'tel:5550123;phone-context=+1202',
  'tel:',
  'tel:%zz',
  '+1202555012³',
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
  ['1 555 000 1111', 'US', '+15550001111'],
  ['+49 (0) 30 123456', 'US', '+4930123456'],
  ['+39 (0)6 12345678', 'DE', '+390612345678'],
  ['0049 30 123456', 'DE', '+4930123456'],
  ['011 49 30 123456', 'US', '+4930123456'],
  ['040 123 4567', 'FI', '+358401234567'],
  ['081-234-5678', 'TH', '+66812345678'],
  ['+52 1 55 5783 6394', 'MX', '+525557836394'],
])('normalizePhone turns %j in %s into %s', (text, region, number) => {
  expect(normalizePhone(text, region)).toBe(number);
});

it.each([
  ['a contact, in an embedding', '\u202a+49 30 123456\u202c'],
  ['a contact, in an override', '\u202d+49 30 123456\u202e'],
  ['a chat, in an isolate', '\u2066+49 30 123456\u2069'],
  ['a text from left to right', '\u200e+49\u200f30123456\u061c'],
  ['a page with word joiners', '+49\u206030\u2060123456'],
  ['a file with a byte order mark', '\ufeff+49 30 123456'],
  ['a chat with variation selectors', '+49\ufe0e30123456\ufe0f'],
  ['a page with soft hyphens', '+49\u00ad30\u00ad123456'],
  ['a page with zero-width spaces', '+49\u200b30\u200b123456'],
  ['a document with hyphens', '+49\u201030\u2011123456'],
  ['a document with dashes', '+49\u201230\u2013123\u2014456'],
  ['a document with bars and minus signs', '+49\u201530\u2212123456'],
  ['no-break spaces', '+49\u00a030\u202f123456'],
  ['thin spaces', '+49\u200930\u200a123\u3000456'],
  ['full width', '＋４９（３０）１２３－４５６'],
  ['middle dots', '+49 · 30 · 123456'],
  ['Arabic digits', '+٤٩ ٣٠ ١٢٣٤٥٦'],
  ['Persian digits', '+۴۹ ۳۰ ۱۲۳۴۵۶'],
  ['Devanagari digits', '+४९ ३० १२३४५६'],
  ['Bengali digits', '+৪৯ ৩০ ১২৩৪৫৬'],
  ['Thai digits', '+๔๙ ๓๐ ๑๒๓๔๕๖'],
  ['Burmese digits', '+၄၉ ၃၀ ၁၂၃၄၅၆'],
  ['mathematical digits', '+𝟒𝟗 𝟛𝟘 𝟣𝟤𝟥𝟦𝟧𝟨'],
  ['keycaps', '+4\ufe0f\u20e39\ufe0f\u20e3 30 123456'],
  ['a link', 'tel:+49-30-123456'],
  ['a link in capitals', 'TEL:+49(30)123456'],
  ['an escaped link', 'tel:%2B49%2030%20123456'],
  ['a link with slashes', 'tel://+4930123456'],
])('normalizePhone reads a number from %s', (_source, text) => {
  expect(normalizePhone(text, 'US')).toBe('+4930123456');
});

it.each([
  ['a mobile number without its plus, which is a valid number of a landline as well', '4915112345678', 'DE'],
  ['a shorter one', '491771234567', 'DE'],
  ['the code without its plus after a zero', '049 151 12345678', 'DE'],
  ['a short number', '116117', 'DE'],
  ['an emergency number', '112', 'FI'],
  ['a short number of a country without area codes', '116117', 'PL'],
  ['an international prefix of elsewhere', '004915112345678', 'JP'],
  ['an international prefix of elsewhere, in another plan', '004915112345678', 'US'],
  ['a number that the plan does not know', '5550001111', 'US'],
  ['letters on keys', '86282452253', 'US'],
])('normalizePhone rejects %s', (_kind, text, region) => {
  expect(normalizePhone(text, region)).toBeNull();
});

it('normalizePhone requires a country code when the region is unknown', () => {
  expect(normalizePhone('202 555 0123', 'nowhere')).toBeNull();
});

it.each(getCountries())(
  'normalizePhone never makes another number of one of %s without its plus',
  (region) => {
    const code = getCountryCallingCode(region);
    const numbers = validNumbersOf(region);
    const example = examples[region];
    expect(normalizePhone(example, region)).toBe(`+${code}${example}`);
    for (const number of numbers) {
      const written = {
        'the code and no plus': `${code}${number.nationalNumber}`,
        'the national number alone': number.nationalNumber,
        'as people of the country write it': number.formatNational(),
        'as others write it': number.formatInternational(),
        'with another prefix': `00${code}${number.nationalNumber}`,
      };
      for (const [way, text] of Object.entries(written))
        expect([number.number, null], `${text}: ${way}`).toContain(normalizePhone(text, region));
      expect(normalizePhone(number.formatInternational(), region)).toBe(number.number);
    }
  },
);

it('normalizePhone reads nine of ten valid numbers of all countries with their code and no plus', () => {
  const all = getCountries().flatMap((region) =>
    validNumbersOf(region).map((number) => ({ region, number })),
  );
  const read = all.filter(
    ({ region, number }) => normalizePhone(number.number.slice(1), region) === number.number,
  );
  expect(all.length).toBeGreaterThan(2_500);
  expect(read.length / all.length).toBeGreaterThan(0.9);
});

/** The example of the country, and numbers that differ from it in some of its last digits, where the plan knows them. */
function validNumbersOf(region: CountryCode): PhoneNumber[] {
  const code = getCountryCallingCode(region);
  const numbers = new Map<string, PhoneNumber>();
  let seed = 7;
  const digit = () => {
    seed = (seed * 16_807) % 2_147_483_647;
    return seed % 10;
  };
  for (let tries = 0; tries < 200 && numbers.size < 20; tries += 1) {
    const kept = (examples[region] as string).slice(0, tries % 6);
    const rest = Array.from(
      { length: Math.max(0, (examples[region] as string).length - kept.length + (tries % 3) - 1) },
      digit,
    );
    const parsed = parsePhoneNumberFromString(
      `+${code}${tries === 0 ? examples[region] : `${kept}${rest.join('')}`}`,
    );
    if (parsed?.isValid() && isStable(parsed, region)) numbers.set(parsed.number, parsed);
  }
  return [...numbers.values()];
}

/** The library reads a few numbers of doubled prefixes, once written, as others. */
function isStable(number: PhoneNumber, region: CountryCode): boolean {
  const written = [number.number, number.formatNational()];
  return written.every((text) => parsePhoneNumberFromString(text, region)?.number === number.number);
}
