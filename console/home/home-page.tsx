import { useQuery } from '@tanstack/react-query';
import { Link, type LinkProps } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { View } from '../inbox/search.js';
import { answer, api } from '../kit/api.js';
import { ErrorNotice } from '../kit/error-notice.js';
import { At } from '../kit/times.js';
import { useWorkspace } from '../kit/workspace.js';
import type { AssignmentsSearch } from '../runs/search.js';
import { useTexts } from '../texts/texts.js';
import styles from './home.module.css';
import { useHomeTexts } from './texts.js';

/** A count that ends at so many says that there are so many or more. */
const maxCount = 1_000;
/** Messages that did not arrive are counted of so long. */
const dayMs = 24 * 3_600_000;

/** What needs somebody in the workspace, as far as the signed-in member may know. */
export function HomePage(): ReactNode {
  const texts = useHomeTexts();
  const shared = useTexts();
  const { uuid, workspace } = useWorkspace();
  const { data, error, dataUpdatedAt } = useQuery({
    queryKey: [uuid, 'overview'],
    // What ends by the clock is no event.
    refetchInterval: 60_000,
    queryFn: ({ signal }) =>
      answer(api.GET('/w/{workspace_uuid}/overview', { params: { path: { workspace_uuid: uuid } }, signal })),
  });
  if (data === undefined) {
    return error === null ? <p role="status">{shared.loading}</p> : <ErrorNotice error={error} />;
  }
  const { waitingChats, hold, creditBudget, assignments } = data;
  const oldest = waitingChats?.oldestWaitingSince ?? null;
  const params = { workspace: uuid };
  const chats = (view: View) => ({ to: '/w/$workspace/inbox', params, search: { view } }) as const;
  const runs = (search: AssignmentsSearch) => ({ to: '/w/$workspace/runs', params, search }) as const;
  const webhooks = { to: '/w/$workspace/webhooks', params } as const;
  const failed = {
    to: '/w/$workspace/figures/failed',
    params,
    search: { since: new Date(dataUpdatedAt - dayMs).toISOString() },
  } as const;
  const counts: [name: string, count: number | undefined, list: LinkProps][] = [
    [texts.mine, waitingChats?.mine, chats('mine')],
    [texts.claimed, waitingChats?.claimedByOthers, chats('claimed')],
    [texts.snoozed, waitingChats?.snoozed, chats('snoozed')],
    [texts.calls, data.runningPhoneCalls, { to: '/w/$workspace/calls', params }],
    [texts.failedMessages, data.failedMessages, failed],
    [texts.active, assignments?.active, runs({ status: 'active' })],
    [texts.standing, assignments?.standing, runs({ standing: true })],
    [texts.failingRules, data.failingEventRules, webhooks],
    [texts.waitingDeliveries, data.waitingDeliveries, webhooks],
    [texts.heldWorkflows, data.heldWorkflows, { to: '/w/$workspace/workflows', params }],
  ];
  const shown = counts.flatMap(([name, count, list]) => (count === undefined ? [] : [{ name, count, list }]));
  return (
    <div className={styles.home}>
      <h1 tabIndex={-1}>{workspace.name}</h1>
      <ErrorNotice error={error} />
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
        {shown.map(({ name, count, list }) => (
          <div key={name} data-none={count === 0}>
            <dt>
              <Link {...list}>{name}</Link>
            </dt>
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
