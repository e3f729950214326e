import { ProviderFailure } from '../failures.js';
import { CarrierRefused, CarrierUnusable } from './carrier.js';

/** Errors of the request client pass. Any other error of the package means that it could not read the response. */
export function typed(error: unknown, Unreadable: new (code: string) => Error): Error {
  return error instanceof ProviderFailure ? error : new Unreadable('unreadable_answer');
}

/** For a request that was not about a single message or call: "not found" refers to the account. */
export function rethrowing(Unreadable: new (code: string) => Error): (error: unknown) => never {
  return (error) => {
    if (isMissing(error)) throw new CarrierUnusable(error.code);
    throw typed(error, Unreadable);
  };
}

/** Whether the carrier does not have the message or call that a request was about. */
export function isMissing(error: unknown): error is CarrierRefused {
  return error instanceof CarrierRefused && error.status === 404;
}
