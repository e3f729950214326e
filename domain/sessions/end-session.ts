import { NotFound } from '../errors.js';
import type { SessionsContext } from './sessions-context.js';

/** Ends one of the caller's sessions. @throws NotFound when there is no such, or it has ended */
export async function endSession({ db, clock, owner }: SessionsContext, uuid: string): Promise<void> {
  if (!(await db.identity.sessions.end(owner, uuid, clock.now()))) throw new NotFound('Session');
}
