import { useQueries } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { filled } from '../../texts/texts.js';
import { foundPages, type SitePath } from '../queries.js';
import styles from '../sites.module.css';
import type { Blocks } from './queries.js';
import { useEditorTexts } from './texts.js';

/** As many are checked: each is a request. */
const mostChecked = 20;
const pagePath = /^\/([a-z0-9_-]+)\/?(?:[?#].*)?$/;

/** The pages of the same site that a document leads to, by their slugs. */
export function slugsIn(node: unknown): Set<string> {
  if (Array.isArray(node)) return new Set(node.flatMap((one) => [...slugsIn(one)]));
  if (typeof node !== 'object' || node === null) return new Set();
  const { type, attrs, content, marks } = node as Record<string, unknown>;
  const href = type === 'link' ? String((attrs as Record<string, unknown> | undefined)?.href ?? '') : '';
  const slug = pagePath.exec(href)?.[1];
  return new Set([...(slug === undefined ? [] : [slug]), ...slugsIn(content), ...slugsIn(marks)]);
}

/** Says which links lead to no page of the site, or to one that visitors do not read. */
export function Links({ at, blocks }: { at: SitePath; blocks: Blocks }): ReactNode {
  const texts = useEditorTexts();
  const slugs = [...slugsIn(blocks)].slice(0, mostChecked);
  const found = useQueries({ queries: slugs.map((slug) => foundPages(at, slug)) });
  const problems = slugs.flatMap((slug, index) => {
    const { items, total } = found[index]?.data ?? { items: [], total: 1 };
    const page = items.find((one) => one.slug === slug);
    // Among more pages than were read it may be there.
    if (page?.status === 'published' || (page === undefined && total > items.length)) return [];
    return [filled(page === undefined ? texts.leadsNowhere : texts.leadsToDraft, { address: `/${slug}` })];
  });
  if (problems.length === 0) return null;
  return (
    <div role="status" className={styles.warning}>
      {problems.map((problem) => (
        <p key={problem}>{problem}</p>
      ))}
    </div>
  );
}
