import { Forbidden } from '../../lib/errors.js';
import type { SessionsContext } from './sessions-context.js';

/** Allows only people to end sessions: a stolen API key must not sign its owner out. @throws Forbidden */
export function refuseApiKey({ credential }: Pick<SessionsContext, 'credential'>): void {
  if (credential.kind !== 'api_key') return;
  throw new Forbidden('a session', 'Ending a session requires a session.', 'session_required');
}
