import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { answer, api } from '../kit/api.js';
import { AsksFirst } from '../kit/asks-first.js';
import { ErrorNotice } from '../kit/error-notice.js';
import { Facts, Page } from '../kit/page.js';
import { useAct } from '../kit/use-act.js';
import { useWorkspace } from '../kit/workspace.js';
import { filled, useLocale } from '../texts/texts.js';
import { Deliveries } from './deliveries.js';
import { DeliveryPane } from './delivery-pane.js';
import { type Rule, rulesChanged } from './queries.js';
import { RuleNotice, RuleState } from './rule-state.js';
import { useWebhookTexts } from './texts.js';
import styles from './webhooks.module.css';
import { ToRules, WithRule } from './with-rule.js';

/** A rule, what it delivered, and the delivery that is open. */
export function RulePage(): ReactNode {
  return <WithRule>{(rule) => <RuleView key={rule.id} rule={rule} />}</WithRule>;
}

function RuleView({ rule }: { rule: Rule }): ReactNode {
  const texts = useWebhookTexts();
  const { can } = useWorkspace();
  const { delivery } = useSearch({ from: '/w/$workspace/webhooks/$ruleId' });
  return (
    <Page
      title={rule.name}
      above={<ToRules />}
      fills
      acts={can('event_rules:write') ? <RuleActs rule={rule} /> : undefined}
    >
      <RuleNotice rule={rule} />
      <Facts
        facts={[
          [texts.state, <RuleState key="state" rule={rule} />],
          [texts.eventType, <code key="type">{rule.eventType}</code>],
          [texts.address, rule.actionParams.webhookUrl],
          [texts.signedBy, <Secrets key="secrets" rule={rule} />],
        ]}
      />
      <div className={styles.split} data-open={delivery !== undefined}>
        <Deliveries rule={rule} />
        {delivery === undefined ? null : <DeliveryPane key={delivery} rule={rule} id={delivery} />}
      </div>
    </Page>
  );
}

function Secrets({ rule: { secrets } }: { rule: Rule }): ReactNode {
  const texts = useWebhookTexts();
  const locale = useLocale();
  const shown = (at: string) =>
    new Date(at).toLocaleString(locale, { dateStyle: 'medium', timeStyle: 'short' });
  if (secrets.length === 0) return texts.notSigned;
  return secrets.map(({ uuid, createdAt, expiresAt }) => (
    <div key={uuid}>
      {filled(texts.secretFrom, { from: shown(createdAt) })}
      {expiresAt === null ? null : `, ${filled(texts.secretUntil, { until: shown(expiresAt) })}`}
    </div>
  ));
}

function RuleActs({ rule }: { rule: Rule }): ReactNode {
  const texts = useWebhookTexts();
  const { uuid } = useWorkspace();
  const navigate = useNavigate();
  const path = { workspace_uuid: uuid, event_rule_id: rule.id };
  const params = { workspace: uuid, ruleId: String(rule.id) };
  const test = useAct(
    () => answer(api.POST('/w/{workspace_uuid}/event-rules/{event_rule_id}/test', { params: { path } })),
    ...rulesChanged,
  );
  const enable = useAct(
    () => answer(api.POST('/w/{workspace_uuid}/event-rules/{event_rule_id}/enable', { params: { path } })),
    ...rulesChanged,
  );
  const open = (delivery: number) =>
    void navigate({ to: '/w/$workspace/webhooks/$ruleId', params, search: { delivery } });
  return (
    <>
      <ErrorNotice error={test.error ?? enable.error} />
      <button
        type="button"
        disabled={test.isPending}
        onClick={() => test.mutate(undefined, { onSuccess: ({ id }) => open(id) })}
      >
        {texts.test}
      </button>
      <Link className="button" to="/w/$workspace/webhooks/$ruleId/edit" params={params}>
        {texts.change}
      </Link>
      <Link className="button" to="/w/$workspace/webhooks/$ruleId/secret" params={params}>
        {texts.rotate}
      </Link>
      {rule.enabled ? (
        <AsksFirst
          title={texts.disable}
          help={texts.disableHelp}
          changes={rulesChanged}
          act={() =>
            answer(api.POST('/w/{workspace_uuid}/event-rules/{event_rule_id}/disable', { params: { path } }))
          }
        />
      ) : (
        <button type="button" disabled={enable.isPending} onClick={() => enable.mutate()}>
          {texts.enable}
        </button>
      )}
      <AsksFirst
        title={texts.remove}
        help={texts.removeHelp}
        changes={rulesChanged}
        tone="danger"
        act={async () => {
          await answer(api.DELETE('/w/{workspace_uuid}/event-rules/{event_rule_id}', { params: { path } }));
          // Before everything is read again: this rule is gone.
          await navigate({ to: '/w/$workspace/webhooks', params: { workspace: uuid } });
        }}
      />
    </>
  );
}
