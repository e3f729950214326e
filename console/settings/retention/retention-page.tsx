import type { ReactNode } from 'react';
import type { Schemas } from '../../kit/api.js';
import { InputField } from '../../kit/field.js';
import { useWorkspace } from '../../kit/workspace.js';
import { numberText } from '../number-text.js';
import { SectionPage } from '../section-page.js';
import { useSettingsTexts } from '../texts.js';
import { WorkspaceForm } from '../workspace-form.js';

const kinds = ['chatRetentionDays', 'recordingRetentionDays', 'fileRetentionDays'] as const;
type Periods = Pick<Schemas['WorkspaceResponse'], (typeof kinds)[number] | 'auditRetentionDays'>;

/** How long what is stored is kept. */
export function RetentionPage(): ReactNode {
  const texts = useSettingsTexts();
  const { workspace } = useWorkspace();
  return (
    <SectionPage isForm title={texts.sections.retention.name}>
      <WorkspaceForm section="retention">
        {(value, change) => (
          <>
            <p className="quiet">{texts.retentionHelp}</p>
            {kinds.map((kind) => (
              <InputField
                key={kind}
                label={texts.kept[kind]}
                pointer={`/${kind}`}
                hint={texts.keptHints[kind]}
                type="number"
                min={7}
                max={3_650}
                placeholder={texts.forever}
                value={numberText(value[kind])}
                onChange={({ target }) =>
                  change({ [kind]: target.value === '' ? null : target.valueAsNumber })
                }
              />
            ))}
            {value.auditRetentionDays === undefined ? null : (
              <InputField
                label={texts.kept.auditRetentionDays}
                pointer="/auditRetentionDays"
                hint={texts.keptHints.auditRetentionDays}
                type="number"
                required
                min={30}
                max={3_650}
                value={numberText(value.auditRetentionDays)}
                onChange={({ target }) => change({ auditRetentionDays: target.valueAsNumber })}
              />
            )}
            {isShorter(value, workspace) ? (
              <label className="error">
                <input type="checkbox" required /> {texts.deletesTonight}
              </label>
            ) : null}
          </>
        )}
      </WorkspaceForm>
    </SectionPage>
  );
}

/** Whether something is to be deleted earlier than it is now. */
function isShorter(value: Periods, stored: Periods): boolean {
  const forever = Number.POSITIVE_INFINITY;
  return ([...kinds, 'auditRetentionDays'] as const).some(
    (kind) => (value[kind] ?? forever) < (stored[kind] ?? forever),
  );
}
