import { type CountryCode, getCountries, getCountryCallingCode, isSupportedCountry } from 'libphonenumber-js';
import { type NumberType, type PhoneNumber, parsePhoneNumberFromString } from 'libphonenumber-js/max';

/** Where a number is, by the plans of the countries. */
export interface PhoneDestination {
  /** ISO 3166 alpha-2; absent: the plan does not say which of those with the calling code. */
  country?: string;
  callingCode: string;
  /** Absent: the plan does not say. */
  type?: NumberType;
  /** Whether it costs more than others of its country, or belongs to no country. */
  isPremiumRate: boolean;
}

export type PlaceRefusal = 'country_not_allowed' | 'premium_number';

/** E.164 and nothing else: no extension, no address of SIP, no short code. */
const e164 = /^\+[1-9]\d{6,14}$/;
const dearTypes: ReadonlySet<NumberType | undefined> = new Set<NumberType>([
  'PREMIUM_RATE',
  'SHARED_COST',
  'PERSONAL_NUMBER',
  'PAGER',
]);
/** International services and satellite networks, whose calling codes belong to no country. */
const sharedCodes = new Set(['808', '870', '878', '881', '882', '883', '888', '979']);
const northAmerica = '1';

/** Undefined: it can be no number, so nothing is sent there. */
export function classifyPhoneNumber(phone: string): PhoneDestination | undefined {
  if (!e164.test(phone)) return undefined;
  const number = parsePhoneNumberFromString(phone);
  if (number === undefined || !number.isPossible()) return undefined;
  const { countryCallingCode: callingCode } = number;
  if (sharedCodes.has(callingCode)) return { callingCode, isPremiumRate: true };
  const type = number.getType();
  const near = type === undefined ? nearestTo(number) : [number];
  const country = number.country ?? (callingCode === northAmerica ? (near[0]?.country ?? 'US') : undefined);
  const isPremiumRate = near.length > 0 && near.every(isDearType);
  return {
    callingCode,
    isPremiumRate: isPremiumRate || (type === undefined && beginsDear(number)) || isPremiumExchange(number),
    ...(country === undefined ? {} : { country }),
    ...(type === undefined ? {} : { type }),
  };
}

function isDearType(number: PhoneNumber): boolean {
  return dearTypes.has(number.getType());
}

/** Networks pass over digits behind a whole number. */
function beginsDear({ countryCallingCode, nationalNumber }: PhoneNumber): boolean {
  return [1, 2, 3, 4, 5, 6].some((more) => {
    const begin = parsePhoneNumberFromString(`+${countryCallingCode}${nationalNumber.slice(0, -more)}`);
    return begin !== undefined && isDearType(begin);
  });
}

/** In any area of the North American plan, which tables do not tell. */
function isPremiumExchange({ countryCallingCode, nationalNumber }: PhoneNumber): boolean {
  return countryCallingCode === northAmerica && /^(?:700|900|...976)/.test(nationalNumber);
}

const fillings = ['0000000000000', '2345678901234'];

/**
 * The numbers in the plan that begin as one does of which the plan says nothing, as far as any does: a range that is not in the
 * tables costs what its neighbours cost. In North America an area code is in one country, and further digits tell nothing.
 */
function nearestTo({ countryCallingCode, nationalNumber }: PhoneNumber): PhoneNumber[] {
  const isNorthAmerican = countryCallingCode === northAmerica;
  const [max, min] = isNorthAmerican ? [3, 3] : [nationalNumber.length - 1, 1];
  for (let length = max; length >= min; length -= 1) {
    const found = neighbours(countryCallingCode, nationalNumber, length);
    if (found.length > 0) return found;
  }
  return [];
}

function neighbours(callingCode: string, national: string, sameDigits: number): PhoneNumber[] {
  const begin = `+${callingCode}${national.slice(0, sameDigits)}`;
  const rest = national.length - sameDigits - 1;
  return [...'0123456789'].flatMap((digit) =>
    fillings.flatMap((filling) => {
      const number = parsePhoneNumberFromString(`${begin}${digit}${filling.slice(0, rest)}`);
      return number?.getType() === undefined ? [] : [number];
    }),
  );
}

/** @param countries ISO 3166 alpha-2 */
export function refusalOfDestination(to: string, countries: readonly string[]): PlaceRefusal | undefined {
  const destination = classifyPhoneNumber(to);
  if (destination === undefined) return 'country_not_allowed';
  const { country, callingCode, isPremiumRate } = destination;
  if (isPremiumRate) return 'premium_number';
  const isAllowed =
    country === undefined
      ? countries.some((one) => codeOf(one) === callingCode)
      : countries.includes(country);
  return isAllowed ? undefined : 'country_not_allowed';
}

/** The countries that numbers are in: all with the calling code, where the plan does not say. */
export function countriesOf(phones: readonly string[]): string[] {
  const found = phones.flatMap((phone) => {
    const destination = classifyPhoneNumber(phone);
    if (destination === undefined) return [];
    const { country, callingCode } = destination;
    return country ?? getCountries().filter((one) => codeOf(one) === callingCode);
  });
  return [...new Set(found)];
}

function codeOf(country: string): string | undefined {
  return isSupportedCountry(country) ? getCountryCallingCode(country as CountryCode) : undefined;
}
