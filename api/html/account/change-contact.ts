import { confirmAddress, requestAddress } from '../../../domain/identity/accounts/account-addresses.js';
import { DomainError } from '../../../domain/lib/errors.js';
import { isUuid } from '../../auth/authenticate-member.js';
import { html } from '../../http/html.js';
import { codeField, codeIn } from './code-field.js';
import { errorSummary, type FormErrors, field, form as formTo, noErrors } from './forms.js';
import { formErrorsOf, goOn, type Page, type PersonRequest, show } from './page-request.js';
import { withReturn } from './return-path.js';
import { filled } from './texts/language.js';

type Channel = 'email' | 'phone';

/** A new address of the account, which a code proves. */
export const addressPages: readonly Page[] = (['email', 'phone'] as const).flatMap((channel): Page[] => [
  {
    for: 'person',
    path: pathOf(channel),
    get: (request) => ask(request, channel, noErrors),
    post: (request) => send(request, channel),
  },
  { for: 'person', path: `${pathOf(channel)}/code`, post: (request) => confirm(request, channel) },
]);

/** Where an address is changed. */
export function pathOf(channel: Channel): string {
  return `/settings/${channel}`;
}

function ask(request: PersonRequest, channel: Channel, errors: FormErrors): void {
  const { form, signedIn, language } = request;
  const { texts } = language;
  show(request, {
    title: channel === 'email' ? texts.changeEmail : texts.changePhone,
    status: errors === noErrors ? 200 : 400,
    content: html`${errorSummary(language, errors)}
<p>${texts.changeAddressWhy}</p>
${formTo(
  pathOf(channel),
  signedIn.formToken,
  html`${field({
    name: 'address',
    label: channel === 'email' ? texts.newEmail : texts.newPhone,
    hint: channel === 'email' ? texts.newEmailHint : texts.newPhoneHint,
    type: channel === 'email' ? 'email' : 'tel',
    value: form.one('address'),
    required: true,
    autofocus: true,
    autocomplete: channel === 'email' ? 'email' : 'tel',
    maxLength: 254,
    error: errors.fields.address,
  })}
<p class="acts"><button>${texts.sendCode}</button> <a href="/settings" class="button quiet">${texts.cancel}</a></p>`,
)}`,
  });
}

async function send(request: PersonRequest, channel: Channel): Promise<void> {
  const { context, form, language } = request;
  const address = form.one('address').trim();
  try {
    const { uuid } = await requestAddress(context, { [channel]: address });
    askCode(request, channel, { uuid, address }, noErrors);
  } catch (error) {
    ask(request, channel, errorsOf(request, channel, error, { [channel]: language.texts.addressError }));
  }
}

interface Asked {
  uuid: string;
  address: string;
}

function askCode(
  request: PersonRequest,
  channel: Channel,
  { uuid, address }: Asked,
  errors: FormErrors,
): void {
  const { signedIn, language } = request;
  const { texts } = language;
  show(request, {
    title: texts.enterCode,
    status: errors === noErrors ? 200 : 400,
    content: html`${errorSummary(language, errors)}
<p>${filled(texts.codeSentTo, { address })}</p>
${formTo(
  `${pathOf(channel)}/code`,
  signedIn.formToken,
  html`<input type="hidden" name="uuid" value="${uuid}"><input type="hidden" name="address" value="${address}">
${codeField(language, errors.fields.code)}
<p class="acts"><button>${texts.confirm}</button> <a href="${pathOf(channel)}" class="button quiet">${texts.otherAddress}</a></p>`,
)}`,
  });
}

async function confirm(request: PersonRequest, channel: Channel): Promise<void> {
  const { context, form, language } = request;
  const asked = { uuid: form.one('uuid'), address: form.one('address') };
  if (!isUuid(asked.uuid)) return ask(request, channel, noErrors);
  try {
    await confirmAddress(context, { loginCodeUuid: asked.uuid, code: codeIn(form) });
    goOn(request.ctx, '/settings', 'addressChanged');
  } catch (error) {
    askCode(request, channel, asked, errorsOf(request, channel, error, { code: language.texts.codeWrong }));
  }
}

/** With the way to a session that is young enough. */
function errorsOf(
  { language }: PersonRequest,
  channel: Channel,
  error: unknown,
  sentences: Record<string, string>,
): FormErrors {
  const { message, fields } = formErrorsOf(error, sentences, language);
  const named = Object.entries(fields).map(([name, text]) => [name === channel ? 'address' : name, text]);
  const isOld = error instanceof DomainError && error.code === 'sign_in_again';
  const link = html` <a href="${withReturn('/sign-in', pathOf(channel))}">${language.texts.signInAgain}</a>`;
  return {
    ...(message === undefined ? {} : { message: html`${message}${isOld ? link : undefined}` }),
    fields: Object.fromEntries(named),
  };
}
