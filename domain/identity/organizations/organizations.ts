import type { WithinWorkspaces } from '../../../db/database.js';
import type { OrganizationRow } from '../../../db/identity/models/organization.js';
import type { OrganizationRole } from '../../../db/identity/models/organization-member.js';
import type { WorkspaceOfOrganization } from '../../../db/identity/organizations.js';
import { violatedConstraint } from '../../../db/postgres-errors.js';
import type { IdentityTx } from '../../../db/tx.js';
import { type AccountContext, requireSuperuser } from '../../kernel/account-context.js';
import {
  givenNames,
  recordAccountAudit,
  recordAuditOfNobody,
  recordOrganizationAudit,
} from '../../kernel/audit/record-audit.js';
import type { InstallationPolicy } from '../../kernel/installation-policy.js';
import { Conflict, Forbidden, InvalidInput, NotFound } from '../../lib/errors.js';
import type { PageOf, PageRequest } from '../../lib/paging.js';
import { checkLogo, type LogoInput } from './logo.js';
import {
  checkOrganizationAttributes,
  type OrganizationAttributes,
  organizationSlugsFrom,
  organizationSlugTaken,
} from './organization-attributes.js';
import { recordInOrganization, requireOrganization } from './require-organization.js';

/** What a member sees of its organization. */
export interface OrganizationView {
  organization: OrganizationRow;
  /** Null: a superuser who is no member. */
  role: OrganizationRole | null;
  /** Undefined where they were not asked for: in lists, and for plain members. */
  workspaces?: WorkspaceOfOrganization[];
}

/**
 * Creates an organization with the caller as its owner, within the policy of the installation for workspaces.
 * @throws Forbidden, InvalidInput, Conflict `too_many_organizations`
 */
export async function createOrganization(
  context: AccountContext & { policy: InstallationPolicy },
  input: OrganizationAttributes & { name: string; uuid?: string },
): Promise<OrganizationView> {
  const { db, clock, account, credential, policy } = context;
  if (policy.workspaceCreation === 'superusers') requireSuperuser(context);
  if (credential.workspaceId !== null) {
    throw new Forbidden('other workspaces', 'The credential is limited to one workspace.');
  }
  const { slug, name, joinDomains, uuid } = checkOrganizationAttributes(input);
  const now = clock.now();
  return db.inIdentity(async (tx) => {
    // The row lock of the account makes concurrent requests count one after the other.
    await db.identity.accounts.lock(account.id, tx);
    const created = await db.identity.organizations.countCreatedBy(account.id, tx);
    if (!account.isSuperuser && created >= policy.workspacesPerAccount) {
      const most = `The account has created ${policy.workspacesPerAccount} organizations, the most it may.`;
      throw new Conflict('too_many_organizations', most);
    }
    for (const candidate of slug === undefined ? organizationSlugsFrom(name) : [slug]) {
      const row = { name, slug: candidate, createdByAccountId: account.id, createdAt: now, updatedAt: now };
      const inserted = await db.identity.organizations.insert({ ...row, uuid }, tx);
      if (inserted === undefined) continue;
      const organization =
        joinDomains === undefined
          ? inserted
          : await db.identity.organizations.update(inserted.id, { joinDomains }, tx);
      const { name: ownName, email, emailVerifiedAt } = account;
      const member = await db.identity.organizationMembers.add(
        {
          organizationId: organization.id,
          accountId: account.id,
          role: 'owner',
          name: ownName,
          email: emailVerifiedAt === null ? null : email,
          joinedBy: 'founding',
          createdAt: now,
        },
        tx,
      );
      recordInOrganization(tx, context, { organization, member }, 'organization:created');
      return { organization, role: 'owner', workspaces: [] };
    }
    throw organizationSlugTaken();
  });
}

/** The organizations that the caller is an active member of, and in which its credential is good. */
export async function listOrganizations(
  { db, account, credential }: AccountContext,
  page: PageRequest<'name' | 'createdAt'>,
): Promise<PageOf<OrganizationView>> {
  const { items, ...rest } = await db.identity.organizations.listForAccount(
    account.id,
    page,
    credential.organizationId,
  );
  return { ...rest, items: items.map(({ role, ...organization }) => ({ organization, role })) };
}

/** An organization of the caller; owners and admins see its workspaces. @throws NotFound */
export async function getOrganization(context: AccountContext, uuid: string): Promise<OrganizationView> {
  const { organization, member } = await requireOrganization(context, uuid, 'member');
  if (member.role === 'member') return { organization, role: member.role };
  const workspaces = await context.db.identity.organizations.workspacesOf(organization.id);
  return { organization, role: member.role, workspaces };
}

export type OrganizationUpdate = OrganizationAttributes & {
  logo?: LogoInput | null;
  anyoneMayJoin?: boolean;
  publicPath?: string | null;
  ssoOnly?: boolean;
};

/**
 * For owners; fields that are left out stay unchanged. A superuser may end `ssoOnly` of any organization, and nothing else:
 * the way back if its identity provider is lost.
 * @throws NotFound, Forbidden, InvalidInput, Conflict `sso_unproved`
 */
export async function updateOrganization(
  context: AccountContext,
  uuid: string,
  input: OrganizationUpdate,
): Promise<OrganizationView> {
  const { db, clock } = context;
  const { logo, ssoOnly, publicPath, ...attributes } = input;
  const checked = checkOrganizationAttributes(attributes);
  try {
    return await db.inIdentity(async (tx, within) => {
      if (isRescue(context, input)) return await endSsoOnly(context, tx, within, uuid);
      const own = await requireOrganization(context, uuid, 'owner', { tx, lock: true });
      const { organization, member } = own;
      const workspaces = await db.identity.organizations.workspacesOf(organization.id, tx);
      const place =
        logo === undefined
          ? {}
          : logo === null
            ? { logoWorkspaceId: null, logoFileId: null }
            : await checkLogo(within, workspaces, logo);
      const after = { ...organization, ...omitUndefined({ ssoOnly, publicPath }) };
      if (after.ssoOnly && after.publicPath === null) {
        throw InvalidInput.field('/publicPath', 'is needed for ssoOnly: the carrier calls back below it');
      }
      if (after.ssoOnly && !organization.ssoOnly) await requireProvedSso(context, tx, organization);
      const access = { ssoOnly: after.ssoOnly, publicPath: after.publicPath };
      const changes = { ...checked, ...place, ...access, updatedAt: clock.now() };
      const updated = await db.identity.organizations.update(organization.id, changes, tx);
      recordInOrganization(tx, context, own, 'organization:updated', { names: givenNames(input) });
      if (updated.ssoOnly !== organization.ssoOnly)
        await tellWorkspaces(context, within, workspaces, updated);
      return { organization: updated, role: member.role, workspaces };
    });
  } catch (error) {
    if (violatedConstraint(error) === 'organizations_slug_key') throw organizationSlugTaken();
    throw error;
  }
}

/** Nobody is locked out by a provider that does not work. @throws Conflict `sso_unproved` */
async function requireProvedSso(
  { db, clock, credential }: AccountContext,
  tx: IdentityTx,
  { id: organizationId }: OrganizationRow,
): Promise<void> {
  const provider = await db.identity.identityProviders.find(organizationId, tx);
  const session = { organizationId, sessionId: credential.id };
  const isOpen = await db.identity.organizationSessions.isOpenBySso(session, clock.now(), tx);
  if (provider !== undefined && isOpen) return;
  throw new Conflict('sso_unproved', 'Sign in by the identity provider first: that shows that it works.');
}

function isRescue({ account }: AccountContext, input: OrganizationUpdate): boolean {
  return account.isSuperuser && input.ssoOnly === false && Object.keys(input).length === 1;
}

/** Records in the logs of the workspaces that other credentials are good for nothing, or good again. */
async function tellWorkspaces(
  { clock }: AccountContext,
  within: WithinWorkspaces,
  workspaces: readonly WorkspaceOfOrganization[],
  { ssoOnly, id }: OrganizationRow,
): Promise<void> {
  const action = ssoOnly ? 'sso_only:begun' : 'sso_only:ended';
  for (const workspace of workspaces) {
    await within.inWorkspace(workspace.id, async (entered) =>
      recordAuditOfNobody(entered, { now: clock.now() }, action, { subject: ['organization', id] }),
    );
  }
}

async function endSsoOnly(
  context: AccountContext,
  tx: IdentityTx,
  within: WithinWorkspaces,
  uuid: string,
): Promise<OrganizationView> {
  requireSuperuser(context);
  const { db, clock, account, credential } = context;
  const { organizations, organizationMembers } = db.identity;
  const organization = await organizations.lockByUuid(uuid, tx);
  if (organization === undefined) throw new NotFound('Organization');
  const now = clock.now();
  const updated = await organizations.update(organization.id, { ssoOnly: false, updatedAt: now }, tx);
  const member = await organizationMembers.find(organization.id, account.id, tx);
  const by = { now, credential, ...(member === undefined ? {} : { member }) };
  recordOrganizationAudit(tx, by, organization.id, 'organization:updated', { names: ['ssoOnly'] });
  const note = { subject: ['organization', organization.id], names: ['ssoOnly'] } as const;
  recordAccountAudit(tx, { now, credential }, account.id, 'organization:updated', note);
  if (organization.ssoOnly) {
    const workspaces = await organizations.workspacesOf(organization.id, tx);
    await tellWorkspaces(context, within, workspaces, updated);
  }
  return { organization: updated, role: member?.role ?? null };
}

function omitUndefined<Values extends object>(
  values: Values,
): { [Name in keyof Values]?: Exclude<Values[Name], undefined> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as never;
}
