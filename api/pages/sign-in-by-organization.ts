import {
  getPublicOrganization,
  type PublicOrganization,
} from '../../domain/identity/organizations/public-organization.js';
import { NotFound } from '../../domain/lib/errors.js';
import { html } from '../http/html.js';
import { errorSummary, type FormErrors, field, noErrors } from './forms.js';
import { answerPage } from './page.js';
import { type Page, queryText, type VisitorRequest } from './page-request.js';
import { returnPath, withReturn } from './return-path.js';

export const organizationSignInPath = '/sign-in/organization';

/** Signing in by the identity provider of an organization. */
export const organizationSignInPages: readonly Page[] = [
  { for: 'anyone', path: organizationSignInPath, get: chooseOrganization },
];

async function chooseOrganization(request: VisitorRequest): Promise<void> {
  const name = queryText(request.ctx, 'organization')?.trim() ?? '';
  if (name === '') return askOrganization(request, name, noErrors);
  const found = await organizationNamed(request, name.toLowerCase());
  if (found?.hasProvider) return offer(request, found);
  const error = 'No organization of this name signs in by its own provider.';
  return askOrganization(request, name, { fields: { organization: error } });
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
  answerPage(request.ctx, {
    title: 'Sign in with your organization',
    status: errors === noErrors ? 200 : 404,
    content: html`${errorSummary(errors)}
<form method="get" action="${organizationSignInPath}">
<input type="hidden" name="return" value="${next}">
${field({
  name: 'organization',
  label: 'Short name of the organization',
  hint: 'As in the addresses of the organization, such as north-clinic.',
  value: name,
  required: true,
  autocomplete: 'organization',
  maxLength: 63,
  error: errors.fields.organization,
})}
<button>Continue</button></form>
<p><a href="${withReturn('/sign-in', next)}">Sign in by a code instead</a></p>`,
  });
}

/** A link, as browsers apply form-action to each redirect after a form, and the provider is elsewhere. */
function offer(request: VisitorRequest, { organization: { name, slug } }: PublicOrganization): void {
  const next = returnPath(request);
  const start = `/api/v2/o/${encodeURIComponent(slug)}/sso/start?returnTo=${encodeURIComponent(next)}`;
  answerPage(request.ctx, {
    title: `Sign in to ${name}`,
    content: html`<p>You go on to the sign-in page of ${name}, and come back signed in.</p>
<p><a href="${start}">Continue to ${name}</a></p>
<p><a href="${withReturn(organizationSignInPath, next)}">Choose another organization</a></p>`,
  });
}
