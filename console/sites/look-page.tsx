import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { InputField, TextAreaField } from '../kit/field.js';
import { Section } from '../kit/page.js';
import { Read } from '../kit/read.js';
import { filled } from '../texts/texts.js';
import { Preview } from './preview.js';
import { type Theme, themesQuery } from './queries.js';
import { SiteFields } from './site-form.js';
import styles from './sites.module.css';
import { useSiteTexts } from './texts.js';
import { ThemeChoice } from './theme-choice.js';
import { resolved, ThemeSettingsFields } from './theme-settings.js';
import { useSiteForm } from './use-site-form.js';
import { type OpenSite, WithSite } from './with-site.js';

/** How a site looks, beside a picture of it. */
export function LookPage(): ReactNode {
  return <WithSite>{(open) => <LookOfSite key={open.site.id} open={open} />}</WithSite>;
}

function LookOfSite({ open }: { open: OpenSite }): ReactNode {
  const themes = useQuery(themesQuery(open.at.uuid));
  return <Read query={themes}>{(all) => <Look open={open} themes={all} />}</Read>;
}

function Look({ open, themes }: { open: OpenSite; themes: readonly Theme[] }): ReactNode {
  const { look: texts, name } = useSiteTexts();
  const form = useSiteForm('look', open);
  const { value, change } = form;
  const { redirectUrl, updatedAt, uuid } = open.site;
  const settings = value.themeSettings ?? {};
  const defaults = themes.find(({ theme }) => theme === value.theme)?.defaultSettings ?? {};
  return (
    <div className={styles.beside}>
      <SiteFields form={form} open={open}>
        <ThemeChoice themes={themes} value={value.theme} onChange={(theme) => change({ theme })} />
        <ThemeSettingsFields
          value={settings}
          resolved={resolved(defaults, settings)}
          onChange={(themeSettings) => change({ themeSettings })}
        />
        <InputField
          label={name}
          pointer="/name"
          required
          maxLength={200}
          value={value.name}
          onChange={({ target }) => change({ name: target.value })}
        />
        <InputField
          label={texts.tagLine}
          pointer="/tagLine"
          maxLength={200}
          value={value.tagLine ?? ''}
          onChange={({ target }) => change({ tagLine: target.value || null })}
        />
        <TextAreaField
          label={texts.content}
          pointer="/content"
          hint={texts.contentHint}
          rows={4}
          maxLength={20_000}
          value={value.content ?? ''}
          onChange={({ target }) => change({ content: target.value || null })}
        />
      </SiteFields>
      <div className={styles.watched}>
        <Section title={texts.preview}>
          {redirectUrl === null ? (
            <>
              <p className="quiet">{texts.previewHint}</p>
              <Preview
                siteUuid={uuid}
                look={{ theme: value.theme, themeSettings: settings }}
                version={updatedAt}
              />
            </>
          ) : (
            <p>{filled(texts.redirects, { address: redirectUrl })}</p>
          )}
        </Section>
      </div>
    </div>
  );
}
