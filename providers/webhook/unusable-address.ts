export type AddressProblemCode = 'invalid_url' | 'https_required' | 'address_refused' | 'dns_failed';

/** Why nothing is sent to an address. */
export interface AddressProblem {
  code: AddressProblemCode;
  /** A sentence for the person who wrote the address. It does not quote it. */
  detail: string;
}

/** Nothing is sent there. The message is a code: an address may hold a token. */
export class UnusableAddress extends Error {
  override readonly name = 'UnusableAddress';

  constructor(readonly problem: AddressProblem) {
    super(problem.code);
  }
}
