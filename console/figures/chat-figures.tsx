import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useFailureTexts } from '../inbox/failure-texts.js';
import { channels } from '../inbox/search.js';
import { wordsOf } from '../kit/words-of.js';
import { useWorkspace } from '../kit/workspace.js';
import { useTexts } from '../texts/texts.js';
import { Bars, Legend } from './bars.js';
import { DayPlot } from './day-plot.js';
import { Figure } from './figure.js';
import { chatsQuery, failuresQuery, waitingQuery } from './queries.js';
import type { FailedSearch, FailureReason } from './search.js';
import { useFigureTexts } from './texts.js';

const sum = (counts: Readonly<Record<string, number>>) =>
  Object.values(counts).reduce((total, count) => total + count, 0);

/** Chats that began on each day, by channel. */
export function ChatsFigure({ days }: { days: readonly string[] }): ReactNode {
  const texts = useFigureTexts();
  const common = useTexts();
  const { uuid } = useWorkspace();
  const names = channels.map((channel) => common.channels[channel]);
  return (
    <Figure
      title={texts.chats}
      query={useQuery(chatsQuery(uuid, days))}
      has={({ total }) => total > 0}
      table={(data) => ({
        head: [texts.day, ...names],
        rows: data.days.map(({ date, byChannel }) => [
          date,
          ...channels.map((channel) => byChannel[channel]),
        ]),
      })}
    >
      {(data) => (
        <>
          <Legend
            bars={channels.map((channel, at) => ({
              id: channel,
              name: (
                <Link to="/w/$workspace/inbox" params={{ workspace: uuid }} search={{ view: 'all', channel }}>
                  {names[at]}
                </Link>
              ),
              value: data.byChannel[channel],
            }))}
          />
          <DayPlot
            unit={texts.chatsUnit}
            series={names}
            days={data.days.map(({ date, byChannel }) => ({
              day: date,
              values: channels.map((channel) => byChannel[channel]),
            }))}
          />
        </>
      )}
    </Figure>
  );
}

const ages = ['hour', 'day', 'week', 'older'] as const;

/** Why, and for how long, chats wait for a person at this moment. */
export function WaitingFigures(): ReactNode {
  const texts = useFigureTexts();
  const { uuid } = useWorkspace();
  const query = useQuery(waitingQuery(uuid));
  return (
    <>
      <Figure
        title={texts.waiting}
        query={query}
        has={({ total }) => total > 0}
        table={({ byReason }) => ({
          head: [texts.reason, texts.count],
          rows: byReason.map(({ reason, text, count }) => [reason === null ? texts.noReason : text, count]),
        })}
      >
        {({ byReason }) => (
          <Bars
            bars={byReason.map(({ reason, text, count }) => ({
              id: reason ?? '',
              name: (
                <Link
                  to="/w/$workspace/inbox"
                  params={{ workspace: uuid }}
                  search={reason === null ? {} : { reason }}
                >
                  {reason === null ? texts.noReason : text}
                </Link>
              ),
              value: count,
            }))}
          />
        )}
      </Figure>
      <Figure
        title={texts.waitingAge}
        query={query}
        has={({ byAge }) => sum(byAge) > 0}
        table={({ byAge }) => ({
          head: [texts.age, texts.count],
          rows: ages.map((age) => [texts.ages[age], byAge[age]]),
        })}
      >
        {({ byAge }) => (
          <Bars bars={ages.map((age) => ({ id: age, name: texts.ages[age], value: byAge[age] }))} />
        )}
      </Figure>
    </>
  );
}

/** Why messages did not arrive. */
export function FailuresFigure({ days }: { days: readonly string[] }): ReactNode {
  const texts = useFigureTexts();
  const { uuid } = useWorkspace();
  const failures = useFailureTexts();
  const nameOf = (reason: string | null) =>
    reason === null ? texts.unknownReason : wordsOf(reason, failures);
  return (
    <Figure
      title={texts.failures}
      query={useQuery(failuresQuery(uuid, days))}
      has={({ total }) => total > 0}
      table={({ reasons }) => ({
        head: [texts.reason, texts.count],
        rows: reasons.map(({ reason, count }) => [nameOf(reason), count]),
      })}
    >
      {({ reasons, createdFrom: since }) => (
        <>
          <Bars
            bars={reasons.map(({ reason, count }) => ({
              id: reason ?? '',
              name:
                reason === null ? (
                  texts.unknownReason
                ) : (
                  <FailedLink search={{ since, reason: reason as FailureReason }}>
                    {nameOf(reason)}
                  </FailedLink>
                ),
              value: count,
            }))}
          />
          <p>
            <FailedLink search={{ since }}>{texts.allFailures}</FailedLink>
          </p>
        </>
      )}
    </Figure>
  );
}

function FailedLink({ search, children }: { search: FailedSearch; children: ReactNode }): ReactNode {
  const { uuid } = useWorkspace();
  return (
    <Link to="/w/$workspace/figures/failed" params={{ workspace: uuid }} search={search}>
      {children}
    </Link>
  );
}
