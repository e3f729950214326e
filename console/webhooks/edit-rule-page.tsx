import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { answer, api } from '../kit/api.js';
import { Form } from '../kit/field.js';
import { Page } from '../kit/page.js';
import { SecretOnce } from '../kit/secret-once.js';
import { useAct } from '../kit/use-act.js';
import { useWorkspace } from '../kit/workspace.js';
import { type Rule, rulesChanged } from './queries.js';
import { RuleFields } from './rule-fields.js';
import { newSigning, SigningFields, signingSecretOf } from './secrets.js';
import { useWebhookTexts } from './texts.js';
import styles from './webhooks.module.css';
import { ToRule, WithRule } from './with-rule.js';

export function EditRulePage(): ReactNode {
  return <WithRule>{(rule) => <EditRule key={rule.id} rule={rule} />}</WithRule>;
}

function EditRule({ rule }: { rule: Rule }): ReactNode {
  const texts = useWebhookTexts();
  const { uuid } = useWorkspace();
  const navigate = useNavigate();
  const [values, setValues] = useState(() => ({
    name: rule.name,
    eventType: rule.eventType,
    webhookUrl: rule.actionParams.webhookUrl,
  }));
  const update = useAct(
    () => {
      const { webhookUrl, ...named } = values;
      return answer(
        api.PUT('/w/{workspace_uuid}/event-rules/{event_rule_id}', {
          params: { path: { workspace_uuid: uuid, event_rule_id: rule.id } },
          body: { ...named, actionParams: { webhookUrl } },
        }),
      );
    },
    ...rulesChanged,
  );
  const params = { workspace: uuid, ruleId: String(rule.id) };
  return (
    <Page title={texts.editRule} above={<ToRule rule={rule} />}>
      <div className={styles.form}>
        <Form
          error={update.error}
          onSubmit={() =>
            update.mutate(undefined, {
              onSuccess: () => void navigate({ to: '/w/$workspace/webhooks/$ruleId', params }),
            })
          }
        >
          <RuleFields value={values} onChange={setValues} />
          <div className="acts">
            <button type="submit" className="primary" disabled={update.isPending}>
              {update.isPending ? texts.saving : texts.save}
            </button>
          </div>
        </Form>
      </div>
    </Page>
  );
}

/** A new secret, which is shown once. */
export function SecretPage(): ReactNode {
  return <WithRule>{(rule) => <RotateSecret key={rule.id} rule={rule} />}</WithRule>;
}

function RotateSecret({ rule }: { rule: Rule }): ReactNode {
  const texts = useWebhookTexts();
  const { uuid } = useWorkspace();
  const [signing, setSigning] = useState(newSigning);
  const rotate = useAct(
    () =>
      answer(
        api.POST('/w/{workspace_uuid}/event-rules/{event_rule_id}/rotate-secret', {
          params: { path: { workspace_uuid: uuid, event_rule_id: rule.id } },
          body: signingSecretOf(signing),
        }),
      ),
    ...rulesChanged,
  );
  const made = rotate.data;
  return (
    <Page title={texts.rotate} above={<ToRule rule={rule} />}>
      {made === undefined ? (
        <div className={styles.form}>
          <Form error={rotate.error} onSubmit={() => rotate.mutate()}>
            <p>{texts.rotateHelp}</p>
            <SigningFields value={signing} pointer="/signingSecret" onChange={setSigning} />
            <div className="acts">
              <button type="submit" className="primary" disabled={rotate.isPending}>
                {texts.rotate}
              </button>
            </div>
          </Form>
        </div>
      ) : made.actionParams.signingSecret === undefined ? (
        <p role="status">{texts.notSigned}</p>
      ) : (
        <SecretOnce help={texts.secretOnce} secret={made.actionParams.signingSecret} />
      )}
    </Page>
  );
}
