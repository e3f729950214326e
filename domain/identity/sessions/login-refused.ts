import { Unauthenticated } from '../../lib/errors.js';

/** What is answered to whatever is not right. */
export function loginRefused(): Unauthenticated {
  return new Unauthenticated('The code or token is wrong, used or no longer valid.', 'login_refused');
}
