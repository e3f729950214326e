import { updateAccount } from '../../domain/identity/accounts/update-account.js';
import { html } from '../http/html.js';
import { textIn } from './form-values.js';
import { errorSummary, type FormErrors, field, form as formTo, noErrors } from './forms.js';
import { formErrorsOf, goOn, type Page, type PersonRequest, show } from './page-request.js';

const path = '/settings';
const names = ['name', 'avatarUrl', 'locale', 'timezone'] as const;

export const accountPages: readonly Page[] = [
  { for: 'person', path, get: (request) => view(request, noErrors), post: save },
];

function view(request: PersonRequest, errors: FormErrors): void {
  const { account } = request.context;
  const isSent = request.ctx.method === 'POST';
  const value = (name: (typeof names)[number]) => (isSent ? request.form.one(name) : (account[name] ?? ''));
  show(request, {
    title: 'Account',
    status: errors === noErrors ? 200 : 400,
    content: html`${errorSummary(errors)}
${request.ctx.query.saved === undefined ? undefined : html`<p role="status" class="done">Your changes are saved.</p>`}
<dl><dt>Email</dt><dd>${account.email ?? 'none'}</dd><dt>Phone</dt><dd>${account.phone ?? 'none'}</dd></dl>
${formTo(
  path,
  request.signedIn.formToken,
  html`${field({ name: 'name', label: 'Name', value: value('name'), required: true, autocomplete: 'name', maxLength: 200, error: errors.fields.name })}
${field({ name: 'avatarUrl', label: 'Picture (optional)', hint: 'An address that begins with https://, or that of a public file of the service.', type: 'url', value: value('avatarUrl'), maxLength: 2048, error: errors.fields.avatarUrl })}
${field({ name: 'locale', label: 'Language', hint: 'Such as en-US or de.', value: value('locale'), required: true, maxLength: 35, error: errors.fields.locale })}
${field({ name: 'timezone', label: 'Time zone', hint: 'Such as Europe/Berlin.', value: value('timezone'), required: true, maxLength: 64, error: errors.fields.timezone })}
<button>Save</button>`,
)}`,
  });
}

async function save(request: PersonRequest): Promise<void> {
  const { context, form, ctx, services } = request;
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
    goOn(ctx, `${path}?saved`);
  } catch (error) {
    view(request, formErrorsOf(error, names));
  }
}
