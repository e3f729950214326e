import type { ReactNode } from 'react';
import { CheckField, InputField, TextAreaField } from '../kit/field.js';
import { MemberPicker } from '../kit/member-picker.js';
import { Section } from '../kit/page.js';
import { ChatFields } from './chat-fields.js';
import { folderChoices, roleChoices } from './choices.js';
import { LocaleFields } from './locale-fields.js';
import { NamedField } from './named-field.js';
import { SiteFields } from './site-form.js';
import styles from './sites.module.css';
import { useSiteTexts } from './texts.js';
import { type SiteForm, useSiteForm } from './use-site-form.js';
import { type OpenSite, WithSite } from './with-site.js';

/** Who reads a site and in which languages, what its chat begins with, and what search engines see. */
export function SettingsPage(): ReactNode {
  return <WithSite>{(open) => <Settings key={open.site.id} open={open} />}</WithSite>;
}

function Settings({ open }: { open: OpenSite }): ReactNode {
  const { settings: texts } = useSiteTexts();
  const form = useSiteForm('settings', open);
  return (
    <div className={styles.form}>
      <SiteFields form={form} open={open}>
        <Section title={texts.readers}>
          <ReaderFields form={form} />
        </Section>
        <Section title={texts.languages}>
          <LocaleFields form={form} />
        </Section>
        <Section title={texts.chat}>
          <ChatFields form={form} />
        </Section>
        <Section title={texts.search}>
          <SearchFields form={form} />
        </Section>
      </SiteFields>
    </div>
  );
}

function ReaderFields({ form: { value, change } }: { form: SiteForm }): ReactNode {
  const { settings: texts } = useSiteTexts();
  return (
    <>
      <CheckField
        label={texts.isPublic}
        pointer="/isPublic"
        hint={texts.isPublicHint}
        checked={value.isPublic}
        onChange={({ target }) => change({ isPublic: target.checked })}
      />
      <CheckField
        label={texts.allowSignup}
        pointer="/allowSignup"
        hint={texts.allowSignupHint}
        checked={value.allowSignup}
        onChange={({ target }) => change({ allowSignup: target.checked })}
      />
      {value.allowSignup ? (
        <NamedField
          label={texts.signupRole}
          pointer="/signupMemberRoleId"
          none={texts.firstRole}
          choices={roleChoices}
          value={value.signupMemberRoleId}
          onChange={(signupMemberRoleId) => change({ signupMemberRoleId })}
        />
      ) : null}
      <InputField
        label={texts.redirectUrl}
        pointer="/redirectUrl"
        hint={texts.redirectUrlHint}
        type="url"
        maxLength={2_000}
        value={value.redirectUrl ?? ''}
        onChange={({ target }) => change({ redirectUrl: target.value || null })}
      />
      <MemberPicker
        label={texts.owner}
        pointer="/ownerId"
        hint={texts.ownerHint}
        value={value.ownerId ?? undefined}
        onChange={(ownerId) => change({ ownerId })}
      />
    </>
  );
}

function SearchFields({ form: { value, change } }: { form: SiteForm }): ReactNode {
  const { settings: texts } = useSiteTexts();
  return (
    <>
      <InputField
        label={texts.slug}
        pointer="/slug"
        required
        maxLength={63}
        value={value.slug}
        onChange={({ target }) => change({ slug: target.value })}
      />
      <TextAreaField
        label={texts.metaDescription}
        pointer="/metaDescription"
        hint={texts.metaDescriptionHint}
        rows={2}
        maxLength={500}
        value={value.metaDescription ?? ''}
        onChange={({ target }) => change({ metaDescription: target.value || null })}
      />
      <NamedField
        label={texts.assetsFolder}
        pointer="/assetsFolderId"
        hint={texts.assetsFolderHint}
        none={texts.noFolder}
        choices={folderChoices}
        value={value.assetsFolderId}
        onChange={(assetsFolderId) => change({ assetsFolderId })}
      />
      <InputField
        label={texts.analytics}
        pointer="/googleAnalyticsId"
        hint={texts.analyticsHint}
        maxLength={24}
        placeholder="G-…"
        value={value.googleAnalyticsId ?? ''}
        onChange={({ target }) => change({ googleAnalyticsId: target.value || null })}
      />
      <InputField
        label={texts.adwords}
        pointer="/googleAdwordsId"
        maxLength={18}
        placeholder="AW-…"
        value={value.googleAdwordsId ?? ''}
        onChange={({ target }) => change({ googleAdwordsId: target.value || null })}
      />
    </>
  );
}
