import { deviceLifetimeSeconds } from '../../../domain/identity/login-codes/known-device.js';
import { requestLoginCode } from '../../../domain/identity/login-codes/request-login-code.js';
import { signOut } from '../../../domain/identity/sessions/open-sessions.js';
import { signInByCode } from '../../../domain/identity/sessions/sign-in.js';
import { Unauthenticated } from '../../../domain/lib/errors.js';
import { isUuid } from '../../auth/authenticate-member.js';
import { deviceCookie, noSessionCookie, sessionCookie } from '../../auth/session-cookie.js';
import { html } from '../../http/html.js';
import { codeField, codeIn } from './code-field.js';
import { errorSummary, type FormErrors, field, noErrors } from './forms.js';
import { ownPath } from './own-path.js';
import {
  formErrorsOf,
  goOn,
  type Page,
  type PersonRequest,
  showAnyone,
  type VisitorRequest,
} from './page-request.js';
import { returnPath, withReturn } from './return-path.js';
import { organizationSignInPath } from './sign-in-by-organization.js';
import { filled } from './texts/language.js';

const signInPath = '/sign-in';
const codePath = '/sign-in/code';

/** Signing in by a code to an address of the person. */
export const signInPages: readonly Page[] = [
  { for: 'anyone', path: signInPath, get: (request) => askAddress(request, noErrors), post: sendCode },
  { for: 'anyone', path: codePath, post: enterCode },
  { for: 'person', path: '/sign-out', openToProviders: true, post: leave },
];

function askAddress(request: VisitorRequest, errors: FormErrors): void {
  const { form, language } = request;
  const { texts } = language;
  const next = returnPath(request);
  showAnyone(request, {
    title: texts.signIn,
    status: statusOf(errors),
    content: html`${errorSummary(language, errors)}
<form method="post" action="${signInPath}">
<input type="hidden" name="return" value="${next}">
${field({
  name: 'address',
  label: texts.addressLabel,
  hint: texts.addressHint,
  value: form.one('address'),
  required: true,
  autofocus: true,
  autocomplete: 'username',
  maxLength: 254,
  error: errors.fields.address,
})}
<button>${texts.sendCode}</button></form>
<p><a href="${withReturn(organizationSignInPath, next)}">${texts.byOrganization}</a></p>`,
  });
}

async function sendCode(request: VisitorRequest): Promise<void> {
  const { ctx, context, form, services, language } = request;
  const address = form.one('address').trim();
  const name = address.includes('@') ? 'email' : 'phone';
  try {
    const { uuid } = await requestLoginCode(context, { [name]: address });
    askCode(request, { uuid, address, next: ownPath(form.one('return'), services.ownOrigin) }, noErrors);
  } catch (error) {
    const { message, fields } = formErrorsOf(error, { [name]: language.texts.addressError }, language);
    const wrong = fields[name] === undefined ? {} : { address: fields[name] };
    askAddress(request, { ...(message === undefined ? {} : { message }), fields: wrong });
    if (message !== undefined) ctx.status = 429;
  }
}

interface AskedCode {
  uuid: string;
  address: string;
  next: string;
}

function askCode(request: VisitorRequest, { uuid, address, next }: AskedCode, errors: FormErrors): void {
  const { language } = request;
  const { texts } = language;
  const again = html`<input type="hidden" name="return" value="${next}"><input type="hidden" name="address" value="${address}">`;
  showAnyone(request, {
    title: texts.enterCode,
    status: statusOf(errors),
    content: html`${errorSummary(language, errors)}
<p>${filled(texts.codeSent, { address })}</p>
<form method="post" action="${codePath}">
<input type="hidden" name="uuid" value="${uuid}">${again}
${codeField(language, errors.fields.code)}
<button>${texts.signIn}</button></form>
<form method="post" action="${signInPath}">${again}<button class="quiet">${texts.newCode}</button></form>
<p><a href="${withReturn(signInPath, next)}">${texts.otherAddress}</a></p>`,
  });
}

async function enterCode(request: VisitorRequest): Promise<void> {
  const { ctx, context, form, services, language } = request;
  const asked = {
    uuid: form.one('uuid'),
    address: form.one('address'),
    next: ownPath(form.one('return'), services.ownOrigin),
  };
  if (!isUuid(asked.uuid)) return askAddress(request, noErrors);
  try {
    const begun = await signInByCode(context, { loginCodeUuid: asked.uuid, code: codeIn(form) });
    const { session, token, deviceToken } = begun;
    const seconds = Math.round((session.expiresAt.getTime() - session.createdAt.getTime()) / 1_000);
    ctx.append('Set-Cookie', sessionCookie(token, seconds));
    if (deviceToken !== undefined) ctx.append('Set-Cookie', deviceCookie(deviceToken, deviceLifetimeSeconds));
    goOn(ctx, asked.next);
  } catch (error) {
    if (!(error instanceof Unauthenticated))
      return askCode(request, asked, formErrorsOf(error, {}, language));
    askCode(request, asked, { fields: { code: language.texts.codeWrong } });
  }
}

async function leave({ ctx, context }: PersonRequest): Promise<void> {
  await signOut(context);
  ctx.append('Set-Cookie', noSessionCookie());
  goOn(ctx, signInPath);
}

function statusOf({ message, fields }: FormErrors): number {
  return message === undefined && Object.keys(fields).length === 0 ? 200 : 400;
}
