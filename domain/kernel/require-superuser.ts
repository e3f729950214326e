import { Forbidden } from '../lib/errors.js';
import type { AccountContext } from './account-context.js';

/**
 * What goes beyond any workspace is for superusers, and only while they are there in person: no key carries it.
 *
 * @throws Forbidden
 */
export function requireSuperuser({ account, credential }: AccountContext): void {
  if (!account.isSuperuser || credential.kind !== 'session') {
    throw new Forbidden('superuser', 'This is for superusers who are signed in.', 'superuser_required');
  }
}
