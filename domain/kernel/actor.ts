import { Forbidden } from '../lib/errors.js';
import type { Permission, Scope } from './scopes.js';

export type CredentialKind = 'api_key' | 'session' | 'member_token' | 'oauth_token';

/**
 * The authenticated caller in a workspace, with its permissions there.
 *
 * A scope restricts a credential; a permission extends a role beyond self-access. `can` requires both: the role grants
 * the permission, and the credential has the scope.
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
    /** `scopes: null`: the credential is not restricted (a session). */
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

  /** Whether the credential has the scope. Sessions are not restricted by scopes. */
  hasScope(scope: Scope): boolean {
    return this.credential.scopes === null || this.credential.scopes.has(scope);
  }

  /** Whether role and credential together allow this beyond self-access. */
  can(permission: Permission): boolean {
    const [area, verb] = permission.split(':');
    return this.#permissions.has(permission) && this.hasScope(`${area}:${verb}` as Scope);
  }

  /** The permissions that role and credential together grant beyond self-access. */
  permissionsInForce(): string[] {
    return [...this.#permissions].filter((permission) => this.can(permission as Permission)).sort();
  }

  /** @throws Forbidden naming the permission */
  require(permission: Permission): void {
    if (!this.can(permission)) throw new Forbidden(permission, `This needs the permission ${permission}.`);
  }

  /** Allows self-access; requires the permission for what belongs to another member. @throws Forbidden */
  requireSelfOr(ownerMemberId: number, permission: Permission): void {
    if (ownerMemberId !== this.memberId) this.require(permission);
  }
}
