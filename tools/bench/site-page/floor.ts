import { serveFloor } from '../support/serve-floor.js';

/*
 * The floor of a page of a site: reads the stored HTML of a published page by its slug under the same row-level security, and
 * answers with it. It has no menu, no theme, no ETag, no limits and no log.
 */

serveFloor(/^\/w\/(\d+)\/pages\/(\d+)\/([a-z0-9-]+)$/, async ({ client, ids: [, siteId, slug] }) => {
  const { rows } = await client.query(
    `select d.published_html from site_pages p join site_page_documents d on d.page_id = p.id
     where p.site_id = $1 and p.slug = $2 and p.published_at is not null and d.published_version is not null`,
    [siteId, slug],
  );
  return rows[0].published_html;
});
