import { type ReactNode, useState } from 'react';
import { answer, api } from '../../kit/api.js';
import { AsksFirst } from '../../kit/asks-first.js';
import { Form, InputField } from '../../kit/field.js';
import { Facts, Section } from '../../kit/page.js';
import { At } from '../../kit/times.js';
import { useAct } from '../../kit/use-act.js';
import { filled } from '../../texts/texts.js';
import { pathOf, sitesChanged } from '../queries.js';
import styles from '../sites.module.css';
import { type OpenSite, WithSite } from '../with-site.js';
import { CrawlSchedule } from './crawl-schedule.js';
import { CrawledUrls } from './crawled-urls.js';
import { useCrawlTexts } from './texts.js';

/** Another site that is read into this one. */
export function CrawlPage(): ReactNode {
  return <WithSite>{(open) => <CrawlOfSite key={open.site.id} open={open} />}</WithSite>;
}

function CrawlOfSite({ open }: { open: OpenSite }): ReactNode {
  const texts = useCrawlTexts();
  const { at, site, mayChange } = open;
  return (
    <>
      <Section title={texts.title}>
        <p className="quiet">{texts.help}</p>
        <Progress open={open} />
        {mayChange && site.crawl !== true ? <StartCrawl open={open} /> : null}
      </Section>
      <Section title={texts.schedule}>
        <CrawlSchedule at={at} hasUrl={site.crawlUrl != null} mayChange={mayChange} />
      </Section>
      {site.crawlStartedAt == null ? null : (
        <Section title={texts.urls}>
          <CrawledUrls key={site.crawlJobId} at={at} isUnderWay={site.crawl === true} />
        </Section>
      )}
    </>
  );
}

function Progress({ open: { at, site, mayChange } }: { open: OpenSite }): ReactNode {
  const texts = useCrawlTexts();
  if (site.crawlStartedAt == null) return null;
  const count = site.crawlCompleted ?? 0;
  const error = site.crawlError;
  return (
    <>
      {site.crawl === true ? (
        <div className="acts">
          <span role="status">{filled(texts.underWay, { count, limit: site.crawlLimit ?? 200 })}</span>
          <progress aria-label={texts.progress} value={count} max={site.crawlLimit ?? 200} />
          {mayChange ? (
            <AsksFirst
              title={texts.cancel}
              help={texts.cancelHelp}
              changes={sitesChanged}
              act={() =>
                answer(
                  api.POST('/w/{workspace_uuid}/sites/{site_id}/crawl/cancel', {
                    params: { path: pathOf(at) },
                  }),
                )
              }
            />
          ) : null}
        </div>
      ) : null}
      {error == null ? null : (
        <p role="status" className={styles.warning}>
          {(texts.errors as Record<string, string>)[error] ?? error}
        </p>
      )}
      <Facts
        facts={[
          [texts.startedAt, <At key="start" at={site.crawlStartedAt} withDay />],
          [texts.completedAt, site.crawlCompletedAt && <At key="end" at={site.crawlCompletedAt} withDay />],
          [texts.failedAt, site.crawlFailedAt && <At key="fail" at={site.crawlFailedAt} withDay />],
          [texts.read, count],
          [texts.readBefore, site.crawlPrevious],
        ]}
      />
    </>
  );
}

function StartCrawl({ open: { at, site } }: { open: OpenSite }): ReactNode {
  const texts = useCrawlTexts();
  const [url, setUrl] = useState(site.crawlUrl ?? '');
  const [limit, setLimit] = useState(site.crawlLimit ?? 200);
  const [tags, setTags] = useState((site.crawlExcludedTags ?? []).join(' '));
  const start = useAct(
    () =>
      answer(
        api.POST('/w/{workspace_uuid}/sites/{site_id}/crawl', {
          params: { path: pathOf(at) },
          body: { url: url.trim(), limit, excludedTags: tags.split(/[\s,]+/).filter((tag) => tag !== '') },
        }),
      ),
    ...sitesChanged,
  );
  return (
    <div className={styles.form}>
      <Form error={start.error} onSubmit={() => start.mutate()}>
        <InputField
          label={texts.url}
          pointer="/url"
          type="url"
          required
          maxLength={1_000}
          placeholder="https://"
          value={url}
          onChange={({ target }) => setUrl(target.value)}
        />
        <InputField
          label={texts.limit}
          pointer="/limit"
          type="number"
          required
          min={1}
          max={1_000}
          value={Number.isNaN(limit) ? '' : limit}
          onChange={({ target }) => setLimit(target.valueAsNumber)}
        />
        <InputField
          label={texts.tags}
          pointer="/excludedTags"
          hint={texts.tagsHint}
          autoCapitalize="none"
          spellCheck={false}
          value={tags}
          onChange={({ target }) => setTags(target.value)}
        />
        <div className="acts">
          <button type="submit" className="primary" disabled={start.isPending}>
            {texts.start}
          </button>
        </div>
      </Form>
    </div>
  );
}
