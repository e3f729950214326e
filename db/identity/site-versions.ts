import { prepared } from '../statement.js';
import { IdentityTable } from './columns.js';

/** Which site is asked for, and whether what was read of it is still what it shows. */
export interface SiteStanding {
  workspaceId: number;
  workspaceUuid: string;
  siteId: number;
  siteUuid: string;
  /** Rises with whatever visitors see of the site. Triggers of the database raise it (migration 0163). */
  version: number;
  /** The domain that maps to the site; null: none. */
  domain: string | null;
}

const columns = `v.workspace_id as "workspaceId", w.uuid as "workspaceUuid", v.site_id as "siteId",
  v.site_uuid as "siteUuid", v.version, d.domain`;

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
       where d.domain = ? and d.proved_at is not null`,
      [domain],
    );
    return found;
  }
}
