import type { VisitorContext } from './visitor-context.js';

/** Ends the token of the visitor's browser. The chat stays with the workspace, which may still answer in it. */
export async function leaveChat({ db, clock, workspaceId, visitor }: VisitorContext): Promise<void> {
  const endedAt = clock.now();
  await db.inWorkspace(workspaceId, (tx) => db.identity.siteVisitors.patch(visitor.id, { endedAt }, tx));
}
