import { Forbidden } from '../lib/errors.js';
import type { Permission, Scope } from './scopes.js';

export type CredentialKind = 'api_key' | 'session' | 'member_token' | 'oauth_token';

/**
 * Who is calling, in which workspace, and what they may do there.
 *
 * A scope cuts a credential down; a permission raises a role above self-access. Both must hold: an actor
 * `can` do what its role permits and its credential does not cut off (design section 8).
 */
export class Actor {
  readonly workspaceId: number;
  readonly workspaceUuid: string;
  readonly accountId: number | null;
  readonly memberId: number;
  readonly memberRoleId: number;
  readonly credential: { kind: CredentialKind; id: number; scopes: ReadonlySet<string> | null };
  readonly #permissions: ReadonlySet<string>;

  constructor(fields: {
    workspaceId: number;
    workspaceUuid: string;
    accountId: number | null;
    memberId: number;
    memberRoleId: number;
    permissions: Iterable<string>;
    /** `scopes: null` means the credential is not cut down (a session). */
    credential: { kind: CredentialKind; id: number; scopes: Iterable<string> | null };
  }) {
    this.workspaceId = fields.workspaceId;
    this.workspaceUuid = fields.workspaceUuid;
    this.accountId = fields.accountId;
    this.memberId = fields.memberId;
    this.memberRoleId = fields.memberRoleId;
    this.#permissions = new Set(fields.permissions);
    this.credential = {
      ...fields.credential,
      scopes: fields.credential.scopes === null ? null : new Set(fields.credential.scopes),
    };
  }

  /** Whether the credential's scopes name this; sessions are not cut down. */
  hasScope(scope: Scope): boolean {
    return this.credential.scopes === null || this.credential.scopes.has(scope);
  }

  /** Whether role and credential together allow this beyond self-access. */
  can(permission: Permission): boolean {
    const [area, verb] = permission.split(':');
    return this.#permissions.has(permission) && this.hasScope(`${area}:${verb}` as Scope);
  }

  /** What role and credential together allow beyond self-access. */
  permissionsInForce(): string[] {
    return [...this.#permissions].filter((permission) => this.can(permission as Permission)).sort();
  }

  /** @throws Forbidden naming the permission */
  require(permission: Permission): void {
    if (!this.can(permission)) throw new Forbidden(permission, `This needs the permission ${permission}.`);
  }

  /** Self-access: one's own things, or the permission for others'. @throws Forbidden */
  requireSelfOr(ownerMemberId: number, permission: Permission): void {
    if (ownerMemberId !== this.memberId) this.require(permission);
  }
}
