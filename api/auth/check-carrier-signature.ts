import { Unauthenticated } from '../../domain/lib/errors.js';

export interface CarrierVerifier {
  verifySignature(request: { signature: string; url: string; params: Record<string, string> }): boolean;
}

/** An HMAC-SHA1 in base64. */
const signatureForm = /^[A-Za-z0-9+/]{27}=$/;

/** Whether the text has the form of a signature. If it does not, the request's body is not read. */
export function isWellFormedSignature(signature: string | string[] | undefined): signature is string {
  return typeof signature === 'string' && signatureForm.test(signature);
}

/**
 * Verifies the carrier's signature, which covers the URL and all form fields
 * (https://www.twilio.com/docs/usage/security#validating-requests).
 * @throws Unauthenticated, also if no carrier is configured
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
