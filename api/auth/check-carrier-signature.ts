import { Unauthenticated } from '../../domain/errors.js';

/** The part of the carrier that knows its signatures. */
export interface CarrierVerifier {
  verifySignature(request: { signature: string; url: string; params: Record<string, string> }): boolean;
}

/**
 * The carrier signs the address it called and all form fields.
 * https://www.twilio.com/docs/usage/security#validating-requests
 *
 * @throws Unauthenticated when the signature is missing or wrong, or no carrier is configured
 */
export function checkCarrierSignature(
  carrier: CarrierVerifier | undefined,
  request: { signature: string | string[] | undefined; url: string; params: Record<string, string> },
): void {
  const { signature, url, params } = request;
  if (carrier === undefined || typeof signature !== 'string') throw refused();
  if (!carrier.verifySignature({ signature, url, params })) throw refused();
}

function refused(): Unauthenticated {
  return new Unauthenticated('The request is not signed by the carrier.', 'invalid_signature');
}
