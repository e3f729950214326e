import type { OrganizationRow } from '../../../db/identity/models/organization.js';
import { findMemberRole } from '../../../db/people/member-roles.js';
import type { Tx } from '../../../db/tx.js';
import { recordAudit } from '../../kernel/audit/record-audit.js';
import type { CommandContext } from '../../kernel/context.js';
import { Conflict, Forbidden, NotFound } from '../../lib/errors.js';
import { isManagerRole } from '../../people/member-roles/last-manager.js';
import {
  type InOrganization,
  type OrganizationCaller,
  recordInOrganization,
  requireOrganization,
} from './require-organization.js';

export const maxWorkspacesOfOrganization = 100;

/** @throws NotFound without one */
export async function getOrganizationOfWorkspace({ db, actor }: CommandContext): Promise<OrganizationRow> {
  const organization = await db.identity.organizations.findByWorkspace(actor.workspaceId);
  if (organization === undefined) throw new NotFound('Organization');
  return organization;
}

/**
 * Puts the workspace into an organization. The caller speaks for both sides, in person: an admin of the workspace, and an
 * owner of the organization. @throws NotFound, Forbidden, Conflict `other_organization`, `too_many_workspaces`
 */
export async function setOrganizationOfWorkspace(
  context: CommandContext,
  organizationUuid: string,
): Promise<OrganizationRow> {
  const { db, actor } = context;
  return db.inWorkspace(actor.workspaceId, async (tx) => {
    const who = await requireManager(context, tx);
    const inside = await requireOrganization(who, organizationUuid, 'owner', { tx, lock: true });
    const { organization } = inside;
    const own = await db.identity.organizations.workspacesOf(organization.id, tx);
    if (own.some(({ id }) => id === actor.workspaceId)) return organization;
    if (own.length >= maxWorkspacesOfOrganization) {
      const most = `The organization has ${maxWorkspacesOfOrganization} workspaces, the most it may.`;
      throw new Conflict('too_many_workspaces', most);
    }
    if (!(await db.identity.organizations.setOfWorkspace(organization.id, 'inside', tx))) {
      throw new Conflict('other_organization', 'The workspace belongs to another organization.');
    }
    note(context, tx, inside, 'joined');
    return organization;
  });
}

/** Takes the workspace out of its organization, as an owner of both. @throws NotFound, Forbidden */
export async function leaveOrganization(context: CommandContext): Promise<void> {
  const { db, actor } = context;
  await db.inWorkspace(actor.workspaceId, async (tx) => {
    const who = await requireManager(context, tx);
    const found = await db.identity.organizations.findByWorkspace(actor.workspaceId, tx);
    if (found === undefined) throw new NotFound('Organization');
    const inside = await requireOrganization(who, found.uuid, 'owner', { tx, lock: true });
    await db.identity.organizations.setOfWorkspace(inside.organization.id, 'outside', tx);
    note(context, tx, inside, 'left');
  });
}

/** Records the act in the logs of both. */
function note(
  { clock, actor }: CommandContext,
  tx: Tx,
  inside: InOrganization,
  what: 'joined' | 'left',
): void {
  const subject = ['organization', inside.organization.id] as const;
  recordAudit(tx, { clock, actor }, `organization:${what}`, { subject });
  const { workspaceId, credential } = actor;
  recordInOrganization(tx, { clock, credential }, inside, `workspace:${what}`, {
    subject: ['workspace', workspaceId],
  });
}

/**
 * The account of the caller, who manages the workspace as one of its own people: a superuser with support access does not
 * speak for it. @throws Forbidden
 */
async function requireManager({ db, clock, actor }: CommandContext, tx: Tx): Promise<OrganizationCaller> {
  actor.require('workspace:write');
  const { accountId } = actor;
  if (actor.credential.kind !== 'session' || accountId === null) {
    throw new Forbidden('session', 'This requires a session. Sign in with a code.', 'session_required');
  }
  const role = await findMemberRole(tx, actor.memberRoleId);
  const support = await db.identity.memberships.supportMemberIds(actor.workspaceId, tx);
  if (role !== undefined && isManagerRole(role) && !support.includes(actor.memberId)) {
    return { db, clock, account: { id: accountId }, credential: actor.credential };
  }
  throw new Forbidden('an admin of the workspace', 'This needs an admin of the workspace.');
}
