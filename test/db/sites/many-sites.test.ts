import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findIconIn, findSiteFile } from '../../../db/files/site-files.js';
import { findSiteByUuid, selectSites } from '../../../db/sites/sites.js';
import type { Tx } from '../../../db/tx.js';
import { explaining } from '../../support/db/explained.js';
import { fillTables } from '../../support/db/fill-tables.js';
import { createWorkspace, type TestWorkspace } from '../../support/workspace/factories.js';
import { useWorkspace } from '../../support/workspace/use-workspace.js';

/** A million in CI. */
const total = Number(process.env.TEST_ROWS ?? 200_000);
const stage = useWorkspace();
let superuser: pg.Client;
let other: TestWorkspace;
const uuid = '11111111-2222-4333-8444-555555555555';
let ids: { site: number; file: number; folder: number };

/** Each of many workspaces has up to a hundred sites; the rows of one other stand for all of them. */
beforeAll(async () => {
  other = await createWorkspace(stage.database.database);
  superuser = new pg.Client({ connectionString: stage.database.superuserUrl });
  await superuser.connect();
  const tables = ['sites', 'identity.site_versions', 'identity.site_domains', 'folders', 'files'];
  ids = await fillTables(superuser, tables, async () => {
    await superuser.query(
      `insert into sites (workspace_id, name, slug) select $1, 'Site ' || i, 's' || i from generate_series(1, $2::bigint) i`,
      [other.workspaceId, total],
    );
    // Without triggers, nothing writes them.
    await superuser.query(
      `insert into identity.site_versions (site_uuid, workspace_id, site_id)
       select uuid, workspace_id, id from sites where workspace_id = $1`,
      [other.workspaceId],
    );
    await superuser.query(
      `insert into identity.site_domains (workspace_id, site_id, domain, challenge, proved_at, check_at)
       select $1, id, 'd' || row_number() over (order by id) || '.example', 'c', now(),
         now() + row_number() over (order by id) * interval '1 second' from sites where workspace_id = $1`,
      [other.workspaceId],
    );
    await superuser.query(
      `insert into sites (workspace_id, name, slug) select $1, 'Site ' || i, 's' || i from generate_series(1, 99) i`,
      [stage.workspace.workspaceId],
    );
    const site = await superuser.query(
      `insert into sites (workspace_id, name, slug, uuid) values ($1, 'Mine', 'mine', $2) returning id`,
      [stage.workspace.workspaceId, uuid],
    );
    const folder = await superuser.query(
      `insert into folders (workspace_id, name, slug) values ($1, 'Assets', 'assets') returning id`,
      [stage.workspace.workspaceId],
    );
    const files = await superuser.query(
      `insert into files (workspace_id, title, filename, mime_type, kind, file_size, access, current_version_id, site_id, folder_id)
       select $1, 'Scan', 'scan.pdf', 'application/pdf', 'document', 1, 'workspace', 1, null, $2
       from generate_series(1, $3::bigint) i returning id`,
      [stage.workspace.workspaceId, folder.rows[0].id, Math.floor(total / 4)],
    );
    return {
      site: Number(site.rows[0].id),
      folder: Number(folder.rows[0].id),
      file: Number(files.rows[0].id),
    };
  });
}, 300_000);
afterAll(() => superuser.end());

async function explain(work: (tx: Tx) => Promise<unknown>, tables: RegExp) {
  const { workspaceId } = stage.workspace;
  const plans = await explaining(
    stage.database.appUrl,
    workspaceId,
    (db) => db.inWorkspace(workspaceId, work),
    tables,
  );
  expect(plans.length).toBeGreaterThan(0);
  return { rows: Math.max(...plans.map(({ rows }) => rows)), scans: plans.flatMap(({ scans }) => scans) };
}

describe.each(['never analysed', 'analysed'])('among many sites, %s', (state) => {
  beforeAll(async () => {
    if (state === 'analysed')
      await superuser.query('analyze sites, files, folders, identity.site_domains, identity.site_versions');
  }, 300_000);

  it('one is found by its uuid', async () => {
    const { rows, scans } = await explain((tx) => findSiteByUuid(tx, uuid), /\bsites\b/);
    expect(scans.filter((scan) => scan.startsWith('Seq Scan'))).toEqual([]);
    // Without statistics, the index of the sites of the workspace may be taken, of which there are a hundred at most.
    expect(rows).toBeLessThanOrEqual(100);
  });

  it.each(['address', 'domain'] as const)('which one is asked for is found by its %s', async (by) => {
    const { rows: found } = await superuser.query(
      `select s.uuid, d.domain from identity.site_domains d join sites s on s.id = d.site_id and s.workspace_id = d.workspace_id
       where d.domain = 'd7.example'`,
    );
    const [site] = found as { uuid: string; domain: string }[];
    if (site === undefined) throw new Error('there is no site');
    let standing: unknown;
    const [plan] = await explaining(
      stage.database.appUrl,
      stage.workspace.workspaceId,
      async ({ identity: { siteVersions } }) => {
        standing = await (by === 'domain'
          ? siteVersions.ofDomain(site.domain)
          : siteVersions.ofUuid(site.uuid));
      },
      /site_versions/,
    );
    expect(standing).toMatchObject({ siteUuid: site.uuid, domain: site.domain });
    const scans = plan?.scans.filter((scan) => /^Seq Scan site_/.test(scan));
    expect(scans).toEqual([]);
    expect(plan?.rows).toBeLessThanOrEqual(20);
  });

  it('those of a workspace are listed without reading those of others', async () => {
    const page = { page: 1, pageSize: 25, sortBy: 'name', sortOrder: 'asc' } as const;
    const { rows } = await explain((tx) => selectSites(tx, { search: 'Mine' }, page), /\bsites\b/);
    expect(rows).toBeLessThanOrEqual(1_000);
  });

  it('a file is found to be of a site by its own folders alone', async () => {
    const site = { id: ids.site, assetsFolderId: ids.folder };
    const { rows, scans } = await explain((tx) => findSiteFile(tx, ids.file, site, 10), /\bfiles\b/);
    expect(scans.filter((scan) => scan.startsWith('Seq Scan on files'))).toEqual([]);
    expect(rows).toBeLessThanOrEqual(20);
  });

  it('its icon is found among many files of a folder', async () => {
    const { rows, scans } = await explain((tx) => findIconIn(tx, ids.folder), /\bfiles\b/);
    expect(scans).toContain('Index Scan files_icons');
    expect(rows).toBeLessThanOrEqual(5);
  });

  it('a domain is looked up, and those that are due are taken, by their indexes', async () => {
    const plan = async (text: string, values: unknown[]) =>
      JSON.stringify((await superuser.query(`explain (format json) ${text}`, values)).rows);
    const found = await plan(
      `select site_id from identity.site_domains where domain = $1 and proved_at is not null`,
      ['d7.example'],
    );
    expect(found).toContain('site_domains_mapped');
    const due = await plan(
      `select id from identity.site_domains where proved_at is not null and check_at <= $1 order by check_at, id limit 20`,
      [new Date()],
    );
    expect(due).toContain('site_domains_to_check');
    const unproved = await plan(
      `select id from identity.site_domains where proved_at is null and coalesce(lapsed_at, created_at) <= $1
       and (coalesce(lapsed_at, created_at), id) > ($2, $3) order by coalesce(lapsed_at, created_at), id limit 20`,
      [new Date(), new Date(0), 0],
    );
    expect(unproved).toContain('site_domains_unproved');
    const began = performance.now();
    const taken = await stage.database.database.identity.siteDomains.takeDue(
      new Date(Date.now() + 15_000),
      new Date(Date.now() + 3_600_000),
      20,
    );
    expect(taken.length).toBeLessThanOrEqual(20);
    expect(performance.now() - began).toBeLessThan(8_000);
  });
});
