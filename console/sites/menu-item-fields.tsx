import type { ReactNode } from 'react';
import { CheckField, InputField, SelectField } from '../kit/field.js';
import { filled } from '../texts/texts.js';
import { useLocaleName } from './locale-fields.js';
import { PageField } from './page-field.js';
import type { MenuItem } from './queries.js';
import styles from './sites.module.css';
import { useSiteTexts } from './texts.js';
import type { OpenSite } from './with-site.js';

export type ItemValues = Pick<
  MenuItem,
  | ('label' | 'itemType' | 'pageId' | 'pageTitle' | 'url' | 'icon' | 'cssClass' | 'target' | 'isActive')
  | 'translations'
>;

export const blankItem: ItemValues = {
  label: '',
  itemType: 'page',
  pageId: null,
  pageTitle: null,
  url: null,
  icon: null,
  cssClass: null,
  target: null,
  isActive: true,
  translations: {},
};

interface Props {
  open: Pick<OpenSite, 'at' | 'site'>;
  value: ItemValues;
  change(changes: Partial<ItemValues>): void;
}

/** The fields of an item, by what it leads to. */
export function MenuItemFields({ open: { at, site }, value, change }: Props): ReactNode {
  const { menu: texts } = useSiteTexts();
  const nameOf = useLocaleName();
  const locales = (site.availableLocales ?? []).filter((locale) => locale !== site.primaryLocale);
  const translate = (locale: string, text: string) => {
    const rest = Object.entries(value.translations).filter(([one]) => one !== locale);
    change({ translations: Object.fromEntries(text === '' ? rest : [...rest, [locale, text] as const]) });
  };
  const types = ['page', 'url', 'none', ...(value.itemType === 'products' ? ['products'] : [])] as const;
  return (
    <>
      <SelectField
        label={texts.leadsTo}
        pointer="/itemType"
        value={value.itemType}
        onChange={({ target }) =>
          change({ itemType: target.value as ItemValues['itemType'], pageId: null, url: null })
        }
      >
        {types.map((type) => (
          <option key={type} value={type}>
            {texts.types[type as ItemValues['itemType']]}
          </option>
        ))}
      </SelectField>
      {value.itemType === 'page' ? (
        <PageField
          at={at}
          label={texts.page}
          pointer="/pageId"
          value={value.pageId === null ? undefined : { id: value.pageId, title: value.pageTitle ?? '' }}
          onChange={(page) =>
            change({
              pageId: page?.id ?? null,
              pageTitle: page?.title ?? null,
              ...(value.label === '' ? { label: page?.title ?? '' } : {}),
            })
          }
        />
      ) : null}
      {value.itemType === 'url' ? (
        <InputField
          label={texts.url}
          pointer="/url"
          hint={texts.urlHint}
          maxLength={2_048}
          required
          value={value.url ?? ''}
          onChange={({ target }) => change({ url: target.value || null })}
        />
      ) : null}
      <InputField
        label={texts.label}
        pointer="/label"
        required
        maxLength={200}
        value={value.label}
        onChange={({ target }) => change({ label: target.value })}
      />
      {locales.map((locale) => (
        <InputField
          key={locale}
          label={filled(texts.labelIn, { language: nameOf(locale) })}
          pointer={`/translations/${locale}`}
          lang={locale}
          maxLength={200}
          value={value.translations[locale] ?? ''}
          onChange={({ target }) => translate(locale, target.value)}
        />
      ))}
      <CheckField
        label={texts.newWindow}
        pointer="/target"
        checked={value.target === '_blank'}
        onChange={({ target }) => change({ target: target.checked ? '_blank' : null })}
      />
      <CheckField
        label={texts.isActive}
        pointer="/isActive"
        checked={value.isActive}
        onChange={({ target }) => change({ isActive: target.checked })}
      />
      <details>
        <summary>{texts.more}</summary>
        <div className={styles.fields}>
          {(['icon', 'cssClass'] as const).map((field) => (
            <InputField
              key={field}
              label={texts[field]}
              pointer={`/${field}`}
              maxLength={60}
              value={value[field] ?? ''}
              onChange={({ target }) => change({ [field]: target.value || null })}
            />
          ))}
        </div>
      </details>
    </>
  );
}
