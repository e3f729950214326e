import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { type ReactNode, useCallback } from 'react';
import { ErrorNotice } from '../kit/error-notice.js';
import { type Column, Grid } from '../kit/grid.js';
import { Page } from '../kit/page.js';
import { Ago, At, lengthOf } from '../kit/times.js';
import { useWorkspace } from '../kit/workspace.js';
import { CallFilters } from './call-filters.js';
import styles from './calls.module.css';
import { CallLink, CallState, useOutcome } from './parts.js';
import { type Call, callsPage, liveCalls, pageSize } from './queries.js';
import { useCallTexts } from './texts.js';

/** The calls of the workspace: those that go on, and all by filters. */
export function CallsPage(): ReactNode {
  const texts = useCallTexts();
  const { uuid } = useWorkspace();
  const search = useSearch({ from: '/w/$workspace/calls/' });
  const outcomeOf = useOutcome();
  const page = useCallback((number: number) => callsPage(uuid, search, number), [uuid, search]);
  const columns: Column<Call>[] = [
    { id: 'who', title: texts.who, width: '26%', cell: (call) => <CallLink call={call} /> },
    {
      id: 'direction',
      title: texts.direction,
      width: '6.5rem',
      cell: ({ inbound }) => texts.directions[inbound ? 'in' : 'out'],
    },
    {
      id: 'state',
      title: texts.state,
      cell: (call) => (
        <>
          <CallState call={call} /> <span className="quiet">{outcomeOf(call)}</span>
        </>
      ),
    },
    {
      id: 'began',
      title: texts.began,
      width: '11rem',
      cell: ({ createdAt }) => <At at={createdAt} withDay />,
    },
    {
      id: 'length',
      title: texts.length,
      width: '5.5rem',
      cell: ({ durationSeconds }) => (durationSeconds === undefined ? null : lengthOf(durationSeconds)),
    },
  ];
  return (
    <Page fills title={texts.title}>
      <LiveCalls />
      <CallFilters />
      <Grid label={texts.all} columns={columns} pageSize={pageSize} page={page} empty={texts.none} />
    </Page>
  );
}

function LiveCalls(): ReactNode {
  const texts = useCallTexts();
  const { uuid } = useWorkspace();
  const { data, error } = useQuery(liveCalls(uuid));
  if (data === undefined) return <ErrorNotice error={error} />;
  return (
    <section className={styles.live} aria-labelledby="calls-now">
      <h2 id="calls-now">{texts.now}</h2>
      <ErrorNotice error={error} />
      {data.items.length === 0 ? <p className="quiet">{texts.nobodyCalls}</p> : null}
      <ul>
        {data.items.map((call) => (
          <li key={call.id}>
            <CallState call={call} /> <CallLink call={call} />{' '}
            <span className="quiet">
              {texts.directions[call.inbound ? 'in' : 'out']}, <Ago at={call.startedAt ?? call.createdAt} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
