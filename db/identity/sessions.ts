import type { PageOf, PageRequest } from '../../domain/lib/paging.js';
import type { Values } from '../lib/table-model.js';
import { entering } from '../people/member-access.js';
import { prepared } from '../statement.js';
import type { AnyTx, IdentityTx, Tx } from '../tx.js';
import { type Claimant, isOfMembers, placesOf } from './claims.js';
import { IdentityTable, pageOf, removeExpiredRows } from './identity-table.js';
import type { EnteredMembership } from './memberships.js';
import { AccountModel, type AccountRow } from './models/account.js';
import { SessionModel, type SessionRow } from './models/session.js';
import { isSsoOnly, organizationOfWorkspace } from './organizations.js';

/** The owner of a session: an account, in all workspaces, or one member, in its workspace only. */
export type SessionOwner =
  | { accountId: number; workspaceId: null; memberId: null }
  | { accountId: null; workspaceId: number; memberId: number };

export type NewSession = SessionOwner &
  Pick<SessionRow, 'userAgent' | 'createdAt' | 'expiresAt'> &
  Pick<Values<SessionModel>, 'roleGrants' | 'granted' | 'sealedAt' | 'apiKeyId'> & { hash: Buffer };

/** What authentication needs to know of a session and of the workspace that it is used in, in one row. */
export interface SessionInWorkspace
  extends Pick<
      SessionRow,
      | 'id'
      | 'accountId'
      | 'organizationId'
      | 'roleGrants'
      | 'granted'
      | 'sealedAt'
      | 'lastUsedAt'
      | 'expiresAt'
      | 'endedAt'
    >,
    EnteredMembership {
  ofMember: boolean;
  /** Whether the account is enabled; null where there is none. To a session by a provider, no superuser is. */
  accountEnabled: boolean | null;
}

/** The condition that a session of an owner has not ended. */
function openOf({ accountId, workspaceId, memberId }: SessionOwner): [string, number[]] {
  return accountId === null
    ? ['workspace_id = ? and member_id = ? and ended_at is null', [workspaceId, memberId]]
    : ['account_id = ? and ended_at is null', [accountId]];
}

/** Sessions of browsers. Only hashes of their tokens are stored. */
export class SessionsTable extends IdentityTable {
  async insert(session: NewSession, tx: AnyTx): Promise<SessionRow> {
    return SessionModel.insert(tx, { ...session, lastUsedAt: session.createdAt });
  }

  /** Finds a session and its account (of a member's session: the member's), for requests outside a workspace. */
  async findByHash(
    hash: Buffer,
  ): Promise<
    { session: SessionRow & { organizationUuid: string | null }; account: AccountRow | null } | undefined
  > {
    const [session] = await prepared<SessionRow & { organizationUuid: string | null }>(
      this.knex,
      `select ${SessionModel.columns}, o.uuid as "organizationUuid" from identity.sessions
       left join identity.organizations o on o.id = sessions.organization_id where sessions.hash = ?`,
      [hash],
    );
    if (session === undefined) return undefined;
    const { accountId, workspaceId, memberId } = session;
    const isLinked =
      'id in (select account_id from identity.memberships where workspace_id = ? and member_id = ?)';
    const account =
      accountId === null
        ? await AccountModel.first(this.knex, isLinked, [workspaceId, memberId])
        : await AccountModel.find(this.knex, accountId);
    return { session, account: account ?? null };
  }

  /** Finds the session, the state of its account and its member in a workspace, and enters that workspace in `tx`. */
  async enterByHash(
    tx: IdentityTx,
    hash: Buffer,
    workspaceUuid: string,
    /** Of the token that the browser has joined an organization with. */
    organizationHash: Buffer | null,
  ): Promise<SessionInWorkspace | undefined> {
    const memberId = 'case when w.id is not null then coalesce(s.member_id, m.member_id) end';
    const [found] = await prepared<SessionInWorkspace>(
      tx,
      `select s.id, s.account_id as "accountId", s.last_used_at as "lastUsedAt", s.expires_at as "expiresAt",
         s.ended_at as "endedAt", s.organization_id as "organizationId",
         a.enabled and not (a.is_superuser and s.organization_id is not null) as "accountEnabled", w.id as "workspaceId", ${memberId} as "memberId",
         m.support_ends_at as "supportEndsAt",
         coalesce(m.is_support and not a.is_superuser, false) as "supportLost",
         coalesce(m.is_support, false) as "isSupport", ${isSsoOnly} as "ssoOnly",
         case when os.by_sso then os.expires_at end as "ssoEndsAt",
         s.member_id is not null as "ofMember", s.role_grants as "roleGrants", s.granted, s.sealed_at as "sealedAt",
         ${entering('w.id', memberId)}
       from identity.sessions s
       left join identity.workspaces w on w.uuid = ? and w.id = coalesce(s.workspace_id, w.id)
         and (s.organization_id is null or w.organization_id = s.organization_id)
       left join identity.memberships m on m.workspace_id = coalesce(s.workspace_id, w.id)
         and (m.account_id = s.account_id or m.member_id = s.member_id)
       left join identity.accounts a on a.id = coalesce(s.account_id, m.account_id)
       ${organizationOfWorkspace}
       left join identity.organization_sessions os on os.hash = ? and os.session_id = s.id
         and os.organization_id = o.id and os.ended_at is null
       where s.hash = ?
       limit 1`,
      [workspaceUuid, organizationHash, hash],
    );
    return found;
  }

  /** Lists an owner's sessions that are valid at `now`: neither ended nor expired, and used since `idleSince`. */
  async listOpen(
    owner: SessionOwner,
    { now, idleSince }: { now: Date; idleSince: Date },
    page: PageRequest<'lastUsedAt' | 'createdAt'>,
  ): Promise<PageOf<SessionRow>> {
    const [isOpen, values] = openOf(owner);
    const open = {
      select: SessionModel.columns,
      from: `identity.sessions where ${isOpen} and expires_at > ? and last_used_at > ?`,
      bindings: [...values, now, idleSince],
    };
    return pageOf(this.knex, open, page, page.sortBy === 'createdAt' ? 'created_at' : 'last_used_at');
  }

  /** Says in which organization alone a session is good (null: everywhere), and when it ends. */
  async confine(
    id: number,
    confines: Pick<SessionRow, 'organizationId' | 'expiresAt'>,
    tx: AnyTx,
  ): Promise<SessionRow> {
    return SessionModel.patch(tx, id, confines);
  }

  /** Ends the sessions of an account that the identity provider of an organization has begun. */
  async endAllOfOrganization(
    { organizationId, accountId }: { organizationId: number; accountId: number },
    at: Date,
    tx: AnyTx,
  ): Promise<void> {
    const isOpen = 'organization_id = ? and account_id = ? and ended_at is null';
    await SessionModel.updateWhere(tx, { endedAt: at }, isOpen, [organizationId, accountId]);
  }

  /** @returns the session; undefined if there is none, or it has ended before */
  async endByHash(hash: Buffer, at: Date, tx: AnyTx): Promise<SessionRow | undefined> {
    const isOpen = 'hash = ? and ended_at is null';
    const [ended] = await SessionModel.updateReturning(tx, { endedAt: at }, isOpen, [hash]);
    return ended;
  }

  /** Ends one of the owner's sessions; false when there is none, or it has ended before. */
  async end(owner: SessionOwner, uuid: string, at: Date, tx: AnyTx): Promise<boolean> {
    const [isOpen, values] = openOf(owner);
    return (
      (await SessionModel.updateWhere(tx, { endedAt: at }, `${isOpen} and uuid = ?`, [...values, uuid])) > 0
    );
  }

  /** Ends all sessions of an owner, except one where given. */
  async endAll(owner: SessionOwner, at: Date, options: { except?: number; tx?: AnyTx } = {}): Promise<void> {
    const [isOpen, values] = openOf(owner);
    const ending = `${isOpen} and id is distinct from ?`;
    const bindings = [...values, options.except ?? null];
    await SessionModel.updateWhere(options.tx ?? this.knex, { endedAt: at }, ending, bindings);
  }

  async endAllOf(members: readonly Claimant[], at: Date, tx: AnyTx): Promise<void> {
    const isOpen = `ended_at is null and ${isOfMembers}`;
    await SessionModel.updateWhere(tx, { endedAt: at }, isOpen, placesOf(members));
  }

  async sealAllOf(members: readonly Claimant[], at: Date, tx: AnyTx): Promise<void> {
    const unsealed = `ended_at is null and sealed_at is null and ${isOfMembers}`;
    await SessionModel.updateWhere(tx, { sealedAt: at }, unsealed, placesOf(members));
  }

  async endAllOfKeys(apiKeyIds: readonly number[], at: Date, tx: AnyTx): Promise<void> {
    const isOpen = 'api_key_id = any(?) and ended_at is null';
    await SessionModel.updateWhere(tx, { endedAt: at }, isOpen, [apiKeyIds]);
  }

  async touch(id: number, at: Date, unlessSince: Date): Promise<void> {
    const isOlder = 'id = ? and last_used_at <= ?';
    await SessionModel.updateWhere(this.knex, { lastUsedAt: at }, isOlder, [id, unlessSince]);
  }

  async removeExpired(before: Date, tx: AnyTx): Promise<void> {
    await removeExpiredRows(tx, SessionModel, before);
  }
}

/** Whether a token of the member, or a session that it began, is in use and sealed. */
export async function hasSealedAccess(tx: Tx, memberId: number): Promise<boolean> {
  const found = await prepared(
    tx,
    `select 1 from identity.sessions where workspace_id = ? and member_id = ? and ended_at is null and sealed_at is not null
     union all
     select 1 from identity.member_tokens
     where workspace_id = ? and member_id = ? and used_at is null and sealed_at is not null limit 1`,
    [tx.workspaceId, memberId, tx.workspaceId, memberId],
  );
  return found.length > 0;
}
