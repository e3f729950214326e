import { refuseApiKey } from './refuse-api-key.js';
import type { SessionsContext } from './sessions-context.js';

/** Ends all sessions of the caller except the current one. @throws Forbidden */
export async function endOtherSessions(context: SessionsContext): Promise<void> {
  refuseApiKey(context);
  const { db, clock, owner, currentSessionId } = context;
  const except = currentSessionId === null ? {} : { except: currentSessionId };
  await db.identity.sessions.endAll(owner, clock.now(), except);
}
