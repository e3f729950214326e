import type { ReactNode } from 'react';
import { CheckField, InputField, TextAreaField } from '../kit/field.js';
import { filled } from '../texts/texts.js';
import { assistantChoices, workflowChoices } from './choices.js';
import { useLocaleName } from './locale-fields.js';
import { NamedField } from './named-field.js';
import { useSiteTexts } from './texts.js';
import type { SiteForm } from './use-site-form.js';

/** What the chat of visitors begins with. */
export function ChatFields({ form: { value, change } }: { form: SiteForm }): ReactNode {
  const { settings: texts } = useSiteTexts();
  const nameOf = useLocaleName();
  const greetings = value.chatGreetingTranslations ?? {};
  const others = (value.availableLocales ?? []).filter((locale) => locale !== value.primaryLocale);
  const locales = [...new Set([...others, ...Object.keys(greetings)])];
  const greet = (locale: string, text: string) => {
    const rest = Object.entries(greetings).filter(([one]) => one !== locale);
    const all = text === '' ? rest : [...rest, [locale, text] as const];
    change({ chatGreetingTranslations: Object.fromEntries(all) });
  };
  return (
    <>
      <NamedField
        label={texts.workflow}
        pointer="/defaultWorkflowId"
        hint={texts.workflowHint}
        none={texts.noWorkflow}
        choices={workflowChoices}
        value={value.defaultWorkflowId}
        onChange={(defaultWorkflowId) => change({ defaultWorkflowId })}
      />
      <NamedField
        label={texts.assistant}
        pointer="/defaultAssistantMemberId"
        none={texts.noAssistant}
        choices={assistantChoices}
        value={value.defaultAssistantMemberId}
        onChange={(defaultAssistantMemberId) => change({ defaultAssistantMemberId })}
      />
      <TextAreaField
        label={texts.greeting}
        pointer="/chatGreeting"
        rows={2}
        maxLength={500}
        value={value.chatGreeting ?? ''}
        onChange={({ target }) => change({ chatGreeting: target.value || null })}
      />
      {locales.map((locale) => (
        <TextAreaField
          key={locale}
          label={filled(texts.greetingIn, { language: nameOf(locale) })}
          pointer={`/chatGreetingTranslations/${locale}`}
          rows={2}
          maxLength={500}
          lang={locale}
          value={greetings[locale] ?? ''}
          onChange={({ target }) => greet(locale, target.value)}
        />
      ))}
      <CheckField
        label={texts.showsNames}
        pointer="/chatShowsNames"
        hint={texts.showsNamesHint}
        checked={value.chatShowsNames === true}
        onChange={({ target }) => change({ chatShowsNames: target.checked })}
      />
      <InputField
        label={texts.chatsPerDay}
        pointer="/visitorChatsPerDay"
        hint={texts.chatsPerDayHint}
        type="number"
        required
        min={0}
        max={10_000}
        value={Number.isInteger(value.visitorChatsPerDay) ? value.visitorChatsPerDay : ''}
        onChange={({ target }) => change({ visitorChatsPerDay: target.valueAsNumber })}
      />
    </>
  );
}
