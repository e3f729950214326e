import { prepared } from '../statement.js';
import type { Tx } from '../tx.js';

const ofPage = `slug, published_at, source_metadata, source_html, source_markdown, source_url, crawled_at`;

const ofDocument = `locale, version, title, meta_description, content, html, markdown, amp, content_bytes,
  published_version, published_title, published_meta_description, published_content, published_html,
  published_markdown, published_amp, published_at`;

const inDocument = ofDocument
  .split(',')
  .map((column) => `d.${column.trim()}`)
  .join(', ');

/**
 * Copies the pages of a site to another one without pages, with what editors have and what visitors read; without revisions,
 * earlier slugs and times of publication.
 * @returns the copies by the ids of their originals
 */
export async function copySitePages(
  tx: Tx,
  { from, to }: { from: number; to: number },
  { memberId, now }: { memberId: number; now: Date },
): Promise<Map<number, number>> {
  await prepared(
    tx,
    `insert into site_pages (workspace_id, site_id, ${ofPage}, created_by_member_id, created_at, updated_at)
     select workspace_id, ?, ${ofPage}, ?, ?, ? from site_pages where site_id = ? order by id`,
    [to, memberId, now, now, from],
  );
  const copies = await prepared<{ original: number; copy: number }>(
    tx,
    `select o.id as original, c.id as copy from site_pages o
     join site_pages c on c.site_id = ? and c.slug = o.slug where o.site_id = ?`,
    [to, from],
  );
  await prepared(
    tx,
    `insert into site_page_documents (workspace_id, site_id, page_id, ${ofDocument}, edited_by_member_id,
       created_at, updated_at)
     select d.workspace_id, ?, copies.copy, ${inDocument}, d.edited_by_member_id, ?, ?
     from site_page_documents d
     join unnest(?::bigint[], ?::bigint[]) as copies(original, copy) on copies.original = d.page_id
     where d.site_id = ? order by d.id`,
    [to, now, now, copies.map(({ original }) => original), copies.map(({ copy }) => copy), from],
  );
  return new Map(copies.map(({ original, copy }) => [original, copy]));
}
