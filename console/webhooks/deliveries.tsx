import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { answer, api } from '../kit/api.js';
import { AsksFirst } from '../kit/asks-first.js';
import { Choice } from '../kit/choice.js';
import { type Column, Grid } from '../kit/grid.js';
import { Status } from '../kit/page.js';
import { Ago } from '../kit/times.js';
import { useWorkspace } from '../kit/workspace.js';
import { filled } from '../texts/texts.js';
import { Causes } from './causes.js';
import { type Delivery, deliveriesPage, pageSize, type Rule, rulesChanged } from './queries.js';
import { type DeliveriesSearch, statuses, triggers } from './search.js';
import { useWebhookTexts } from './texts.js';
import styles from './webhooks.module.css';

export const tones = { pending: 'warning', delivered: 'done', failed: 'danger', cancelled: 'quiet' } as const;

/** What a rule has delivered, the newest first. */
export function Deliveries({ rule }: { rule: Rule }): ReactNode {
  const texts = useWebhookTexts();
  const { uuid, can } = useWorkspace();
  const params = { workspace: uuid, ruleId: String(rule.id) };
  const search = useSearch({ from: '/w/$workspace/webhooks/$ruleId' });
  const navigate = useNavigate({ from: '/w/$workspace/webhooks/$ruleId' });
  const change = (changed: DeliveriesSearch) =>
    void navigate({ search: (before) => ({ ...before, ...changed }), replace: true });
  const columns: Column<Delivery>[] = [
    {
      id: 'event',
      title: texts.event,
      cell: ({ id, eventType, trigger }) => (
        <>
          <Link
            to="/w/$workspace/webhooks/$ruleId"
            params={params}
            search={{ ...search, delivery: id }}
            aria-current={search.delivery === id ? 'true' : undefined}
          >
            {eventType}
          </Link>{' '}
          {trigger === 'event' ? null : <Status>{texts.triggers[trigger]}</Status>}
        </>
      ),
    },
    {
      id: 'status',
      title: texts.state,
      width: '7rem',
      cell: ({ status }) => <Status tone={tones[status]}>{texts.statuses[status]}</Status>,
    },
    { id: 'attempts', title: texts.attempts, width: '6.5rem', cell: ({ attemptCount }) => attemptCount },
    {
      id: 'answer',
      title: texts.lastAnswer,
      width: '8rem',
      cell: ({ lastStatusCode }) => lastStatusCode ?? '–',
    },
    { id: 'when', title: texts.when, width: '8rem', cell: ({ createdAt }) => <Ago at={createdAt} /> },
  ];
  const isFiltered = search.status !== undefined || search.trigger !== undefined;
  return (
    <div className={styles.deliveries}>
      <h2>{texts.deliveries}</h2>
      <search className="filters">
        <Choice
          label={texts.state}
          all={texts.allStates}
          value={search.status}
          options={statuses.map((status) => [status, texts.statuses[status]])}
          onChange={(status) => change({ status })}
        />
        <Choice
          label={texts.trigger}
          all={texts.allTriggers}
          value={search.trigger}
          options={triggers.map((trigger) => [trigger, texts.triggers[trigger]])}
          onChange={(trigger) => change({ trigger })}
        />
      </search>
      <Causes rule={rule} />
      {rule.enabled && can('event_rules:write') ? <Repeats rule={rule} /> : null}
      <Grid
        label={texts.deliveries}
        columns={columns}
        pageSize={pageSize}
        page={(page) => deliveriesPage(uuid, rule.id, search, page)}
        empty={isFiltered ? texts.noDeliveriesFound : texts.noDeliveries}
      />
    </div>
  );
}

const dayMs = 24 * 60 * 60_000;

/** Acts on many deliveries at once. */
function Repeats({ rule }: { rule: Rule }): ReactNode {
  const texts = useWebhookTexts();
  const { uuid } = useWorkspace();
  const [days, setDays] = useState<keyof typeof texts.periods>('7');
  const path = { workspace_uuid: uuid, event_rule_id: rule.id };
  const withMore = (text: string, count: number, more: boolean) =>
    `${filled(text, { count })}${more ? ` ${texts.more}` : ''}`;
  return (
    <div className="acts">
      <AsksFirst
        title={texts.redeliverFailed}
        help={texts.redeliverFailedHelp}
        changes={rulesChanged}
        act={() => {
          const createdFrom = new Date(Date.now() - Number(days) * dayMs).toISOString();
          return answer(
            api.POST('/w/{workspace_uuid}/event-rules/{event_rule_id}/redeliveries', {
              params: { path },
              body: { createdFrom },
            }),
          );
        }}
        outcome={({ redelivered, more }) => withMore(texts.redelivered, redelivered, more)}
      >
        <p>
          <label>
            {texts.of}{' '}
            <select value={days} onChange={({ target }) => setDays(target.value as typeof days)}>
              {Object.entries(texts.periods).map(([value, name]) => (
                <option key={value} value={value}>
                  {name}
                </option>
              ))}
            </select>
          </label>
        </p>
      </AsksFirst>
      <AsksFirst
        title={texts.attemptPending}
        help={texts.attemptPendingHelp}
        changes={rulesChanged}
        act={() =>
          answer(
            api.POST('/w/{workspace_uuid}/event-rules/{event_rule_id}/deliveries/attempt-pending', {
              params: { path },
            }),
          )
        }
        outcome={({ attempted, more }) => withMore(texts.attempted, attempted, more)}
      />
      <AsksFirst
        title={texts.deliverMissed}
        help={texts.deliverMissedHelp}
        changes={rulesChanged}
        act={() =>
          answer(
            api.POST('/w/{workspace_uuid}/event-rules/{event_rule_id}/deliver-missed', {
              params: { path },
              body: {},
            }),
          )
        }
        outcome={({ queued, more }) => withMore(texts.missedQueued, queued, more)}
      />
    </div>
  );
}
