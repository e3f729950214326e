import type { OrganizationRow } from '../../../db/identity/models/organization.js';
import type { ServiceContext } from '../../kernel/context.js';
import { NotFound } from '../../lib/errors.js';
import { findLogo, type Logo } from './logo.js';

const uuidForm = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** What a page for signing in shows to everybody. */
export interface PublicOrganization {
  organization: OrganizationRow;
  logo: Logo | undefined;
  /** Whether people can sign in by its identity provider. */
  hasProvider: boolean;
}

/** Finds an organization by exactly its uuid or its slug. @throws NotFound */
export async function findOrganization(
  { db }: Pick<ServiceContext, 'db'>,
  uuidOrSlug: string,
): Promise<OrganizationRow> {
  const { organizations } = db.identity;
  const found = uuidForm.test(uuidOrSlug)
    ? await organizations.findByUuid(uuidOrSlug)
    : await organizations.findBySlug(uuidOrSlug);
  if (found === undefined) throw new NotFound('Organization');
  return found;
}

/** @throws NotFound */
export async function getPublicOrganization(
  context: ServiceContext,
  uuidOrSlug: string,
): Promise<PublicOrganization> {
  const organization = await findOrganization(context, uuidOrSlug);
  const { db } = context;
  const hasProvider = (await db.identity.identityProviders.find(organization.id)) !== undefined;
  if (organization.logoWorkspaceId === null) return { organization, logo: undefined, hasProvider };
  const workspaces = await db.identity.organizations.workspacesOf(organization.id);
  return { organization, logo: await findLogo(db, organization, workspaces), hasProvider };
}
