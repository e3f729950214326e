import { Unauthenticated } from '../../domain/lib/errors.js';

/** The part of the carrier that knows its signatures. */
export interface CarrierVerifier {
  verifySignature(request: { signature: string; url: string; params: Record<string, string> }): boolean;
}

/** An HMAC-SHA1 in base64. */
const signatureForm = /^[A-Za-z0-9+/]{27}=$/;

/** Whether this can be a signature at all: for what cannot, nothing of the request is read. */
export function isWellFormedSignature(signature: string | string[] | undefined): signature is string {
  return typeof signature === 'string' && signatureForm.test(signature);
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
  if (carrier === undefined || !isWellFormedSignature(signature)) throw refused();
  if (!carrier.verifySignature({ signature, url, params })) throw refused();
}

function refused(): Unauthenticated {
  return new Unauthenticated('The request is not signed by the carrier.', 'invalid_signature');
}
