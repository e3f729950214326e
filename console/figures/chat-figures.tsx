import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { channels } from '../inbox/search.js';
import { At } from '../kit/times.js';
import { wordsOf } from '../kit/words-of.js';
import { useWorkspace } from '../kit/workspace.js';
import { useTexts } from '../texts/texts.js';
import { Bars, Legend } from './bars.js';
import { DayPlot } from './day-plot.js';
import { Figure } from './figure.js';
import styles from './figures.module.css';
import { chatsQuery, type Failed, failuresQuery, waitingQuery } from './queries.js';
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

/** How many are shown by themselves. */
const shownFailures = 5;

/** Why messages did not arrive. */
export function FailuresFigure({ days }: { days: number }): ReactNode {
  const texts = useFigureTexts();
  const { uuid } = useWorkspace();
  const nameOf = ({ failureReason }: Failed) =>
    failureReason === undefined ? texts.unknownReason : wordsOf(failureReason);
  const countsOf = (items: readonly Failed[]) => {
    const counts = new Map<string, number>();
    for (const item of items) counts.set(nameOf(item), (counts.get(nameOf(item)) ?? 0) + 1);
    return [...counts].sort(([, one], [, other]) => other - one);
  };
  return (
    <Figure
      title={texts.failures}
      query={useQuery(failuresQuery(uuid, days))}
      has={({ items }) => items.length > 0}
      table={({ items }) => ({ head: [texts.reason, texts.count], rows: countsOf(items) })}
    >
      {({ items, isCut }) => (
        <>
          {isCut ? <p className="quiet">{texts.failuresCut}</p> : null}
          <Bars bars={countsOf(items).map(([name, value]) => ({ id: name, name, value }))} />
          <h3>{texts.newestFailures}</h3>
          <ul className={styles.newest}>
            {items.slice(0, shownFailures).map((item) => (
              <li key={item.id}>
                <Link
                  to="/w/$workspace/inbox/$chatId"
                  params={{ workspace: uuid, chatId: String(item.chatId) }}
                >
                  {item.memberName ?? texts.unknownPerson}
                </Link>{' '}
                <span className="quiet">
                  {nameOf(item)}, <At at={item.createdAt} withDay />
                </span>
              </li>
            ))}
          </ul>
        </>
      )}
    </Figure>
  );
}
