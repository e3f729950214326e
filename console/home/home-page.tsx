import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { answer, api } from '../kit/api.js';
import { ErrorNotice } from '../kit/error-notice.js';
import { At } from '../kit/times.js';
import { useWorkspace } from '../kit/workspace.js';
import { useTexts } from '../texts/texts.js';
import styles from './home.module.css';
import { useHomeTexts } from './texts.js';

/** A count that ends at so many says that there are so many or more. */
const maxCount = 1_000;

/** What needs somebody in the workspace, as far as the signed-in member may know. */
export function HomePage(): ReactNode {
  const texts = useHomeTexts();
  const shared = useTexts();
  const { uuid, workspace } = useWorkspace();
  const { data, error } = useQuery({
    queryKey: [uuid, 'overview'],
    // What ends by the clock is no event.
    refetchInterval: 60_000,
    queryFn: ({ signal }) =>
      answer(api.GET('/w/{workspace_uuid}/overview', { params: { path: { workspace_uuid: uuid } }, signal })),
  });
  if (error !== null) return <ErrorNotice error={error} />;
  if (data === undefined) return <p role="status">{shared.loading}</p>;
  const { waitingChats, hold, creditBudget, assignments } = data;
  const oldest = waitingChats?.oldestWaitingSince ?? null;
  const counts: [string, number | undefined][] = [
    [texts.mine, waitingChats?.mine],
    [texts.claimed, waitingChats?.claimedByOthers],
    [texts.snoozed, waitingChats?.snoozed],
    [texts.calls, data.runningPhoneCalls],
    [texts.failedMessages, data.failedMessages],
    [texts.active, assignments?.active],
    [texts.standing, assignments?.standing],
    [texts.failingRules, data.failingEventRules],
    [texts.waitingDeliveries, data.waitingDeliveries],
    [texts.heldWorkflows, data.heldWorkflows],
  ];
  const shown = counts.flatMap(([name, count]) => (count === undefined ? [] : [[name, count] as const]));
  return (
    <div className={styles.home}>
      <h1>{workspace.name}</h1>
      {hold.heldAt !== null ? <p className="banner">{texts.held}</p> : null}
      {waitingChats === undefined ? null : (
        <section className={styles.waiting}>
          <Link to="/w/$workspace/inbox" params={{ workspace: uuid }}>
            <strong>{countText(waitingChats.open)}</strong> {texts.open}
          </Link>
          {oldest === null ? null : (
            <p className="quiet">
              {texts.oldest} <At at={oldest} withDay />
            </p>
          )}
        </section>
      )}
      {shown.length === 0 ? <p>{texts.nothing}</p> : null}
      <dl className={styles.counts}>
        {shown.map(([name, count]) => (
          <div key={name} data-none={count === 0}>
            <dt>{name}</dt>
            <dd>{countText(count)}</dd>
          </div>
        ))}
        {creditBudget?.monthlyCredits == null ? null : (
          <div>
            <dt>{texts.credits}</dt>
            <dd>
              {creditBudget.creditsUsed} / {creditBudget.monthlyCredits}{' '}
              <span className="quiet">
                {shared.until} <At at={creditBudget.monthEndsAt} withDay />
              </span>
            </dd>
          </div>
        )}
      </dl>
    </div>
  );
}

const countText = (count: number): string => (count < maxCount ? String(count) : `${maxCount}+`);
