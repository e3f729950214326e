import { updateAccount } from '../../../domain/identity/accounts/update-account.js';
import { html } from '../../http/html.js';
import { pathOf } from './change-contact.js';
import { textIn } from './form-values.js';
import { errorSummary, type FormErrors, field, form as formTo, noErrors, optional, select } from './forms.js';
import { formErrorsOf, goOn, type Page, type PersonRequest, show } from './page-request.js';

const path = '/settings';
const names = ['name', 'avatarUrl', 'locale', 'timezone'] as const;
/** Languages that many people have, with the regions in which they are written differently. */
const locales = [
  ...['ar', 'bg', 'bn', 'cs', 'da', 'de', 'de-AT', 'de-CH', 'de-DE', 'el', 'en', 'en-AU', 'en-CA', 'en-GB'],
  ...['en-IE', 'en-IN', 'en-NZ', 'en-US', 'es', 'es-419', 'es-ES', 'es-MX', 'es-US', 'et', 'fa', 'fi', 'fil'],
  ...['fr', 'fr-BE', 'fr-CA', 'fr-CH', 'fr-FR', 'he', 'hi', 'hr', 'hu', 'id', 'it', 'ja', 'ko', 'lt', 'lv'],
  ...[
    'ms',
    'nb',
    'nl',
    'nl-BE',
    'pl',
    'pt-BR',
    'pt-PT',
    'ro',
    'ru',
    'sk',
    'sl',
    'sq',
    'sr',
    'sv',
    'sw',
    'th',
  ],
  ...['tr', 'uk', 'ur', 'vi', 'zh-Hans', 'zh-Hant'],
];
const timezones = ['UTC', ...Intl.supportedValuesOf('timeZone')];

export const accountPages: readonly Page[] = [
  { for: 'person', path, get: (request) => view(request, noErrors), post: save },
];

function view(request: PersonRequest, errors: FormErrors): void {
  const { account } = request.context;
  const { language } = request;
  const { texts } = language;
  const isSent = request.ctx.method === 'POST';
  const value = (name: (typeof names)[number]) => (isSent ? request.form.one(name) : (account[name] ?? ''));
  const common = (name: (typeof names)[number]) => ({ name, value: value(name), error: errors.fields[name] });
  show(request, {
    title: texts.account,
    status: errors === noErrors ? 200 : 400,
    content: html`${errorSummary(language, errors)}
<dl>${(['email', 'phone'] as const).map(
      (channel) => html`<dt>${texts[channel]}</dt><dd>${account[channel] ?? texts.none}
<a href="${pathOf(channel)}" aria-label="${channel === 'email' ? texts.changeEmail : texts.changePhone}">${texts.change}</a></dd>`,
    )}</dl>
${formTo(
  path,
  request.signedIn.formToken,
  html`${field({ ...common('name'), label: texts.nameLabel, required: true, autocomplete: 'name', maxLength: 200 })}
${field({ ...common('avatarUrl'), label: optional(language, texts.pictureLabel), hint: texts.pictureHint, type: 'url', maxLength: 2048 })}
${select({ ...common('locale'), label: texts.languageLabel, hint: texts.languageHint }, localeOptions(value('locale')))}
${field({ ...common('timezone'), label: texts.timezoneLabel, hint: texts.timezoneHint, required: true, maxLength: 64, suggestions: timezones })}
<button>${texts.save}</button>`,
)}`,
  });
}

/** Each language by its own name; also the one that the account has, which an API may have set. */
function localeOptions(current: string): { value: string; label: string }[] {
  const offered = locales.includes(current) ? locales : [current, ...locales];
  return offered.map((locale) => ({ value: locale, label: nameOf(locale) }));
}

function nameOf(locale: string): string {
  try {
    return new Intl.DisplayNames([locale], { type: 'language' }).of(locale) ?? locale;
  } catch {
    return locale;
  }
}

async function save(request: PersonRequest): Promise<void> {
  const { context, form, ctx, services, language } = request;
  const { texts } = language;
  try {
    await updateAccount(
      { ...context, webhookAddresses: services.webhookAddresses, fileAddresses: services.fileAddresses },
      {
        name: textIn(form, 'name'),
        avatarUrl: form.one('avatarUrl').trim() || null,
        locale: textIn(form, 'locale', 35),
        timezone: textIn(form, 'timezone', 64),
      },
    );
    goOn(ctx, path, 'saved');
  } catch (error) {
    const sentences = {
      name: texts.nameError,
      avatarUrl: texts.pictureError,
      locale: texts.languageError,
      timezone: texts.timezoneError,
    };
    view(request, formErrorsOf(error, sentences, language));
  }
}
