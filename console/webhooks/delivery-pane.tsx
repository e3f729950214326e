import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { answer, api, type Schemas } from '../kit/api.js';
import { AsksFirst } from '../kit/asks-first.js';
import { ErrorNotice } from '../kit/error-notice.js';
import { Facts, Status } from '../kit/page.js';
import { At } from '../kit/times.js';
import { useAct } from '../kit/use-act.js';
import { useWorkspace } from '../kit/workspace.js';
import { filled, useTexts } from '../texts/texts.js';
import { tones } from './deliveries.js';
import { Json } from './parts.js';
import { type Delivery, deliveryQuery, type Rule, rulesChanged } from './queries.js';
import { useWebhookTexts } from './texts.js';
import styles from './webhooks.module.css';

/** One delivery: what is sent, and how the receiver has answered. */
export function DeliveryPane({ rule, id }: { rule: Rule; id: number }): ReactNode {
  const texts = useWebhookTexts();
  const { close, loading } = useTexts();
  const { uuid, can } = useWorkspace();
  const search = useSearch({ from: '/w/$workspace/webhooks/$ruleId' });
  const { data, error } = useQuery(deliveryQuery(uuid, rule.id, id));
  return (
    <section className={styles.pane} aria-label={texts.delivery}>
      <header className={styles.paneHead}>
        <h2>{data?.delivery.eventType ?? texts.delivery}</h2>
        <Link
          to="/w/$workspace/webhooks/$ruleId"
          params={{ workspace: uuid, ruleId: String(rule.id) }}
          search={{ ...search, delivery: undefined }}
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
          <State delivery={data.delivery} />
          {can('event_rules:write') ? <DeliveryActs rule={rule} delivery={data.delivery} /> : null}
          <DeliveryFacts delivery={data.delivery} />
          <h3>{texts.attempts}</h3>
          {data.attempts.length === 0 ? <p className="quiet">{texts.noAttempts}</p> : null}
          <ol className={styles.attempts}>
            {data.attempts.map((attempt) => (
              <AttemptItem key={attempt.number} attempt={attempt} />
            ))}
          </ol>
          <h3>{texts.body}</h3>
          <Json value={data.delivery.payload} label={texts.body} />
        </>
      )}
    </section>
  );
}

function State({ delivery: { status, failureReason } }: { delivery: Delivery }): ReactNode {
  const texts = useWebhookTexts();
  return (
    <p role="status" className={styles.state}>
      <Status tone={tones[status]}>{texts.statuses[status]}</Status>
      {failureReason === null ? null : ` ${texts.reasons[failureReason]}`}
    </p>
  );
}

function DeliveryFacts({ delivery }: { delivery: Delivery }): ReactNode {
  const texts = useWebhookTexts();
  const { uuid } = useWorkspace();
  const { trigger, createdAt, completedAt, nextAttemptAt, eventId } = delivery;
  return (
    <Facts
      facts={[
        [texts.trigger, texts.triggers[trigger]],
        [texts.when, <At key="created" at={createdAt} withDay />],
        [texts.completed, completedAt && <At key="completed" at={completedAt} withDay />],
        [texts.nextAttempt, nextAttemptAt && <At key="next" at={nextAttemptAt} withDay />],
        [
          texts.eventId,
          <Link
            key="event"
            to="/w/$workspace/webhooks/events"
            params={{ workspace: uuid }}
            search={{ event: eventId }}
          >
            {eventId}
          </Link>,
        ],
      ]}
    />
  );
}

function AttemptItem({ attempt }: { attempt: Schemas['WebhookAttemptResponse'] }): ReactNode {
  const texts = useWebhookTexts();
  const { number, startedAt, durationMs, statusCode, errorCode, responseBody } = attempt;
  const name = filled(texts.attemptNumber, { number });
  const isUnderWay = durationMs === null && errorCode === null;
  const isAccepted = statusCode !== null && statusCode >= 200 && statusCode < 300;
  return (
    <li>
      <p className={styles.attempt}>
        <strong>{name}</strong>
        <Status tone={isUnderWay ? 'quiet' : isAccepted ? 'done' : 'danger'}>
          {isUnderWay ? texts.underWay : (statusCode ?? texts.errors[errorCode ?? ''] ?? errorCode)}
        </Status>
        <span className="quiet">
          <At at={startedAt} withDay />
          {durationMs === null ? null : ` · ${filled(texts.milliseconds, { ms: durationMs })}`}
        </span>
      </p>
      {responseBody === null || responseBody === '' ? null : (
        <Json value={responseBody} label={`${name}: ${texts.answerBody}`} />
      )}
    </li>
  );
}

function DeliveryActs({ rule, delivery }: { rule: Rule; delivery: Delivery }): ReactNode {
  const texts = useWebhookTexts();
  const { uuid } = useWorkspace();
  const search = useSearch({ from: '/w/$workspace/webhooks/$ruleId' });
  const navigate = useNavigate();
  const path = { workspace_uuid: uuid, event_rule_id: rule.id, delivery_id: delivery.id };
  const attemptNow = useAct(
    () =>
      answer(
        api.POST('/w/{workspace_uuid}/event-rules/{event_rule_id}/deliveries/{delivery_id}/attempt-now', {
          params: { path },
        }),
      ),
    ...rulesChanged,
  );
  if (delivery.status === 'pending') {
    return (
      <div className="acts">
        <button type="button" disabled={attemptNow.isPending} onClick={() => attemptNow.mutate()}>
          {texts.attemptNow}
        </button>
        <AsksFirst
          title={texts.cancelDelivery}
          help={texts.cancelHelp}
          changes={rulesChanged}
          tone="danger"
          act={() =>
            answer(
              api.POST('/w/{workspace_uuid}/event-rules/{event_rule_id}/deliveries/{delivery_id}/cancel', {
                params: { path },
              }),
            )
          }
        />
        <ErrorNotice error={attemptNow.error} />
      </div>
    );
  }
  return (
    <div className="acts">
      <AsksFirst
        title={texts.redeliver}
        help={texts.redeliverHelp}
        changes={rulesChanged}
        act={() =>
          answer(
            api.POST('/w/{workspace_uuid}/event-rules/{event_rule_id}/deliveries/{delivery_id}/redeliver', {
              params: { path },
            }),
          )
        }
        onDone={({ id }) =>
          void navigate({
            to: '/w/$workspace/webhooks/$ruleId',
            params: { workspace: uuid, ruleId: String(rule.id) },
            // The new delivery may not be of the state that the list is restricted to.
            search: { ...search, delivery: id },
          })
        }
      />
    </div>
  );
}
