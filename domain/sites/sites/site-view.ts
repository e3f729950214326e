import type { Database } from '../../../db/database.js';
import type { SiteDomainRow } from '../../../db/identity/models/site-domain.js';
import { selectMemberRoles } from '../../../db/people/member-roles.js';
import type { SiteRow } from '../../../db/sites/sites.js';
import type { Tx } from '../../../db/tx.js';
import { permissionBits, permissionsWith } from '../../files/file-access.js';
import { findLogo, type Logo } from '../../identity/organizations/logo.js';
import type { Actor } from '../../kernel/actor.js';

/** A site with what other rows say of it. */
export interface SiteView extends SiteRow {
  workspaceUuid: string;
  workspaceName: string;
  /** The domain that the site claims. */
  domain: SiteDomainRow | undefined;
  signupMemberRoleName: string | null;
  /** The logo of the organization of the workspace. */
  logo: Logo | undefined;
  /** What the caller may do with the site, as bits. */
  permissions: number;
  /** Whether the caller is a member of the workspace. */
  authorized: boolean;
  /** Whether the caller works on sites, and not only reads them. */
  isForTeam: boolean;
}

interface Viewing {
  db: Database;
  workspaceId: number;
  /** Undefined: a visitor. */
  actor: Actor | undefined;
}

/**
 * What the sites that `read` finds look like to a caller. The logo is read afterwards: it may be in another workspace, and a
 * transaction that waited for a second connection could hold up the first.
 */
export async function viewSites(
  { db, workspaceId, actor }: Viewing,
  read: (tx: Tx) => Promise<readonly SiteRow[]>,
  access: 'read' | 'write' = 'read',
): Promise<SiteView[]> {
  const work = async (tx: Tx): Promise<Omit<SiteView, 'logo'>[]> => {
    const sites = await read(tx);
    if (sites.length === 0) return [];
    const [workspace, domains, roles] = await Promise.all([
      db.identity.workspaces.findById(workspaceId, tx),
      db.identity.siteDomains.ofSites(
        workspaceId,
        sites.map(({ id }) => id),
        tx,
      ),
      selectMemberRoles(tx),
    ]);
    if (workspace === undefined) throw new Error(`there is no workspace ${workspaceId}`);
    return sites.map((site) => ({
      ...site,
      workspaceUuid: workspace.uuid,
      workspaceName: workspace.name,
      domain: domains.get(site.id),
      signupMemberRoleName: roles.find(({ id }) => id === site.signupMemberRoleId)?.name ?? null,
      permissions: actor === undefined ? permissionBits.read : permissionsWith(actor.can('sites:write')),
      authorized: actor !== undefined,
      isForTeam: actor !== undefined && (actor.can('sites:read') || actor.can('sites:write')),
    }));
  };
  const views = await (access === 'read'
    ? db.readInWorkspace(workspaceId, work)
    : db.inWorkspace(workspaceId, work));
  const logo = views.length === 0 ? undefined : await logoOf(db, workspaceId);
  return views.map((view) => ({ ...view, logo }));
}

/** `viewSites` for one. */
export async function viewSite(
  viewing: Viewing,
  read: (tx: Tx) => Promise<SiteRow>,
  access: 'read' | 'write' = 'read',
): Promise<SiteView> {
  const [view] = await viewSites(viewing, async (tx) => [await read(tx)], access);
  if (view === undefined) throw new Error('a site without a view');
  return view;
}

async function logoOf(db: Database, workspaceId: number): Promise<Logo | undefined> {
  const organization = await db.identity.organizations.findByWorkspace(workspaceId);
  if (organization === undefined || organization.logoFileId === null) return undefined;
  return findLogo(db, organization, await db.identity.organizations.workspacesOf(organization.id));
}
