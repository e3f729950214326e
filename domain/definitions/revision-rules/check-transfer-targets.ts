import {
  classifyPhoneNumber,
  countriesOf,
  refusalOfDestination,
} from '../../channels/phone-numbers/phone-destination.js';
import type { ForwardCallConfig } from '../../kernel/ability-configs.js';
import type { Finding } from './findings.js';

/** Where calls of the workspace may be transferred. */
export interface TransferTerms {
  /** ISO 3166 alpha-2: those that are called, else those of the numbers that have calls; undefined: no number has calls yet. */
  countries: readonly string[] | undefined;
  /** The numbers of this installation, of those that abilities name. */
  numbersOfService: readonly string[];
}

const why = {
  premium_number: 'is of a kind that costs more than other numbers, and no call is transferred there',
  country_not_allowed: 'is in no country that the workspace calls (callCountries)',
} as const;

/** What the safety gate would refuse when a call is transferred. */
export function checkTransferTargets(
  { targets }: ForwardCallConfig,
  { countries, numbersOfService }: TransferTerms,
  pointer: string,
): Finding[] {
  return targets.flatMap(({ phoneNumber }, index): Finding[] => {
    const at = `${pointer}/targets/${index}/phoneNumber`;
    if (classifyPhoneNumber(phoneNumber) === undefined) {
      return [{ pointer: at, message: 'is no phone number that can be called' }];
    }
    if (numbersOfService.includes(phoneNumber)) {
      return [
        { pointer: at, message: 'is a number of this service, whose agent would talk with another agent' },
      ];
    }
    const refused = refusalOfDestination(phoneNumber, countries ?? countriesOf([phoneNumber]));
    return refused === undefined ? [] : [{ pointer: at, message: why[refused] }];
  });
}
