import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useWorkspace } from '../kit/workspace.js';
import { filled, useLocale, useTexts } from '../texts/texts.js';
import { Bars, Legend } from './bars.js';
import { DayPlot } from './day-plot.js';
import { Figure } from './figure.js';
import { budgetQuery, costsQuery, usageQuery, workflowsQuery } from './queries.js';
import { useFigureTexts } from './texts.js';

interface Props {
  days: readonly string[];
}

/** What the models of agents used, by day, and what is left of the budget. */
export function CreditsFigure({ days }: Props): ReactNode {
  const texts = useFigureTexts();
  const { uuid } = useWorkspace();
  return (
    <Figure
      title={texts.credits}
      query={useQuery(usageQuery(uuid, days, 'day'))}
      has={({ calls }) => calls > 0}
      table={({ items }) => ({
        head: [texts.day, texts.creditsUnit, texts.tokens, texts.modelCalls],
        rows: items.map(({ day = '', credits, totalTokens, calls }) => [day, credits, totalTokens, calls]),
      })}
    >
      {({ items, credits }) => {
        const byDay = new Map(items.map((item) => [item.day, item.credits]));
        return (
          <>
            <Budget />
            <Legend bars={[{ id: 'credits', name: texts.creditsUnit, value: credits }]} />
            <DayPlot
              unit={texts.creditsUnit}
              series={[texts.creditsUnit]}
              days={days.map((day) => ({ day, values: [byDay.get(day) ?? 0] }))}
            />
          </>
        );
      }}
    </Figure>
  );
}

function Budget(): ReactNode {
  const texts = useFigureTexts();
  const locale = useLocale();
  const { uuid } = useWorkspace();
  const { data } = useQuery(budgetQuery(uuid));
  if (data === undefined) return null;
  const number = (value: number) => value.toLocaleString(locale, { maximumFractionDigits: 1 });
  const { creditsUsed, monthlyCredits } = data;
  const used = number(creditsUsed);
  return (
    <p>
      {monthlyCredits === null
        ? filled(texts.noBudget, { used })
        : filled(texts.budget, { used, all: number(monthlyCredits) })}
    </p>
  );
}

/** Which workflows, and which models, used the credits. */
export function CreditsByFigures({ days }: Props): ReactNode {
  const texts = useFigureTexts();
  const { uuid, can } = useWorkspace();
  const { data: workflows } = useQuery({ ...workflowsQuery(uuid), enabled: can('workflows:read') });
  const workflowName = (id: number | null | undefined) =>
    id === null || id === undefined
      ? texts.noWorkflow
      : (workflows?.items.find((one) => one.id === id)?.name ?? `${texts.workflow} ${id}`);
  const groups = [
    {
      by: 'workflow',
      title: texts.creditsByWorkflow,
      head: texts.workflow,
      nameOf: (item: { workflowId?: number | null }) => workflowName(item.workflowId),
      query: useQuery(usageQuery(uuid, days, 'workflow')),
    },
    {
      by: 'model',
      title: texts.creditsByModel,
      head: texts.model,
      nameOf: (item: { model?: string }) => item.model ?? '',
      query: useQuery(usageQuery(uuid, days, 'model')),
    },
  ];
  return groups.map(({ by, title, head, nameOf, query }) => (
    <Figure
      key={by}
      title={title}
      query={query}
      has={({ items }) => items.length > 0}
      table={({ items }) => ({
        head: [head, texts.creditsUnit, texts.tokens, texts.modelCalls],
        rows: items.map((item) => [nameOf(item), item.credits, item.totalTokens, item.calls]),
      })}
    >
      {({ items }) => (
        <Bars
          bars={items.map((item) => ({
            id: String(item.model ?? item.workflowId),
            name:
              can('assignments:read') && item.workflowId != null ? (
                <Link
                  to="/w/$workspace/runs"
                  params={{ workspace: uuid }}
                  search={{ workflowId: item.workflowId }}
                >
                  {nameOf(item)}
                </Link>
              ) : (
                nameOf(item)
              ),
            value: item.credits,
          }))}
        />
      )}
    </Figure>
  ));
}

const carrierChannels = ['phone-sms', 'phone-voice'] as const;

/** What the carrier charged, in each currency that it did. */
export function CostsFigures({ days }: Props): ReactNode {
  const texts = useFigureTexts();
  const common = useTexts();
  const { uuid } = useWorkspace();
  const query = useQuery(costsQuery(uuid, days));
  const inRange = (query.data ?? []).filter(({ date }) => days.includes(date));
  const currencies = [...new Set(inRange.map(({ currency }) => currency))];
  const names = carrierChannels.map((channel) => common.channels[channel]);
  return (currencies.length === 0 ? [null] : currencies).map((currency) => {
    const of = inRange.filter((item) => item.currency === currency);
    const price = (channel: string, day?: string) =>
      of
        .filter((item) => item.channel === channel && (day === undefined || item.date === day))
        .reduce((total, item) => total + item.price, 0);
    return (
      <Figure
        key={currency}
        title={currency === null ? texts.costsUnknown : filled(texts.costs, { currency })}
        query={query}
        has={() => of.length > 0}
        table={() => ({
          head: [texts.day, ...names, texts.unbilled],
          rows: [...new Set(of.map(({ date }) => date))].map((date) => [
            date,
            ...carrierChannels.map((channel) => price(channel, date)),
            of.filter((item) => item.date === date).reduce((total, { unbilled }) => total + unbilled, 0),
          ]),
        })}
      >
        {() => (
          <>
            <Legend
              bars={carrierChannels.map((channel, at) => ({
                id: channel,
                name: names[at],
                value: price(channel),
              }))}
            />
            <DayPlot
              unit={currency ?? texts.noPrice}
              series={names}
              days={days.map((day) => ({
                day,
                values: carrierChannels.map((channel) => price(channel, day)),
              }))}
            />
          </>
        )}
      </Figure>
    );
  });
}
