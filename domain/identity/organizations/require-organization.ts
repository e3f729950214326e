import type { Database } from '../../../db/database.js';
import type { OrganizationRow } from '../../../db/identity/models/organization.js';
import type {
  OrganizationMemberRow,
  OrganizationRole,
} from '../../../db/identity/models/organization-member.js';
import type { AnyTx } from '../../../db/tx.js';
import type { CredentialKind } from '../../kernel/actor.js';
import type { AuditAction } from '../../kernel/audit/audit-actions.js';
import {
  type AuditRecord,
  type RequestSource,
  recordOrganizationAudit,
} from '../../kernel/audit/record-audit.js';
import type { Clock } from '../../lib/clock.js';
import { Forbidden, NotFound } from '../../lib/errors.js';
import { ssoRequired } from '../single-sign-on/sso-only.js';

/** Who asks, with what. */
export interface OrganizationCaller {
  db: Pick<Database, 'identity'>;
  clock: Clock;
  account: { id: number };
  credential: {
    kind: CredentialKind;
    id: number;
    organizationId?: number | null;
    source?: RequestSource | undefined;
  };
}

export interface InOrganization {
  organization: OrganizationRow;
  member: OrganizationMemberRow;
}

/** Roles that may do what a role may. */
const covering: Record<OrganizationRole, readonly OrganizationRole[]> = {
  owner: ['owner'],
  admin: ['owner', 'admin'],
  member: ['owner', 'admin', 'member'],
};

/**
 * Returns the organization and the caller in it. To everybody but its active members, there is none.
 * @param lock so that its members and workspaces stay as they are until the transaction ends
 * An organization that is entered by its identity provider only is managed with a session from there.
 * @throws NotFound, Forbidden
 */
export async function requireOrganization(
  { db, clock, account, credential }: OrganizationCaller,
  uuid: string,
  role: OrganizationRole,
  { tx, lock = false }: { tx?: AnyTx; lock?: boolean } = {},
): Promise<InOrganization> {
  const { organizations, organizationMembers } = db.identity;
  const organization =
    lock && tx !== undefined
      ? await organizations.lockByUuid(uuid, tx)
      : await organizations.findByUuid(uuid, tx);
  const member = organization && (await organizationMembers.find(organization.id, account.id, tx));
  if (organization === undefined || member?.status !== 'active') throw new NotFound('Organization');
  const { organizationId = null } = credential;
  if (organizationId !== null && organizationId !== organization.id) throw new NotFound('Organization');
  if (!covering[role].includes(member.role)) {
    throw new Forbidden(`the role ${role}`, `This needs the role ${role} of the organization.`);
  }
  if (organization.ssoOnly && role !== 'member') {
    const session = { organizationId: organization.id, sessionId: credential.id };
    const isOpen = await db.identity.organizationSessions.isOpenBySso(session, clock.now(), tx);
    if (credential.kind !== 'session' || !isOpen) throw ssoRequired();
  }
  return { organization, member };
}

/** Records what the caller did, in the log of the organization. */
export function recordInOrganization(
  tx: AnyTx,
  { clock, credential }: Pick<OrganizationCaller, 'clock' | 'credential'>,
  { organization, member }: InOrganization,
  action: AuditAction,
  note: AuditRecord = {},
): void {
  recordOrganizationAudit(tx, { now: clock.now(), member, credential }, organization.id, action, note);
}
