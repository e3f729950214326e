import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { answer, api } from '../../kit/api.js';
import { ErrorNotice } from '../../kit/error-notice.js';
import { Facts } from '../../kit/page.js';
import { Read } from '../../kit/read.js';
import { At } from '../../kit/times.js';
import { useAct } from '../../kit/use-act.js';
import { pathOf, type SitePath, scheduleQuery, sitesChanged } from '../queries.js';
import styles from '../sites.module.css';
import { useCrawlTexts } from './texts.js';

interface Props {
  at: SitePath;
  /** Whether the site says where a crawl begins. */
  hasUrl: boolean;
  mayChange: boolean;
}

const intervals = ['daily', 'weekly'] as const;

/** How often the other site is read again. */
export function CrawlSchedule({ at, hasUrl, mayChange }: Props): ReactNode {
  const texts = useCrawlTexts();
  const schedule = useQuery(scheduleQuery(at));
  const params = { path: pathOf(at) };
  const set = useAct(
    async (interval: (typeof intervals)[number] | 'never'): Promise<unknown> =>
      interval === 'never'
        ? answer(api.DELETE('/w/{workspace_uuid}/sites/{site_id}/crawl/schedule', { params }))
        : answer(
            api.PUT('/w/{workspace_uuid}/sites/{site_id}/crawl/schedule', { params, body: { interval } }),
          ),
    ...sitesChanged,
  );
  return (
    <Read query={schedule}>
      {(found) => (
        <>
          <div className="acts">
            <label>
              {texts.again}{' '}
              <select
                value={found?.interval ?? 'never'}
                disabled={!mayChange || set.isPending || (!hasUrl && found === null)}
                onChange={({ target }) =>
                  set.mutate(intervals.find((one) => one === target.value) ?? 'never')
                }
              >
                <option value="never">{texts.intervals.never}</option>
                {intervals.map((one) => (
                  <option key={one} value={one}>
                    {texts.intervals[one]}
                  </option>
                ))}
              </select>
            </label>
            {hasUrl || found !== null ? null : <span className="quiet">{texts.needsUrl}</span>}
          </div>
          <ErrorNotice error={set.error} />
          {found?.skipReason == null ? null : (
            <p role="status" className={styles.warning}>
              {texts.skipReasons[found.skipReason]}
            </p>
          )}
          {found === null ? null : (
            <Facts
              facts={[
                [texts.nextAt, <At key="next" at={found.nextAt} withDay />],
                [
                  texts.lastStartedAt,
                  found.lastStartedAt && <At key="last" at={found.lastStartedAt} withDay />,
                ],
              ]}
            />
          )}
        </>
      )}
    </Read>
  );
}
