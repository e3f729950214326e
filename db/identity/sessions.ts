import type { Knex } from 'knex';
import type { PageOf, PageRequest } from '../../domain/lib/paging.js';
import { column, type ValuesOf } from '../lib/table.js';
import { entering } from '../people/member-access.js';
import { prepared, statement } from '../statement.js';
import type { AnyTx, IdentityTx, Tx } from '../tx.js';
import { type AccountRow, accountFields } from './accounts.js';
import type { Claimant } from './claims.js';
import { aliases, columns, IdentityTable, pageOf, removeExpiredRows } from './columns.js';
import type { EnteredMembership } from './memberships.js';
import { isSsoOnly, organizationOfWorkspace } from './organizations.js';

/** The owner of a session: an account, in all workspaces, or one member, in its workspace only. */
export type SessionOwner =
  | { accountId: number; workspaceId: null; memberId: null }
  | { accountId: null; workspaceId: number; memberId: number };

const fields = {
  id: column<number>(),
  uuid: column<string>(),
  accountId: column<number | null>(),
  workspaceId: column<number | null>(),
  memberId: column<number | null>(),
  /** The organization whose identity provider has begun it, and in which alone it is good; null: it began otherwise. */
  organizationId: column<number | null>(),
  /** Of a member's session: the role's permissions at its token's creation, and those that the token grants. */
  roleGrants: column<string[] | null>(),
  granted: column<string[] | null>(),
  /** Of a member's session: since when records that are written are kept from it. */
  sealedAt: column<Date | null>(),
  userAgent: column<string | null>(),
  createdAt: column<Date>(),
  lastUsedAt: column<Date>(),
  /** When it ends, however often it is used. */
  expiresAt: column<Date>(),
  endedAt: column<Date | null>(),
};

export type SessionRow = ValuesOf<typeof fields>;

export type NewSession = SessionOwner & {
  roleGrants?: readonly string[] | null;
  granted?: readonly string[] | null;
  sealedAt?: Date | null;
  /** The API key that created the token: revoking it ends the session. */
  apiKeyId?: number | null;
  /** SHA-256 of the token in the cookie. */
  hash: Buffer;
  userAgent: string | null;
  createdAt: Date;
  expiresAt: Date;
};

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

const table = 'identity.sessions';

/** Sessions of browsers. Only hashes of their tokens are stored. */
export class SessionsTable extends IdentityTable {
  async insert(session: NewSession, tx: AnyTx): Promise<SessionRow> {
    const row = columns({ ...session, lastUsedAt: session.createdAt });
    const [inserted] = await tx(table).insert(row).returning<{ id: number }[]>('id');
    return tx(table).select(aliases(fields)).where({ id: inserted?.id }).first();
  }

  /** Finds a session and its account (of a member's session: the member's), for requests outside a workspace. */
  async findByHash(
    hash: Buffer,
  ): Promise<
    { session: SessionRow & { organizationUuid: string | null }; account: AccountRow | null } | undefined
  > {
    const session = await this.knex(`${table} as s`)
      .select({ ...aliases(fields, 's'), organizationUuid: 'o.uuid' })
      .leftJoin('identity.organizations as o', 'o.id', 's.organization_id')
      .where('s.hash', hash)
      .first();
    if (session === undefined) return undefined;
    const accounts = this.knex('identity.accounts').select(aliases(accountFields));
    const { accountId, workspaceId, memberId } = session;
    const linked = this.knex('identity.memberships')
      .select('account_id')
      .where(columns({ workspaceId, memberId }));
    const found = accountId === null ? accounts.whereIn('id', linked) : accounts.where({ id: accountId });
    const account: AccountRow | undefined = await found.first();
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
    at: { now: Date; idleSince: Date },
    page: PageRequest<'lastUsedAt' | 'createdAt'>,
  ): Promise<PageOf<SessionRow>> {
    const open = this.#open(owner).where('expires_at', '>', at.now).where('last_used_at', '>', at.idleSince);
    const sortColumn = page.sortBy === 'createdAt' ? 'created_at' : 'last_used_at';
    return pageOf(open.select(aliases(fields)), page, sortColumn);
  }

  /** Says in which organization alone a session is good (null: everywhere), and when it ends. */
  async confine(
    id: number,
    confines: Pick<SessionRow, 'organizationId' | 'expiresAt'>,
    tx: AnyTx,
  ): Promise<SessionRow> {
    await tx(table).where({ id }).update(columns(confines));
    return tx(table).select(aliases(fields)).where({ id }).first();
  }

  /** Ends the sessions of an account that the identity provider of an organization has begun. */
  async endAllOfOrganization(
    { organizationId, accountId }: { organizationId: number; accountId: number },
    at: Date,
    tx: AnyTx,
  ): Promise<void> {
    await tx(table)
      .where(columns({ organizationId, accountId, endedAt: null }))
      .update({ ended_at: at });
  }

  /** @returns the session; undefined if there is none, or it has ended before */
  async endByHash(
    hash: Buffer,
    at: Date,
    tx: AnyTx,
  ): Promise<{ id: number; accountId: number | null } | undefined> {
    const ended = await tx(table)
      .where({ hash, ended_at: null })
      .update({ ended_at: at })
      .returning<{ id: number; account_id: number | null }[]>(['id', 'account_id']);
    return ended.map(({ id, account_id }) => ({ id, accountId: account_id }))[0];
  }

  /** Ends one of the owner's sessions; false when there is none, or it has ended before. */
  async end(owner: SessionOwner, uuid: string, at: Date, tx: AnyTx): Promise<boolean> {
    return (await this.#open(owner, tx).where({ uuid }).update({ ended_at: at })) > 0;
  }

  /** Ends all sessions of an owner, except one where given. */
  async endAll(owner: SessionOwner, at: Date, options: { except?: number; tx?: AnyTx } = {}): Promise<void> {
    const ending = this.#open(owner, options.tx);
    if (options.except !== undefined) ending.whereNot({ id: options.except });
    await ending.update({ ended_at: at });
  }

  async endAllOf(members: readonly Claimant[], at: Date, tx: AnyTx): Promise<void> {
    await statement(
      tx,
      `update ${table} set ended_at = ? where ended_at is null
         and (workspace_id, member_id) in (select * from unnest(?::bigint[], ?::bigint[]))`,
      [at, members.map(({ workspaceId }) => workspaceId), members.map(({ memberId }) => memberId)],
    );
  }

  async sealAllOf(members: readonly Claimant[], at: Date, tx: AnyTx): Promise<void> {
    await statement(
      tx,
      `update ${table} set sealed_at = ? where ended_at is null and sealed_at is null
         and (workspace_id, member_id) in (select * from unnest(?::bigint[], ?::bigint[]))`,
      [at, members.map(({ workspaceId }) => workspaceId), members.map(({ memberId }) => memberId)],
    );
  }

  async endAllOfKeys(apiKeyIds: readonly number[], at: Date, tx: AnyTx): Promise<void> {
    await tx(table)
      .whereIn('api_key_id', [...apiKeyIds])
      .whereNull('ended_at')
      .update({ ended_at: at });
  }

  async touch(id: number, at: Date, unlessSince: Date): Promise<void> {
    await this.knex(table)
      .where({ id })
      .where('last_used_at', '<=', unlessSince)
      .update({ last_used_at: at });
  }

  async removeExpired(before: Date, tx: AnyTx): Promise<void> {
    await removeExpiredRows(tx, table, before);
  }

  #open(owner: SessionOwner, tx?: AnyTx): Knex.QueryBuilder {
    const { accountId, workspaceId, memberId } = owner;
    const theirs = accountId === null ? columns({ workspaceId, memberId }) : columns({ accountId });
    return (tx ?? this.knex)(table).where(theirs).whereNull('ended_at');
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
