import { type ReactNode, useState } from 'react';
import { answer, api, hasNoAnswer } from '../kit/api.js';
import { keepDraft, readDraft } from '../kit/drafts.js';
import { Form } from '../kit/field.js';
import { newUuid } from '../kit/new-uuid.js';
import { Page } from '../kit/page.js';
import { useWorkspace } from '../kit/workspace.js';
import { useAct } from './act-dialog.js';
import { newRule, RuleFields, type RuleValues } from './rule-fields.js';
import { newSigning, SecretOnce, SigningFields, signingSecretOf } from './secrets.js';
import { useWebhookTexts } from './texts.js';
import styles from './webhooks.module.css';
import { ToRule, ToRules } from './with-rule.js';

export function NewRulePage(): ReactNode {
  const texts = useWebhookTexts();
  const { uuid, me } = useWorkspace();
  const place = `${uuid}:${me.id}:event-rule`;
  const [values, setValues] = useState<RuleValues>(() => ({ ...newRule, ...readDraft<RuleValues>(place) }));
  const [signing, setSigning] = useState(newSigning);
  const [key, setKey] = useState(() => newUuid());
  const create = useAct(() => {
    const { webhookUrl, ...named } = values;
    return answer(
      api.POST('/w/{workspace_uuid}/event-rules', {
        params: { path: { workspace_uuid: uuid }, header: { 'Idempotency-Key': key } },
        body: {
          ...named,
          actionType: 'webhook:send',
          actionParams: { webhookUrl, ...signingSecretOf(signing) },
        },
      }),
    );
  });
  const made = create.data;
  if (made !== undefined) {
    const { signingSecret } = made.actionParams;
    return (
      <Page title={made.name} above={<ToRules />}>
        <p role="status">{texts.ruleMade}</p>
        {signingSecret === undefined ? (
          <p>{texts.ruleMadeUnsigned}</p>
        ) : (
          <SecretOnce secret={signingSecret} />
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
              // Where no answer came, the same request may have been carried out.
              onError: (error) => hasNoAnswer(error) || setKey(newUuid()),
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
