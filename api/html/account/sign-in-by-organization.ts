import {
  getPublicOrganization,
  type PublicOrganization,
} from '../../../domain/identity/organizations/public-organization.js';
import { createSessionToken } from '../../../domain/identity/sessions/session-token.js';
import { beginSignOn } from '../../../domain/identity/single-sign-on/sign-in-by-provider.js';
import { Forbidden, NotFound } from '../../../domain/lib/errors.js';
import { signOnCookie } from '../../auth/session-cookie.js';
import { html } from '../../http/html.js';
import { errorSummary, type FormErrors, field, form as formTo, noErrors } from './forms.js';
import { type Page, queryText, showAnyone, type VisitorRequest } from './page-request.js';
import { returnPath, withReturn } from './return-path.js';
import { filled } from './texts/language.js';

export const organizationSignInPath = '/sign-in/organization';
const ticketSeconds = 600;

/** Signing in by the identity provider of an organization. */
export const organizationSignInPages: readonly Page[] = [
  { for: 'anyone', path: organizationSignInPath, get: chooseOrganization, post: goToProvider },
];

async function chooseOrganization(request: VisitorRequest): Promise<void> {
  const name = queryText(request.ctx, 'organization')?.trim() ?? '';
  if (name === '') return askOrganization(request, name, noErrors);
  const found = await organizationNamed(request, name.toLowerCase());
  if (found?.hasProvider) return offer(request, found);
  return askOrganization(request, name, {
    fields: { organization: request.language.texts.organizationError },
  });
}

async function organizationNamed(
  { context }: VisitorRequest,
  name: string,
): Promise<PublicOrganization | undefined> {
  try {
    return await getPublicOrganization(context, name);
  } catch (error) {
    if (error instanceof NotFound) return undefined;
    throw error;
  }
}

function askOrganization(request: VisitorRequest, name: string, errors: FormErrors): void {
  const next = returnPath(request);
  const { language } = request;
  const { texts } = language;
  showAnyone(request, {
    title: texts.byOrganization,
    status: errors === noErrors ? 200 : 404,
    content: html`${errorSummary(language, errors)}
<form method="get" action="${organizationSignInPath}">
<input type="hidden" name="return" value="${next}">
${field({
  name: 'organization',
  label: texts.organizationLabel,
  hint: texts.organizationHint,
  value: name,
  required: true,
  autofocus: true,
  autocomplete: 'organization',
  maxLength: 63,
  error: errors.fields.organization,
})}
<button>${texts.goOn}</button></form>
<p><a href="${withReturn('/sign-in', next)}">${texts.byCode}</a></p>`,
  });
}

/**
 * Asks before a sign-in begins: a link of another page may have led here, and the session that is open would end. The token
 * of the form is bound to a cookie of this page, so that no other page can send it.
 */
function offer(request: VisitorRequest, { organization: { name, slug } }: PublicOrganization): void {
  const { ctx, context, formTokens, language } = request;
  const { texts } = language;
  const next = returnPath(request);
  const { token: ticket } = createSessionToken();
  ctx.append('Set-Cookie', signOnCookie(ticket, ticketSeconds));
  showAnyone(request, {
    title: filled(texts.signInTo, { name }),
    content: html`<p>${filled(texts.providerNext, { name })}</p>
${context.visitor.sessionToken === undefined ? undefined : html`<p><strong>${texts.endsSession}</strong> ${texts.notAsked}</p>`}
${formTo(
  organizationSignInPath,
  formTokens.tokenFor(ticket),
  html`<input type="hidden" name="organization" value="${slug}"><input type="hidden" name="return" value="${next}">
<button>${filled(texts.goOnTo, { name })}</button>`,
)}
<p><a href="${withReturn(organizationSignInPath, next)}">${texts.otherOrganization}</a></p>`,
  });
}

/** @throws Forbidden `form_refused`, Unavailable */
async function goToProvider(request: VisitorRequest): Promise<void> {
  const { ctx, context, form, formTokens, services } = request;
  const ticket = context.visitor.signOnFlow;
  if (ticket === undefined || !formTokens.isValid(form.one('formToken'), ticket)) {
    const why = 'The form does not belong to this browser. Go back, reload the page and try again.';
    throw new Forbidden('form token', why, 'form_refused');
  }
  const slug = form.one('organization');
  const begun = await beginSignOn({ ...context, ...services.signOn }, slug, returnPath(request));
  ctx.append('Set-Cookie', signOnCookie(begun.sealed, begun.seconds));
  const { texts } = request.language;
  showAnyone(request, {
    title: texts.goingOn,
    goesOnTo: begun.url,
    content: html`<p><a href="${begun.url}" class="button">${texts.goOnToProvider}</a></p>`,
  });
}
