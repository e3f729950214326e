import { isSsoOnly, organizationOfWorkspace } from '../identity/organizations.js';
import { prepared } from '../statement.js';
import type { IdentityTx, Tx } from '../tx.js';

export interface MemberAccess {
  memberRoleId: number;
  permissions: string[];
  useAdmin: boolean;
  manageWorkspace: boolean;
  /** Whether the workspace has written the person down itself. */
  isRecorded: boolean;
  /** Set for a disabled member. */
  disabledAt: Date | null;
}

/** Enters the workspace that a look-up finds, so that `findEnteredMember` can be sent in the same message. */
export function entering(workspaceId: string, memberId: string): string {
  return `set_config('app.workspace_id', coalesce(${workspaceId}::text, ''), true),
    set_config('app.member_id', coalesce(${memberId}::text, ''), true)`;
}

const access = `select m.member_role_id as "memberRoleId", r.permissions, r.use_admin as "useAdmin",
     r.manage_workspace as "manageWorkspace", m.disabled_at as "disabledAt",
     'record' = any(m.vouched_for) as "isRecorded"
   from members m join member_roles r on r.workspace_id = m.workspace_id and r.id = m.member_role_id
   where m.deleted_at is null`;

/** Returns the role and permissions of the entered member; undefined where it is deleted, or none was entered. */
export async function findEnteredMember(tx: IdentityTx): Promise<MemberAccess | undefined> {
  const [found] = await prepared<MemberAccess>(
    tx,
    `${access} and m.workspace_id = current_workspace()
       and m.id = nullif(current_setting('app.member_id', true), '')::bigint`,
    [],
  );
  return found;
}

/** Returns the member's role and its permissions; undefined for a deleted member. */
export async function findMemberAccess(tx: Tx, memberId: number): Promise<MemberAccess | undefined> {
  const [found] = await prepared<MemberAccess>(tx, `${access} and m.workspace_id = ? and m.id = ?`, [
    tx.workspaceId,
    memberId,
  ]);
  return found;
}

/** Something that a member has ordered, and by what. */
interface Ordered {
  memberId: number;
  /** The API key by which it was ordered, if it was one. */
  apiKeyId: number | null;
  /** The grant of the OAuth token by which it was ordered, if it was one. */
  oauthGrantId?: number | null;
  /** Scopes that it needs. */
  scopes: string[];
  now: Date;
}

export interface LastingAccess {
  accountId: number | null;
  memberRoleId: number;
  permissions: string[];
}

/**
 * Returns the access by which something that a member has ordered may be done later, when nobody asks for it: undefined
 * if the member is deleted or disabled, its account is disabled, its support access has ended, or the API key or the
 * OAuth grant by which it was ordered has ended or lacks one of the scopes by now; a grant is good for nothing in a workspace
 * that is entered by an identity provider only. The end of a session takes nothing back.
 */
export async function findLastingAccess(
  tx: Tx,
  { memberId, apiKeyId, oauthGrantId = null, scopes, now }: Ordered,
): Promise<LastingAccess | undefined> {
  const [found] = await prepared<LastingAccess>(
    tx,
    `select a.id as "accountId", r.id as "memberRoleId", r.permissions from members m
       join member_roles r on r.workspace_id = m.workspace_id and r.id = m.member_role_id
       left join identity.memberships s on s.workspace_id = m.workspace_id and s.member_id = m.id
       left join identity.accounts a on a.id = s.account_id
     where m.id = ? and m.deleted_at is null and m.disabled_at is null and coalesce(a.enabled, true)
       and coalesce(s.support_ends_at > ?, true) and not coalesce(s.is_support and not a.is_superuser, false)
       and (?::bigint is null or exists (select from identity.api_keys k
         where k.id = ? and k.revoked_at is null and k.scopes @> ?::text[]))
       and (?::bigint is null or exists (select from identity.oauth_grants g
         join identity.workspaces w on w.id = g.workspace_id ${organizationOfWorkspace}
         where g.id = ? and g.revoked_at is null and g.expires_at > ? and g.scopes @> ?::text[]
           and not ${isSsoOnly}))`,
    [memberId, now, apiKeyId, apiKeyId, scopes, oauthGrantId, oauthGrantId, now, scopes],
  );
  return found;
}

/** The permissions of `findLastingAccess`. */
export async function findLastingPermissions(tx: Tx, ordered: Ordered): Promise<string[] | undefined> {
  return (await findLastingAccess(tx, ordered))?.permissions;
}
