import { Unauthenticated } from '../../lib/errors.js';

/** The error for every failed sign-in, which does not reveal the reason. */
export function loginRefused(): Unauthenticated {
  return new Unauthenticated('The code or token is wrong, used or no longer valid.', 'login_refused');
}
