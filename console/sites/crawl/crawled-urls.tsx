import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Choice } from '../../kit/choice.js';
import { type Column, Grid } from '../../kit/grid.js';
import { Status } from '../../kit/page.js';
import { Ago } from '../../kit/times.js';
import { type CrawledUrl, crawledUrls, pageSize, type SitePath } from '../queries.js';
import styles from '../sites.module.css';
import { useCrawlTexts } from './texts.js';

const bad = ['not_found', 'refused', 'failed', 'unreadable', 'too_large', 'address_refused', 'invalid_url'];
const good = ['created', 'updated', 'unchanged'];
const toneOf = (outcome: string) =>
  good.includes(outcome) ? 'done' : bad.includes(outcome) ? 'warning' : 'quiet';

/** The addresses that the last crawl has come across, and what became of each. */
export function CrawledUrls({ at, isUnderWay }: { at: SitePath; isUnderWay: boolean }): ReactNode {
  const texts = useCrawlTexts();
  const search = useSearch({ from: '/w/$workspace/sites/$siteId/crawl' });
  const navigate = useNavigate({ from: '/w/$workspace/sites/$siteId/crawl' });
  const outcomes = Object.keys(texts.outcomes) as (keyof typeof texts.outcomes)[];
  const outcome = outcomes.find((one) => one === search.outcome);
  const params = { workspace: at.uuid, siteId: String(at.siteId) };
  const columns: Column<CrawledUrl>[] = [
    {
      id: 'url',
      title: texts.address,
      cell: ({ url }) => (
        <a href={url} target="_blank" rel="noreferrer" title={url}>
          {url}
        </a>
      ),
    },
    {
      id: 'outcome',
      title: texts.outcome,
      width: '18rem',
      cell: ({ outcome: one, httpStatus }) =>
        one === null ? (
          <Status>{texts.queued}</Status>
        ) : (
          <>
            <Status tone={toneOf(one)}>{texts.outcomes[one]}</Status> {httpStatus === 200 ? null : httpStatus}
          </>
        ),
    },
    {
      id: 'page',
      title: texts.page,
      width: '8rem',
      cell: ({ pageId }) =>
        pageId === null ? null : (
          <Link to="/w/$workspace/sites/$siteId/pages/$pageId" params={{ ...params, pageId: String(pageId) }}>
            {texts.toPage}
          </Link>
        ),
    },
    {
      id: 'at',
      title: texts.fetchedAt,
      width: '8rem',
      cell: ({ fetchedAt }) => (fetchedAt === null ? null : <Ago at={fetchedAt} />),
    },
  ];
  return (
    <>
      <search className="filters">
        <Choice
          label={texts.outcome}
          all={texts.allOutcomes}
          value={outcome}
          options={outcomes.map((one) => [one, texts.outcomes[one]] as const)}
          onChange={(chosen) => void navigate({ search: { outcome: chosen }, replace: true })}
        />
      </search>
      <div className={styles.tall}>
        <Grid
          label={texts.urls}
          columns={columns}
          pageSize={pageSize}
          page={(page) => crawledUrls(at, outcome, isUnderWay, page)}
          empty={outcome === undefined ? texts.noUrls : texts.noUrlsFound}
        />
      </div>
    </>
  );
}
