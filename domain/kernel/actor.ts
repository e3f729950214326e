import { Forbidden } from '../lib/errors.js';
import type { RequestSource } from './audit/record-audit.js';
import { alsoOpenedBy, type Permission, type Scope } from './scopes.js';

export type CredentialKind = 'api_key' | 'session' | 'member_token' | 'oauth_token' | 'visitor_token';

/**
 * The authenticated caller in a workspace. A scope restricts a credential; a permission extends a role beyond
 * self-access. `can` requires both: the role grants the permission, and the credential has the scope.
 */
export class Actor {
  readonly workspaceId: number;
  readonly workspaceUuid: string;
  readonly accountId: number | null;
  readonly memberId: number;
  readonly memberRoleId: number;
  /**
   * Whether the caller is somebody: by an account, or because the workspace has signed a person in that it knows. What a sign-up form or the
   * browser of a visitor was given proves nothing (docs/decisions/0223-who-is-nobody.md).
   */
  readonly isKnown: boolean;
  readonly credential: {
    kind: CredentialKind;
    id: number;
    scopes: ReadonlySet<string> | null;
    /** The organization whose identity provider has begun the session. */
    organizationId?: number | null;
    /** Where the request came from; undefined where there is none. */
    source?: RequestSource | undefined;
  };
  /**
   * Since when what is written about the member is kept from its session, whose token another person may have: somebody has
   * entered data by a form since (docs/decisions/0060-identifiers-are-bound-by-proof.md).
   */
  readonly sealedAt: Date | null;
  readonly #permissions: readonly string[];

  constructor({
    permissions,
    credential,
    isKnown,
    sealedAt = null,
    ...ids
  }: Pick<Actor, 'workspaceId' | 'workspaceUuid' | 'accountId' | 'memberId' | 'memberRoleId'> & {
    permissions: Iterable<string>;
    isKnown: boolean;
    sealedAt?: Date | null;
    /** `scopes: null`: the credential is not restricted (a session). */
    credential: {
      kind: CredentialKind;
      id: number;
      scopes: Iterable<string> | null;
      organizationId?: number | null;
      source?: RequestSource | undefined;
    };
  }) {
    this.workspaceId = ids.workspaceId;
    this.workspaceUuid = ids.workspaceUuid;
    this.accountId = ids.accountId;
    this.memberId = ids.memberId;
    this.memberRoleId = ids.memberRoleId;
    this.isKnown = isKnown;
    this.sealedAt = sealedAt;
    this.#permissions = [...permissions];
    const { scopes } = credential;
    this.credential = { ...credential, scopes: scopes === null ? null : new Set(scopes) };
  }

  /** Whether the person itself calls: by a session by a code, not by a key, a token or a provider that others have made. */
  get isInPerson(): boolean {
    const { kind, organizationId = null } = this.credential;
    return kind === 'session' && this.accountId !== null && organizationId === null;
  }

  /** Whether the credential has the scope, or one that opens the same. Sessions are not restricted by scopes. */
  hasScope(scope: Scope): boolean {
    const { scopes } = this.credential;
    return scopes === null || scopes.has(scope) || scopes.has(alsoOpenedBy[scope] ?? scope);
  }

  /** Whether role and credential together allow this beyond self-access. */
  can(permission: Permission): boolean {
    const [area, verb] = permission.split(':');
    return this.#permissions.includes(permission) && this.hasScope(`${area}:${verb}` as Scope);
  }

  /** Whether the role grants the permission, to a credential that has the scope. */
  mayEver(permission: Permission): boolean {
    return this.#permissions.includes(permission);
  }

  /** The permissions that role and credential together grant beyond self-access. */
  permissionsInForce(): string[] {
    return [...this.#permissions].filter((permission) => this.can(permission as Permission)).sort();
  }

  /** @throws Forbidden naming the permission */
  require(permission: Permission): void {
    if (!this.can(permission)) throw new Forbidden(permission, `This needs the permission ${permission}.`);
  }

  /** Whether something of the actor's own member, written at this time, is kept from the actor. */
  isKeptFrom(writtenAt: Date): boolean {
    return this.sealedAt !== null && writtenAt >= this.sealedAt;
  }

  /** Allows self-access; requires the permission for what belongs to another member. @throws Forbidden */
  requireSelfOr(ownerMemberId: number, permission: Permission): void {
    if (ownerMemberId !== this.memberId) this.require(permission);
  }
}
