import { refuseApiKey } from './refuse-api-key.js';
import type { SessionsContext } from './sessions-context.js';

/** Ends all of the caller's sessions but the one it came with. @throws Forbidden */
export async function endOtherSessions(context: SessionsContext): Promise<void> {
  refuseApiKey(context);
  const { db, clock, owner, currentSessionId } = context;
  const except = currentSessionId === null ? {} : { except: currentSessionId };
  await db.identity.sessions.endAll(owner, clock.now(), except);
}
