import { Unauthenticated } from '../../domain/lib/errors.js';

export interface CarrierVerifier {
  verifySignature(request: { signature: string; url: string; params: Record<string, string> }): boolean;
}

/** Whether the text has the form of an HMAC-SHA1 in base64. If it does not, the request's body is not read. */
export function isWellFormedSignature(signature: string | string[] | undefined): signature is string {
  return typeof signature === 'string' && /^[A-Za-z0-9+/]{27}=$/.test(signature);
}

/** Verifies the carrier's signature of the URL and all form fields. @throws Unauthenticated, also without a carrier */
export function checkCarrierSignature(
  carrier: CarrierVerifier | undefined,
  request: { signature: string | string[] | undefined; url: string; params: Record<string, string> },
): void {
  const { signature, ...covered } = request;
  if (isWellFormedSignature(signature) && carrier?.verifySignature({ signature, ...covered })) return;
  throw new Unauthenticated('The request is not signed by the carrier.', 'invalid_signature');
}
