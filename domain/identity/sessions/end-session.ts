import { NotFound } from '../../lib/errors.js';
import { refuseApiKey } from './refuse-api-key.js';
import type { SessionsContext } from './sessions-context.js';

/** Ends a session of the caller. @throws Forbidden, NotFound if it does not exist or has ended */
export async function endSession(context: SessionsContext, uuid: string): Promise<void> {
  refuseApiKey(context);
  const { db, clock, owner } = context;
  if (!(await db.identity.sessions.end(owner, uuid, clock.now()))) throw new NotFound('Session');
}
