import { deviceLifetimeSeconds } from '../../domain/identity/login-codes/known-device.js';
import { requestLoginCode } from '../../domain/identity/login-codes/request-login-code.js';
import { signOut } from '../../domain/identity/sessions/open-sessions.js';
import { signInByCode } from '../../domain/identity/sessions/sign-in.js';
import { isUuid } from '../auth/authenticate-member.js';
import { deviceCookie, noSessionCookie, sessionCookie } from '../auth/session-cookie.js';
import { html } from '../http/html.js';
import { errorSummary, type FormErrors, field, noErrors } from './forms.js';
import { ownPath } from './own-path.js';
import { answerPage } from './page.js';
import { formErrorsOf, goOn, type Page, type PersonRequest, type VisitorRequest } from './page-request.js';
import { returnPath, withReturn } from './return-path.js';
import { organizationSignInPath } from './sign-in-by-organization.js';

const signInPath = '/sign-in';
const codePath = '/sign-in/code';

/** Signing in by a code to an address of the person. */
export const signInPages: readonly Page[] = [
  { for: 'anyone', path: signInPath, get: (request) => askAddress(request, noErrors), post: sendCode },
  { for: 'anyone', path: codePath, post: enterCode },
  { for: 'person', path: '/sign-out', openToProviders: true, post: leave },
];

function askAddress(request: VisitorRequest, errors: FormErrors): void {
  const { ctx, form } = request;
  const next = returnPath(request);
  answerPage(ctx, {
    title: 'Sign in',
    status: statusOf(errors),
    content: html`${errorSummary(errors)}
<form method="post" action="${signInPath}">
<input type="hidden" name="return" value="${next}">
${field({
  name: 'address',
  label: 'Email or phone number',
  hint: 'A code is sent to it, if it is known here. Write a phone number with its country: +1 …',
  value: form.one('address'),
  required: true,
  autocomplete: 'username',
  maxLength: 254,
  error: errors.fields.address,
})}
<button>Send a code</button></form>
<p><a href="${withReturn(organizationSignInPath, next)}">Sign in with your organization</a></p>`,
  });
}

async function sendCode(request: VisitorRequest): Promise<void> {
  const { ctx, context, form, services } = request;
  const address = form.one('address').trim();
  const name = address.includes('@') ? 'email' : 'phone';
  try {
    const { uuid } = await requestLoginCode(context, { [name]: address });
    askCode(request, { uuid, address, next: ownPath(form.one('return'), services.ownOrigin) }, noErrors);
  } catch (error) {
    const { message, fields } = formErrorsOf(error, [name]);
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

function askCode({ ctx }: VisitorRequest, { uuid, address, next }: AskedCode, errors: FormErrors): void {
  answerPage(ctx, {
    title: 'Enter the code',
    status: statusOf(errors),
    content: html`${errorSummary(errors)}
<p>If ${address} is known here, a code with six digits is on its way. It is valid for ten minutes.</p>
<form method="post" action="${codePath}">
<input type="hidden" name="return" value="${next}"><input type="hidden" name="uuid" value="${uuid}">
<input type="hidden" name="address" value="${address}">
${field({
  name: 'code',
  label: 'Code',
  required: true,
  autocomplete: 'one-time-code',
  maxLength: 6,
  error: errors.fields.code,
})}
<button>Sign in</button></form>
<p><a href="${withReturn(signInPath, next)}">Use another address, or get a new code</a></p>`,
  });
}

async function enterCode(request: VisitorRequest): Promise<void> {
  const { ctx, context, form, services } = request;
  const asked = {
    uuid: form.one('uuid'),
    address: form.one('address'),
    next: ownPath(form.one('return'), services.ownOrigin),
  };
  if (!isUuid(asked.uuid)) return askAddress(request, noErrors);
  try {
    const begun = await signInByCode(context, { loginCodeUuid: asked.uuid, code: form.one('code').trim() });
    const { session, token, deviceToken } = begun;
    const seconds = Math.round((session.expiresAt.getTime() - session.createdAt.getTime()) / 1_000);
    ctx.append('Set-Cookie', sessionCookie(token, seconds));
    if (deviceToken !== undefined) ctx.append('Set-Cookie', deviceCookie(deviceToken, deviceLifetimeSeconds));
    goOn(ctx, asked.next);
  } catch (error) {
    const { message } = formErrorsOf(error, []);
    askCode(request, asked, { fields: { code: message ?? 'The code is wrong.' } });
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
