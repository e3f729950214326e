import { type ReactNode, useState } from 'react';
import { InputField, SelectField } from '../kit/field.js';
import { filled, useLocale } from '../texts/texts.js';
import styles from './sites.module.css';
import { useSiteTexts } from './texts.js';
import type { SiteForm } from './use-site-form.js';

/** What a locale is called in the language of the console; what is no locale is shown as it is written. */
export function useLocaleName(): (locale: string) => string {
  const names = new Intl.DisplayNames(useLocale(), { type: 'language' });
  return (locale) => {
    try {
      return names.of(locale) ?? locale;
    } catch {
      return locale;
    }
  };
}

/** The languages that pages can be written in. */
export function LocaleFields({ form: { value, change } }: { form: SiteForm }): ReactNode {
  const { settings: texts } = useSiteTexts();
  const nameOf = useLocaleName();
  const [added, setAdded] = useState('');
  const locales = value.availableLocales ?? [];
  const add = () => {
    const locale = added.trim();
    setAdded('');
    if (locale !== '' && !locales.includes(locale)) change({ availableLocales: [...locales, locale] });
  };
  return (
    <>
      <ul className={styles.locales}>
        {locales.map((locale) => (
          <li key={locale}>
            {nameOf(locale)} <code>{locale}</code>
            {locale === value.primaryLocale ? null : (
              <button
                type="button"
                aria-label={filled(texts.removeLocale, { language: nameOf(locale) })}
                onClick={() => change({ availableLocales: locales.filter((one) => one !== locale) })}
              >
                ×
              </button>
            )}
          </li>
        ))}
      </ul>
      <div className={styles.add}>
        <InputField
          label={texts.addLocale}
          pointer="/availableLocales"
          hint={texts.addLocaleHint}
          maxLength={35}
          autoCapitalize="none"
          spellCheck={false}
          value={added}
          onChange={({ target }) => setAdded(target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return;
            event.preventDefault();
            add();
          }}
        />
        <button type="button" disabled={added.trim() === ''} onClick={add}>
          {texts.add}
        </button>
      </div>
      <SelectField
        label={texts.primaryLocale}
        pointer="/primaryLocale"
        hint={texts.primaryLocaleHint}
        value={value.primaryLocale}
        onChange={({ target }) => change({ primaryLocale: target.value })}
      >
        {locales.map((locale) => (
          <option key={locale} value={locale}>
            {nameOf(locale)}
          </option>
        ))}
      </SelectField>
    </>
  );
}
