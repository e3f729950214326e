import { type ReactNode, useState } from 'react';
import { answer, api, type Schemas } from '../kit/api.js';
import { AsksFirst } from '../kit/asks-first.js';
import { Form, InputField } from '../kit/field.js';
import { Section } from '../kit/page.js';
import { useAct } from '../kit/use-act.js';
import { useOrganization } from './organization-shell.js';
import styles from './organizations.module.css';
import { useOrganizationTexts } from './texts.js';

/** Whether the workspaces are entered by the provider alone, and the path of the carrier that this needs. */
export function OnlyBySso(): ReactNode {
  const texts = useOrganizationTexts();
  const { uuid, publicPath, ssoOnly } = useOrganization();
  const [typed, setTyped] = useState<string>();
  const path = typed ?? publicPath ?? '';
  const put = (body: Schemas['UpdateOrganizationRequest']) =>
    answer(
      api.PUT('/organizations/{organization_uuid}', {
        params: { path: { organization_uuid: uuid } },
        body,
      }),
    );
  const save = useAct(() => put({ publicPath: path.trim() || null }), ['organization']);
  return (
    <Section title={texts.only}>
      <p>{ssoOnly ? texts.onlyNow : texts.onlyWhat}</p>
      <div className={styles.form}>
        <Form
          error={save.error}
          onSubmit={() => save.mutate(undefined, { onSuccess: () => setTyped(undefined) })}
        >
          <InputField
            label={texts.publicPath}
            pointer="/publicPath"
            hint={texts.publicPathHint}
            autoCapitalize="none"
            spellCheck={false}
            maxLength={63}
            value={path}
            onChange={({ target }) => {
              save.reset();
              setTyped(target.value);
            }}
          />
          <div className="acts">
            <button type="submit" disabled={save.isPending || path.trim() === (publicPath ?? '')}>
              {texts.savePath}
            </button>
            {save.isSuccess ? <span role="status">{texts.saved}</span> : null}
          </div>
        </Form>
      </div>
      <div>
        <AsksFirst
          title={ssoOnly ? texts.endOnly : texts.beginOnly}
          help={ssoOnly ? texts.endOnlyHelp : texts.beginOnlyHelp}
          tone={ssoOnly ? 'primary' : 'danger'}
          act={() => put({ ssoOnly: !ssoOnly })}
          changes={[['organization']]}
        />
      </div>
    </Section>
  );
}
