import { randomBytes } from 'node:crypto';
import type { Database, WithinWorkspaces } from '../../../db/database.js';
import type { GrantRevoker, OAuthGrantRow } from '../../../db/identity/models/oauth-grant.js';
import type { ListedGrant } from '../../../db/identity/oauth-grants.js';
import type { AnyTx, IdentityTx } from '../../../db/tx.js';
import { type AccountContext, requireSession } from '../../kernel/account-context.js';
import {
  type ActingCredential,
  type RequestSource,
  recordAccountAudit,
  recordAccountsAudit,
  recordAudit,
  recordAuditOfNobody,
} from '../../kernel/audit/record-audit.js';
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

const maxInForce = 500;
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
  const { db, clock, account, credential } = context;
  const membership = await db.identity.memberships.findByAccount(consent.workspaceId, account.id);
  if (membership === undefined) {
    throw InvalidInput.field('/workspaceId', 'must be a workspace of which you are a member');
  }
  const now = clock.now();
  const grantId = randomBytes(24).toString('base64url');
  await db.inIdentity(async (tx, within) => {
    await db.identity.accounts.lock(account.id, tx);
    if ((await db.identity.oauthGrants.countInForce(account.id, now, tx)) >= maxInForce) {
      const why = `The account has connected ${maxInForce} applications. Disconnect some first.`;
      throw new Conflict('too_many_grants', why);
    }
    const expiresAt = new Date(now.getTime() + grantDays * dayMs);
    const id = await db.identity.oauthGrants.insert(
      { ...consent, grantId, accountId: account.id, createdAt: now, expiresAt },
      tx,
    );
    const note = { subject: ['grant', id], names: consent.scopes } as const;
    recordAccountAudit(tx, { now, credential }, account.id, 'application:connected', note);
    const actor = { memberId: membership.memberId, credential };
    await within.inWorkspace(consent.workspaceId, async (entered) =>
      recordAudit(entered, { clock, actor }, 'application:connected', note),
    );
  });
  return grantId;
}

const maxClientIdLength = 200;

/** Records that the person who is signed in did not let an application in. */
export async function refuseGrant(
  { db, clock, account, credential }: AccountContext,
  clientId: string,
): Promise<void> {
  const by = { now: clock.now(), credential };
  const note = { names: [clientId.slice(0, maxClientIdLength)] };
  await db.inIdentity(async (tx) => recordAccountAudit(tx, by, account.id, 'application:refused', note));
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
  const { db, clock, account, credential } = context;
  await db.inIdentity(async (tx, within) => {
    const grant = await db.identity.oauthGrants.findForAccount(account.id, uuid, tx);
    if (grant === undefined) throw new NotFound('Connected application');
    await end({ db, clock, tx, within }, grant.grantId, { revoker: 'person', credential });
  });
}

/** Who ends a grant, by what request. */
export interface EndedBy {
  revoker: GrantRevoker;
  credential?: ActingCredential | undefined;
  source?: RequestSource | undefined;
}

/** Ends a grant, and all codes and tokens that were issued under it. */
export async function endGrant(
  { db, clock }: Pick<ServiceContext, 'db' | 'clock'>,
  grantId: string,
  by: EndedBy,
): Promise<void> {
  await db.inIdentity((tx, within) => end({ db, clock, tx, within }, grantId, by));
}

/** Ends a grant, and records that in the logs of its account and its workspace. */
async function end(
  { db, clock, tx, within }: EndingContext,
  grantId: string,
  { revoker, credential, source = credential?.source }: EndedBy,
): Promise<void> {
  const now = clock.now();
  const ended = await db.identity.oauthGrants.revoke(grantId, revoker, now, tx);
  await forgetIssued(db, [grantId], tx);
  if (ended === undefined) return;
  const { id, accountId, workspaceId } = ended;
  const note = { subject: ['grant', id], names: [revoker] } as const;
  recordAccountAudit(tx, { now, credential, source }, accountId, 'application:disconnected', note);
  await within.inWorkspace(workspaceId, async (entered) => {
    const membership =
      revoker === 'person'
        ? await db.identity.memberships.findByAccount(workspaceId, accountId, entered)
        : undefined;
    const actor = membership === undefined ? {} : { actorMemberId: membership.memberId };
    recordAuditOfNobody(entered, { now, source }, 'application:disconnected', { ...note, ...actor });
  });
}

interface EndingContext extends Pick<ServiceContext, 'db' | 'clock'> {
  tx: IdentityTx;
  within: WithinWorkspaces;
}

/** Ends all that persons have granted to a client. */
export async function endGrantsOfClient(
  { db, clock }: Pick<ServiceContext, 'db' | 'clock'>,
  clientId: string,
  by: GrantRevoker,
  tx: AnyTx,
): Promise<void> {
  const now = clock.now();
  const ended = await db.identity.oauthGrants.revokeAllOfClient(clientId, by, now, tx);
  await forgetIssued(db, grantIdsOf(ended), tx);
  const about = ended.map(({ id, accountId }) => ({ accountId, subjectId: id }));
  recordAccountsAudit(tx, now, about, 'application:disconnected', { type: 'grant', names: [by] });
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

function grantIdsOf(grants: readonly OAuthGrantRow[]): string[] {
  return grants.map(({ grantId }) => grantId);
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
