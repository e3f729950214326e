import type { ReactNode } from 'react';
import { InputField, SelectField } from '../../kit/field.js';
import { LinesField } from '../../kit/lines-field.js';
import { Section } from '../../kit/page.js';
import { useLocale } from '../../texts/texts.js';
import { countryNames } from '../countries.js';
import { SectionPage } from '../section-page.js';
import styles from '../settings.module.css';
import { useSettingsTexts } from '../texts.js';
import { WorkspaceForm } from '../workspace-form.js';
import { Hold } from './hold.js';

/** What the workspace is called and where it is, who may call it, and whether everything is held. */
export function WorkspacePage(): ReactNode {
  const texts = useSettingsTexts();
  return (
    <SectionPage isForm title={texts.sections.workspace.name}>
      <Hold />
      <WorkspaceFields />
    </SectionPage>
  );
}

function WorkspaceFields(): ReactNode {
  const texts = useSettingsTexts();
  const locale = useLocale();
  const countries = countryNames(locale);
  return (
    <WorkspaceForm section="workspace">
      {({ allowedOrigins, requestHosts, ...value }, change) => (
        <>
          <div className={styles.columns}>
            <InputField
              label={texts.name}
              pointer="/name"
              required
              maxLength={200}
              value={value.name}
              onChange={({ target }) => change({ name: target.value })}
            />
            <InputField
              label={texts.slug}
              pointer="/slug"
              hint={texts.slugHint}
              required
              maxLength={63}
              autoCapitalize="none"
              spellCheck={false}
              value={value.slug}
              onChange={({ target }) => change({ slug: target.value })}
            />
            <InputField
              label={texts.locale}
              pointer="/locale"
              hint={texts.localeHint}
              required
              maxLength={35}
              value={value.locale}
              onChange={({ target }) => change({ locale: target.value })}
            />
            <SelectField
              label={texts.timezone}
              pointer="/timezone"
              hint={texts.timezoneHint}
              value={value.timezone}
              onChange={({ target }) => change({ timezone: target.value })}
            >
              {zonesWith(value.timezone).map((zone) => (
                <option key={zone}>{zone}</option>
              ))}
            </SelectField>
            <SelectField
              label={texts.country}
              pointer="/defaultRegion"
              hint={texts.countryHint}
              value={value.defaultRegion}
              onChange={({ target }) => change({ defaultRegion: target.value })}
            >
              {countries.map(([code, name]) => (
                <option key={code} value={code}>
                  {name}
                </option>
              ))}
            </SelectField>
          </div>
          <InputField
            label={texts.postalAddress}
            pointer="/postalAddress"
            hint={texts.postalAddressHint}
            maxLength={300}
            value={value.postalAddress ?? ''}
            onChange={({ target }) => change({ postalAddress: target.value || null })}
          />
          {allowedOrigins === undefined || requestHosts === undefined ? null : (
            <Section title={texts.programs}>
              <LinesField
                label={texts.allowedOrigins}
                pointer="/allowedOrigins"
                hint={texts.allowedOriginsHint}
                value={allowedOrigins}
                onChange={(lines) => change({ allowedOrigins: lines })}
              />
              <LinesField
                label={texts.requestHosts}
                pointer="/requestHosts"
                hint={texts.requestHostsHint}
                value={requestHosts}
                onChange={(lines) => change({ requestHosts: lines })}
              />
            </Section>
          )}
        </>
      )}
    </WorkspaceForm>
  );
}

/** The time zones that the browser knows, and the one that is set. */
function zonesWith(zone: string): readonly string[] {
  return [...new Set([...Intl.supportedValuesOf('timeZone'), 'UTC', zone])].toSorted();
}
