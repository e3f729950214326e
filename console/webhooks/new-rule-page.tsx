import { type ReactNode, useState } from 'react';
import { answer, api } from '../kit/api.js';
import { keepDraft, readDraft } from '../kit/drafts.js';
import { Form } from '../kit/field.js';
import { Page } from '../kit/page.js';
import { SecretOnce } from '../kit/secret-once.js';
import { useAct } from '../kit/use-act.js';
import { useRequestKey } from '../kit/use-request-key.js';
import { useWorkspace } from '../kit/workspace.js';
import { rulesChanged } from './queries.js';
import { newRule, RuleFields, type RuleValues } from './rule-fields.js';
import { newSigning, SigningFields, signingSecretOf } from './secrets.js';
import { useWebhookTexts } from './texts.js';
import styles from './webhooks.module.css';
import { ToRule, ToRules } from './with-rule.js';

export function NewRulePage(): ReactNode {
  const texts = useWebhookTexts();
  const { uuid, me } = useWorkspace();
  const place = `${uuid}:${me.id}:event-rule`;
  const [values, setValues] = useState<RuleValues>(() => ({ ...newRule, ...readDraft<RuleValues>(place) }));
  const [signing, setSigning] = useState(newSigning);
  const { header, onSettled } = useRequestKey();
  const create = useAct(
    () => {
      const { webhookUrl, ...named } = values;
      return answer(
        api.POST('/w/{workspace_uuid}/event-rules', {
          params: { path: { workspace_uuid: uuid }, header },
          body: {
            ...named,
            actionType: 'webhook:send',
            actionParams: { webhookUrl, ...signingSecretOf(signing) },
          },
        }),
      );
    },
    ...rulesChanged,
  );
  const made = create.data;
  if (made !== undefined) {
    const { signingSecret } = made.actionParams;
    return (
      <Page title={made.name} above={<ToRules />}>
        <p role="status">{texts.ruleMade}</p>
        {signingSecret === undefined ? (
          <p>{texts.ruleMadeUnsigned}</p>
        ) : (
          <SecretOnce help={texts.secretOnce} secret={signingSecret} />
        )}
        <p>
          {texts.toRule}: <ToRule rule={made} />
        </p>
      </Page>
    );
  }
  return (
    <Page title={texts.newRule} above={<ToRules />}>
      <div className={styles.form}>
        <Form
          error={create.error}
          onSubmit={() =>
            create.mutate(undefined, {
              onSuccess: () => keepDraft(place, undefined),
              onSettled,
            })
          }
        >
          <RuleFields
            value={values}
            onChange={(changed) => {
              setValues(changed);
              keepDraft(place, changed);
            }}
          />
          <SigningFields value={signing} pointer="/actionParams/signingSecret" onChange={setSigning} />
          <div className="acts">
            <button type="submit" className="primary" disabled={create.isPending}>
              {create.isPending ? texts.saving : texts.save}
            </button>
          </div>
        </Form>
      </div>
    </Page>
  );
}
