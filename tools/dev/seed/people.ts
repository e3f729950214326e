import type { Database } from '../../../db/database.js';
import type { AccountRow } from '../../../db/identity/models/account.js';
import type { WorkspaceRow } from '../../../db/identity/models/workspace.js';
import { liveOutreach } from '../../../domain/calls/live-outreach.js';
import { createWorkspace } from '../../../domain/identity/workspaces/create-workspace.js';
import type { AccountContext } from '../../../domain/kernel/account-context.js';
import { Actor } from '../../../domain/kernel/actor.js';
import { builtInEntries } from '../../../domain/kernel/ai-models/built-in-entries.js';
import { ModelCatalogue } from '../../../domain/kernel/ai-models/model-catalogue.js';
import type { CommandContext } from '../../../domain/kernel/context.js';
import { allScopes } from '../../../domain/kernel/scopes.js';
import { systemClock } from '../../../domain/lib/clock.js';

/** Marks the e-mail address as verified, because the demo's people cannot answer a verification mail. */
export async function findOrCreatePerson(
  database: Database,
  name: string,
  email: string,
  uuid?: string,
): Promise<AccountRow> {
  const found = await database.identity.accounts.findByEmail(email);
  return (
    found ?? (await database.identity.accounts.create({ name, email, uuid, emailVerifiedAt: new Date() }))
  );
}

export async function findOrCreateWorkspace(
  database: Database,
  owner: AccountRow,
  workspace: { name: string; slug: string; uuid?: string },
): Promise<WorkspaceRow> {
  const page = { sortBy: 'name', sortOrder: 'asc', page: 1, pageSize: 100 } as const;
  const owned = await database.identity.workspaces.listForAccount(
    owner.id,
    page,
    { onlyWorkspaceId: null, onlyOrganizationId: null, sessionId: null },
    new Date(),
  );
  const found = owned.items.find((candidate) => candidate.slug === workspace.slug);
  return found ?? (await createWorkspace(accountContext(database, owner), workspace));
}

/** The context of the account as if it had signed in. */
export function accountContext(database: Database, account: AccountRow): AccountContext {
  const credential = {
    kind: 'session',
    id: 0,
    scopes: null,
    workspaceId: null,
    organizationId: null,
    expiresAt: null,
  } as const;
  return { db: database, clock: systemClock, account, credential };
}

/** A command context with the owner of the workspace as the actor. */
export async function ownerContext(
  database: Database,
  owner: AccountRow,
  workspace: WorkspaceRow,
): Promise<CommandContext> {
  const membership = await database.identity.memberships.findByAccount(workspace.id, owner.id);
  if (membership === undefined)
    throw new Error(`${workspace.slug} exists, but does not belong to the demo's owner`);
  return {
    db: database,
    clock: systemClock,
    outreach: liveOutreach,
    // Seeding calls no model, so no provider is needed.
    models: new ModelCatalogue(builtInEntries, []),
    actor: new Actor({
      workspaceId: workspace.id,
      workspaceUuid: workspace.uuid,
      accountId: owner.id,
      memberId: membership.memberId,
      memberRoleId: 0,
      permissions: allScopes,
      isKnown: true,
      credential: { kind: 'session', id: 0, scopes: null },
    }),
  };
}
