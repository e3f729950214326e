import type { ReactNode } from 'react';
import { InputField, SelectField } from '../../kit/field.js';
import { Section } from '../../kit/page.js';
import { Check } from '../checks.js';
import { numberText } from '../number-text.js';
import { SectionPage } from '../section-page.js';
import styles from '../settings.module.css';
import { useSettingsTexts } from '../texts.js';
import { WorkspaceForm } from '../workspace-form.js';
import { CallerIdentity } from './caller-identity.js';
import { Countries } from './countries-field.js';
import { RecordingNotice } from './recording-notice.js';

const bounds = [
  ['callsPerDay', 20],
  ['workspaceCallsPerDay', 10_000],
  ['smsPerDay', 100_000],
] as const;

/** Where and how often members are called and texted, how calls are recorded, and how callers prove who they are. */
export function CallsPage(): ReactNode {
  const texts = useSettingsTexts();
  return (
    <SectionPage isForm title={texts.sections.calls.name}>
      <WorkspaceForm section="calls">
        {(value, change) => (
          <>
            <Section title={texts.recordings}>
              <Check
                label={texts.recordCalls}
                checked={value.recordCalls}
                onChange={(recordCalls) => change({ recordCalls })}
              />
              <SelectField
                label={texts.recordingConsent}
                pointer="/recordingConsent"
                value={value.recordingConsent}
                onChange={({ target }) =>
                  change({ recordingConsent: target.value === 'ask' ? 'ask' : 'notice' })
                }
              >
                <option value="notice">{texts.consentNotice}</option>
                <option value="ask">{texts.consentAsk}</option>
              </SelectField>
              <RecordingNotice
                value={value.recordingNotice ?? {}}
                withQuestion={value.recordingConsent === 'ask'}
                onChange={(notice) =>
                  change({ recordingNotice: Object.keys(notice).length === 0 ? null : notice })
                }
              />
            </Section>
            <Section title={texts.identity}>
              <p className="quiet">{texts.identityHelp}</p>
              <CallerIdentity
                value={value.voiceIdentity ?? null}
                onChange={(voiceIdentity) => change({ voiceIdentity })}
              />
            </Section>
            <Section title={texts.outreach}>
              <p className="quiet">{texts.outreachHelp}</p>
              <Countries
                label={texts.callCountries}
                pointer="/callCountries"
                value={value.callCountries ?? null}
                onChange={(callCountries) => change({ callCountries })}
              />
              <Countries
                label={texts.smsCountries}
                pointer="/smsCountries"
                value={value.smsCountries ?? null}
                onChange={(smsCountries) => change({ smsCountries })}
              />
              <div className={styles.columns}>
                {bounds.map(([field, most]) => (
                  <InputField
                    key={field}
                    label={texts[field]}
                    pointer={`/${field}`}
                    type="number"
                    required
                    min={1}
                    max={most}
                    value={numberText(value[field])}
                    onChange={({ target }) => change({ [field]: target.valueAsNumber })}
                  />
                ))}
              </div>
            </Section>
          </>
        )}
      </WorkspaceForm>
    </SectionPage>
  );
}
