import { prepared } from '../statement.js';
import { IdentityTable } from './identity-table.js';
import type { SiteVersionRow } from './models/site-version.js';

/** Which site is asked for, and whether what was read of it is still what it shows. */
export interface SiteStanding extends SiteVersionRow {
  workspaceUuid: string;
  /** The domain that maps to the site; null: none. */
  domain: string | null;
  /** The file with the logo of the organization, and its workspace, which is one of the organization; null: there is none. */
  logoFileId: number | null;
  logoWorkspaceUuid: string | null;
}

const columns = `v.workspace_id as "workspaceId", w.uuid as "workspaceUuid", v.site_id as "siteId",
  v.site_uuid as "siteUuid", v.version, d.domain, l.uuid as "logoWorkspaceUuid",
  case when l.id is not null then o.logo_file_id end as "logoFileId"`;

const logo = `left join identity.organizations o on o.id = w.organization_id
       left join identity.workspaces l on l.id = o.logo_workspace_id and l.organization_id = o.id`;

/** The versions of sites, by which visitors find a site before a workspace is known. */
export class SiteVersions extends IdentityTable {
  /** @param uuid in lower case */
  async ofUuid(uuid: string): Promise<SiteStanding | undefined> {
    const [found] = await prepared<SiteStanding>(
      this.knex,
      `select ${columns} from identity.site_versions v
       join identity.workspaces w on w.id = v.workspace_id
       left join identity.site_domains d
         on d.workspace_id = v.workspace_id and d.site_id = v.site_id and d.proved_at is not null
       ${logo}
       where v.site_uuid = ?::uuid`,
      [uuid],
    );
    return found;
  }

  /** The site that a domain maps to. It is compared exactly. */
  async ofDomain(domain: string): Promise<SiteStanding | undefined> {
    const [found] = await prepared<SiteStanding>(
      this.knex,
      `select ${columns} from identity.site_domains d
       join identity.site_versions v on v.workspace_id = d.workspace_id and v.site_id = d.site_id
       join identity.workspaces w on w.id = v.workspace_id
       ${logo}
       where d.domain = ? and d.proved_at is not null`,
      [domain],
    );
    return found;
  }
}
