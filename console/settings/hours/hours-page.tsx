import type { ReactNode } from 'react';
import type { Schemas } from '../../kit/api.js';
import { SelectField } from '../../kit/field.js';
import { Section } from '../../kit/page.js';
import { useWorkspace } from '../../kit/workspace.js';
import { filled } from '../../texts/texts.js';
import { SectionPage } from '../section-page.js';
import styles from '../settings.module.css';
import { useSettingsTexts } from '../texts.js';
import { WorkspaceForm } from '../workspace-form.js';
import { BusinessHours } from './business-hours.js';
import { ClockTimes } from './clock-times.js';
import { weekdays } from './weekdays.js';

type Quiet = Schemas['WorkspaceResponse']['quietHours'];

/** When calls are taken, and when nothing is sent that nobody has asked for. */
export function HoursPage(): ReactNode {
  const texts = useSettingsTexts();
  const { workspace } = useWorkspace();
  return (
    <SectionPage isForm title={texts.sections.hours.name}>
      <WorkspaceForm section="hours">
        {({ businessHours, quietHours }, change) => (
          <>
            <p className="quiet">{filled(texts.zoneOfHours, { zone: workspace.timezone })}</p>
            <Section title={texts.businessHours}>
              <p className="quiet">{texts.businessHoursHelp}</p>
              <BusinessHours
                value={businessHours}
                none={texts.atAnyTime}
                onChange={(changed) => change({ businessHours: changed })}
              />
            </Section>
            <Section title={texts.quietHours}>
              <p className="quiet">{texts.quietHoursHelp}</p>
              <QuietHours value={quietHours} onChange={(changed) => change({ quietHours: changed })} />
            </Section>
          </>
        )}
      </WorkspaceForm>
    </SectionPage>
  );
}

function QuietHours({ value, onChange }: { value: Quiet; onChange(value: Quiet): void }): ReactNode {
  const texts = useSettingsTexts();
  return (
    <>
      <SelectField
        label={texts.quietHours}
        pointer="/quietHours"
        value={value === null ? '' : 'hours'}
        onChange={({ target }) =>
          onChange(target.value === '' ? null : { from: '20:00', to: '08:00', days: [...weekdays] })
        }
      >
        <option value="">{texts.noQuietHours}</option>
        <option value="hours">{texts.withQuietHours}</option>
      </SelectField>
      {value === null ? null : (
        <div className={styles.window}>
          <ClockTimes value={value} pointer="/quietHours" onChange={onChange} />
        </div>
      )}
    </>
  );
}
