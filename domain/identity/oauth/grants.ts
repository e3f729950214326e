import { randomBytes } from 'node:crypto';
import type { AnyTx, Database } from '../../../db/database.js';
import type { GrantRevoker, ListedGrant } from '../../../db/identity/oauth-grants.js';
import { type AccountContext, requireSession } from '../../kernel/account-context.js';
import type { ServiceContext } from '../../kernel/context.js';
import { Conflict, InvalidInput, NotFound } from '../../lib/errors.js';
import type { PageOf, PageRequest } from '../../lib/paging.js';

export interface Consent {
  /** Undefined: a random one. */
  uuid?: string;
  workspaceId: number;
  clientId: string;
  clientName: string;
  scopes: readonly string[];
  /** The address of the resource that the tokens are for (RFC 8707). */
  resource: string;
}

const mostInForce = 500;
const grantDays = 180;
const dayMs = 86_400_000;

/** What a grant lives for, in seconds. */
export const grantLifetimeSeconds = grantDays * 86_400;

/**
 * Records what the person who is signed in has consented to. @returns the id by which codes and tokens refer to it
 * @throws InvalidInput when the person is no member of the workspace, Conflict `too_many_grants`, Forbidden
 */
export async function giveGrant(context: AccountContext, consent: Consent): Promise<string> {
  requireSession(context);
  const { db, clock, account } = context;
  const membership = await db.identity.memberships.findByAccount(consent.workspaceId, account.id);
  if (membership === undefined) {
    throw InvalidInput.field('/workspaceId', 'must be a workspace of which you are a member');
  }
  const now = clock.now();
  const grantId = randomBytes(24).toString('base64url');
  await db.inIdentity(async (tx) => {
    await db.identity.accounts.lock(account.id, tx);
    if ((await db.identity.oauthGrants.countInForce(account.id, now, tx)) >= mostInForce) {
      const why = `The account has connected ${mostInForce} applications. Disconnect some first.`;
      throw new Conflict('too_many_grants', why);
    }
    const expiresAt = new Date(now.getTime() + grantDays * dayMs);
    await db.identity.oauthGrants.insert(
      { ...consent, grantId, accountId: account.id, createdAt: now, expiresAt },
      tx,
    );
  });
  return grantId;
}

/** The applications that the account is connected with. */
export async function listGrants(
  { db, clock, account }: AccountContext,
  page: Omit<PageRequest, 'sortBy'>,
): Promise<PageOf<ListedGrant>> {
  return db.identity.oauthGrants.listForAccount(account.id, clock.now(), page);
}

/** Disconnects an application: its tokens are refused from now on. @throws NotFound */
export async function revokeGrant(context: AccountContext, uuid: string): Promise<void> {
  const { db, clock, account } = context;
  await db.inIdentity(async (tx) => {
    const grant = await db.identity.oauthGrants.findForAccount(account.id, uuid, tx);
    if (grant === undefined) throw new NotFound('Connected application');
    await db.identity.oauthGrants.revoke(grant.grantId, 'person', clock.now(), tx);
    await forgetIssued(db, [grant.grantId], tx);
  });
}

/** Ends a grant, and all codes and tokens that were issued under it. */
export async function endGrant(
  { db, clock }: Pick<ServiceContext, 'db' | 'clock'>,
  grantId: string,
  by: GrantRevoker,
): Promise<void> {
  await db.inIdentity(async (tx) => {
    await db.identity.oauthGrants.revoke(grantId, by, clock.now(), tx);
    await forgetIssued(db, [grantId], tx);
  });
}

/** Ends all that persons have granted to a client. */
export async function endGrantsOfClient(
  { db, clock }: Pick<ServiceContext, 'db' | 'clock'>,
  clientId: string,
  by: GrantRevoker,
  tx: AnyTx,
): Promise<void> {
  const ended = await db.identity.oauthGrants.revokeAllOfClient(clientId, by, clock.now(), tx);
  await forgetIssued(db, ended, tx);
}

/** How long an ended grant is kept, for those who look back. */
const keptAfterwardsDays = 90;

/** Deletes some of what has expired. */
export async function forgetExpired({ db, clock }: Pick<ServiceContext, 'db' | 'clock'>): Promise<void> {
  const { oauthAccessTokens, oauthArtifacts, oauthGrants } = db.identity;
  const now = clock.now();
  await db.inIdentity(async (tx) => {
    await oauthArtifacts.removeExpired(now, tx);
    await oauthAccessTokens.removeExpired(now, tx);
    await oauthGrants.removeExpired(new Date(now.getTime() - keptAfterwardsDays * dayMs), tx);
  });
}

async function forgetIssued(
  { identity }: Pick<Database, 'identity'>,
  grantIds: readonly string[],
  tx: AnyTx,
): Promise<void> {
  await identity.oauthAccessTokens.deleteOfGrants(grantIds, tx);
  await identity.oauthArtifacts.deleteReplaysOfGrants(grantIds, tx);
  await identity.oauthArtifacts.deleteOfGrants(grantIds, undefined, tx);
}
