export type AddressProblemCode = 'invalid_url' | 'https_required' | 'address_refused' | 'dns_failed';

/** The reason why nothing is sent to an address. */
export interface AddressProblem {
  code: AddressProblemCode;
  /** A sentence for the person who entered the address. It does not quote the address. */
  detail: string;
}

/** Nothing is sent to this address. The message is a code, because an address may contain a token. */
export class UnusableAddress extends Error {
  override readonly name = 'UnusableAddress';

  constructor(readonly problem: AddressProblem) {
    super(problem.code);
  }
}
