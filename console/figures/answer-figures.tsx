import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Schemas } from '../kit/api.js';
import { useWorkspace } from '../kit/workspace.js';
import { filled, useLocale } from '../texts/texts.js';
import { Legend } from './bars.js';
import { DayPlot } from './day-plot.js';
import { Figure } from './figure.js';
import { answersQuery } from './queries.js';
import { useFigureTexts } from './texts.js';

type Waits = Schemas['DailyAnswersResponse']['waits'];

const units = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const;
/** The greatest unit of which a length has two, so that its numbers tell something. */
const unitOf = (seconds: number) => units.find(([, length]) => seconds >= 2 * length) ?? units[3];

function lengthText(seconds: number | null, locale: string): string {
  if (seconds === null) return '–';
  const [unit, length] = unitOf(seconds);
  const style = { style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits: 1 } as const;
  return (seconds / length).toLocaleString(locale, style);
}

const authors = ['agent', 'person'] as const;

/** How long members waited for an answer, and who answered them. */
export function AnswerFigures({ days }: { days: readonly string[] }): ReactNode {
  const texts = useFigureTexts();
  const locale = useLocale();
  const { uuid } = useWorkspace();
  const query = useQuery(answersQuery(uuid, days));
  const names = authors.map((author) => texts.authors[author]);
  const lengths = [texts.median, texts.p90, texts.longest];
  const toldOf = ({ median, p90, longest }: Waits) =>
    [median, p90, longest].map((seconds) => lengthText(seconds, locale));
  return (
    <>
      <Figure
        title={texts.waits}
        query={query}
        has={({ waits }) => waits.waits > 0}
        table={(data) => ({
          head: [texts.day, texts.waitsBegun, texts.waitsAnswered, ...lengths.map((name) => `${name} (s)`)],
          rows: data.days.map(({ date, waits: { waits, answered, median, p90, longest } }) => [
            date,
            waits,
            answered,
            ...[median, p90, longest].map((seconds) => seconds ?? ''),
          ]),
        })}
      >
        {(data) => {
          const [unit, length] = unitOf(Math.max(...data.days.map(({ waits }) => waits.p90 ?? 0)));
          return (
            <>
              <p>{filled(texts.waitsInAll, allOf(data.waits, toldOf(data.waits)))}</p>
              <DayPlot
                unit={texts.units[unit]}
                series={lengths}
                days={data.days.map(({ date, waits }) => {
                  const [median, p90] = [(waits.median ?? 0) / length, (waits.p90 ?? 0) / length];
                  return { day: date, values: [median, p90 - median], told: toldOf(waits) };
                })}
              />
            </>
          );
        }}
      </Figure>
      <Figure
        title={texts.answers}
        query={query}
        has={({ answers }) => answers.agent + answers.person > 0}
        table={(data) => ({
          head: [texts.day, ...names],
          rows: data.days.map(({ date, answers }) => [date, ...authors.map((author) => answers[author])]),
        })}
      >
        {(data) => (
          <>
            <Legend
              bars={authors.map((author, at) => ({
                id: author,
                name: (
                  <Link
                    to="/w/$workspace/inbox"
                    params={{ workspace: uuid }}
                    search={{ view: author === 'person' ? 'answered' : 'all' }}
                  >
                    {names[at]}
                  </Link>
                ),
                value: data.answers[author],
              }))}
            />
            <DayPlot
              unit={texts.answersUnit}
              series={names}
              days={data.days.map(({ date, answers }) => ({
                day: date,
                values: authors.map((author) => answers[author]),
              }))}
            />
          </>
        )}
      </Figure>
    </>
  );
}

const allOf = ({ waits, answered }: Waits, [median = '', p90 = '', longest = '']: readonly string[]) => ({
  waits,
  open: waits - answered,
  median,
  p90,
  longest,
});
