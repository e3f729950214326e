import { Forbidden } from '../lib/errors.js';
import type { AccountContext } from './account-context.js';

/**
 * Requires a superuser who is signed in. Operations outside of any single workspace are not available to API keys.
 *
 * @throws Forbidden
 */
export function requireSuperuser({ account, credential }: AccountContext): void {
  if (!account.isSuperuser || credential.kind !== 'session') {
    throw new Forbidden('superuser', 'This requires the session of a superuser.', 'superuser_required');
  }
}
