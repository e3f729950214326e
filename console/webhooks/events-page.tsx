import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ErrorNotice } from '../kit/error-notice.js';
import { type Column, Grid } from '../kit/grid.js';
import { Page, Status } from '../kit/page.js';
import { At } from '../kit/times.js';
import { useWorkspace } from '../kit/workspace.js';
import { useTexts } from '../texts/texts.js';
import { tones } from './deliveries.js';
import { EventTypeFilter, Json, Parts } from './parts.js';
import { type Delivery, type EventItem, eventQuery, eventsPage, pageSize, rulesPage } from './queries.js';
import { useWebhookTexts } from './texts.js';
import styles from './webhooks.module.css';

/** What happened, and who was told of it. */
export function EventsPage(): ReactNode {
  const texts = useWebhookTexts();
  const { uuid } = useWorkspace();
  const params = { workspace: uuid };
  const search = useSearch({ from: '/w/$workspace/webhooks/events' });
  const navigate = useNavigate({ from: '/w/$workspace/webhooks/events' });
  const columns: Column<EventItem>[] = [
    {
      id: 'event',
      title: texts.event,
      cell: (event) => (
        <>
          <Link
            to="/w/$workspace/webhooks/events"
            params={params}
            search={{ ...search, event: event.uuid }}
            aria-current={search.event === event.uuid ? 'true' : undefined}
          >
            {event.eventType}
          </Link>{' '}
          {event.isTest ? <Status>{texts.triggers.test}</Status> : null}
        </>
      ),
    },
    { id: 'when', title: texts.when, width: '12rem', cell: ({ createdAt }) => <At at={createdAt} withDay /> },
  ];
  return (
    <Page title={texts.title} fills>
      <Parts />
      <p className={styles.help}>{texts.eventsHelp}</p>
      <search className="filters">
        <EventTypeFilter
          value={search.eventType}
          onChange={(eventType) =>
            void navigate({ search: (before) => ({ ...before, eventType }), replace: true })
          }
        />
      </search>
      <div className={styles.split} data-open={search.event !== undefined}>
        <div className={styles.deliveries}>
          <Grid
            label={texts.events}
            columns={columns}
            pageSize={pageSize}
            page={(page) => eventsPage(uuid, search, page)}
            empty={texts.noEvents}
          />
        </div>
        {search.event === undefined ? null : <EventPane key={search.event} id={search.event} />}
      </div>
    </Page>
  );
}

function EventPane({ id }: { id: string }): ReactNode {
  const texts = useWebhookTexts();
  const { close, loading } = useTexts();
  const { uuid } = useWorkspace();
  const search = useSearch({ from: '/w/$workspace/webhooks/events' });
  const { data, error } = useQuery(eventQuery(uuid, id));
  return (
    <section className={styles.pane} aria-label={texts.event}>
      <header className={styles.paneHead}>
        <h2>{data?.eventType ?? texts.event}</h2>
        <Link
          to="/w/$workspace/webhooks/events"
          params={{ workspace: uuid }}
          search={{ ...search, event: undefined }}
        >
          {close}
        </Link>
      </header>
      {data === undefined ? (
        error === null ? (
          <p role="status">{loading}</p>
        ) : (
          <ErrorNotice error={error} />
        )
      ) : (
        <>
          <h3>{texts.toldOf}</h3>
          <ToldOf deliveries={data.deliveries} eventType={data.eventType} />
          {data.deliveriesAreCut === true ? <p className="quiet">{texts.deliveriesCut}</p> : null}
          <h3>{texts.body}</h3>
          <Json value={data.payload} label={texts.body} />
        </>
      )}
    </section>
  );
}

interface ToldOfProps {
  deliveries: readonly Delivery[];
  eventType: EventItem['eventType'];
}

/** The deliveries of an event by all rules, or the rules that can still deliver it. */
function ToldOf({ deliveries, eventType }: ToldOfProps): ReactNode {
  const texts = useWebhookTexts();
  const { uuid } = useWorkspace();
  const { data: rules } = useQuery(rulesPage(uuid, { eventType }, 1));
  const nameOf = (ruleId: number) => rules?.items.find(({ id }) => id === ruleId)?.name ?? `${ruleId}`;
  if (deliveries.length > 0) {
    return (
      <ul className={styles.attempts}>
        {deliveries.map(({ id, eventRuleId, status, createdAt }) => (
          <li key={id} className={styles.attempt}>
            <Link
              to="/w/$workspace/webhooks/$ruleId"
              params={{ workspace: uuid, ruleId: String(eventRuleId) }}
              search={{ delivery: id }}
            >
              {nameOf(eventRuleId)}
            </Link>
            <Status tone={tones[status]}>{texts.statuses[status]}</Status>
            <span className="quiet">
              <At at={createdAt} withDay />
            </span>
          </li>
        ))}
      </ul>
    );
  }
  return (
    <>
      <p>{texts.nobodyTold}</p>
      {rules === undefined || rules.items.length === 0 ? null : (
        <p>
          {texts.tellNow}{' '}
          {rules.items.map(({ id, name }) => (
            <Link
              key={id}
              to="/w/$workspace/webhooks/$ruleId"
              params={{ workspace: uuid, ruleId: String(id) }}
            >
              {name}
            </Link>
          ))}
        </p>
      )}
    </>
  );
}
