import type { OAuthClientRow } from '../../db/identity/oauth-clients.js';
import {
  type ApplicationInput,
  createApplication,
  deleteApplication,
  getApplication,
  listApplications,
  rotateApplicationSecret,
  updateApplication,
} from '../../domain/identity/oauth/applications.js';
import { oauthScopes } from '../../domain/identity/oauth/oauth-scopes.js';
import { InvalidInput, NotFound } from '../../domain/lib/errors.js';
import { parseUrl } from '../../domain/lib/parse-url.js';
import { isUuid } from '../auth/authenticate-member.js';
import { type Html, html } from '../http/html.js';
import { scopeChoices, scopesIn, textIn } from './form-values.js';
import { choices, errorSummary, type FormErrors, field, form as formTo, noErrors } from './forms.js';
import { formErrorsOf, goOn, type Page, type PersonRequest, show } from './page-request.js';
import { day, time } from './times.js';

const path = '/settings/applications';
const mostListed = 100;
const mostRedirects = 20;
const names = ['name', 'serverUrl', 'redirectUris', 'scopes'];

/** Apps: the OAuth applications of the account. */
export const applicationPages: readonly Page[] = [
  { for: 'person', path, get: list },
  { for: 'person', path: `${path}/new`, get: (request) => ask(request, noErrors), post: create },
  { for: 'person', path: `${path}/:uuid`, get: (request) => edit(request, noErrors), post: save },
  { for: 'person', path: `${path}/:uuid/rotate`, post: rotate },
  { for: 'person', path: `${path}/:uuid/delete`, post: remove },
];

async function list(request: PersonRequest): Promise<void> {
  const page = { page: 1, pageSize: mostListed, sortBy: 'createdAt', sortOrder: 'desc' } as const;
  const { items } = await listApplications(request.context, page);
  show(request, {
    title: 'Apps',
    content: html`<p>An app asks people for access to a workspace by OAuth.</p>
<p><a class="button" href="${path}/new">Create an app</a></p>
${
  items.length === 0
    ? html`<p>There are no apps yet.</p>`
    : html`<table><caption>Your apps</caption><thead><tr><th scope="col">Name</th><th scope="col">Client id</th><th scope="col">Last use</th><th scope="col">Created</th></tr></thead>
<tbody>${items.map(
        (
          one,
        ) => html`<tr><th scope="row"><a href="${path}/${one.uuid}">${one.name}</a></th><td><code>${one.clientId}</code></td>
<td>${time(one.lastUsedAt)}</td><td>${day(one.createdAt, '')}</td></tr>`,
      )}</tbody></table>`
}`,
  });
}

function ask(request: PersonRequest, errors: FormErrors): void {
  const { form, signedIn } = request;
  const values = {
    name: form.one('name'),
    serverUrl: form.one('serverUrl'),
    redirectUris: form.one('redirectUris'),
  };
  const kinds = choices('radio', { name: 'kind', legend: 'Where the app runs' }, [
    {
      value: 'confidential',
      label: 'On a server, which keeps a secret',
      checked: form.one('kind') !== 'public',
    },
    {
      value: 'public',
      label: 'On people’s devices or in their browsers',
      checked: form.one('kind') === 'public',
    },
  ]);
  show(request, {
    title: 'Create an app',
    status: errors === noErrors ? 200 : 400,
    content: html`${errorSummary(errors)}
${formTo(`${path}/new`, signedIn.formToken, html`${fields(values, new Set(form.all('scopes')), errors)}${kinds}<button>Create</button>`)}`,
  });
}

interface FieldValues {
  name: string;
  serverUrl: string;
  redirectUris: string;
}

function fields(
  { name, serverUrl, redirectUris }: FieldValues,
  chosen: ReadonlySet<string>,
  errors: FormErrors,
): Html {
  const problem = errors.fields.redirectUris;
  return html`${field({ name: 'name', label: 'Name', hint: 'People read it when they are asked for access.', value: name, required: true, maxLength: 100, error: errors.fields.name })}
${field({ name: 'serverUrl', label: 'Server URL (optional)', hint: 'Where people can read about the app.', type: 'url', value: serverUrl, maxLength: 2000, error: errors.fields.serverUrl })}
<div class="field"><label for="redirectUris">Redirect URIs</label>
<p class="hint" id="redirectUris-hint">One in each line. They are compared exactly; the port of a loopback address may be any.</p>
${problem === undefined ? undefined : html`<p class="error" id="redirectUris-error">${problem}</p>`}
<textarea id="redirectUris" name="redirectUris" rows="4" required aria-describedby="redirectUris-hint${problem === undefined ? '' : ' redirectUris-error'}">${redirectUris}</textarea></div>
${choices('checkbox', { name: 'scopes', legend: 'The most that the app may ask for', error: errors.fields.scopes }, scopeChoices(oauthScopes, chosen))}`;
}

async function create(request: PersonRequest): Promise<void> {
  const { context, form } = request;
  try {
    const confidential = form.one('kind') !== 'public';
    const { application, secret } = await createApplication(context, { ...inputIn(request), confidential });
    showCredentials(request, application, secret);
  } catch (error) {
    ask(request, formErrorsOf(error, names));
  }
}

/** @throws InvalidInput */
function inputIn({ form }: PersonRequest): ApplicationInput {
  const redirectUris = textIn(form, 'redirectUris', 40_000).split(/\s+/);
  if (redirectUris.length > mostRedirects || redirectUris.some((uri) => uri.length > 2_000)) {
    throw InvalidInput.field(
      '/redirectUris',
      `must be at most ${mostRedirects} addresses of 2000 characters`,
    );
  }
  const serverUrl = form.one('serverUrl').trim();
  const isUrl = serverUrl === '' || /^https?:$/.test(parseUrl(serverUrl)?.protocol ?? '');
  if (!isUrl || serverUrl.length > 2_000) throw InvalidInput.field('/serverUrl', 'must be a web address');
  return {
    name: textIn(form, 'name', 100),
    serverUrl: serverUrl || null,
    redirectUris,
    scopes: scopesIn(form),
  };
}

async function edit(request: PersonRequest, errors: FormErrors): Promise<void> {
  const { context, form, signedIn, ctx } = request;
  const one = await getApplication(context, requireUuid(request));
  const isSent = ctx.method === 'POST';
  const values = isSent
    ? { name: form.one('name'), serverUrl: form.one('serverUrl'), redirectUris: form.one('redirectUris') }
    : { name: one.name, serverUrl: one.serverUrl ?? '', redirectUris: one.redirectUris.join('\n') };
  const at = `${path}/${one.uuid}`;
  show(request, {
    title: one.name,
    status: errors === noErrors ? 200 : 400,
    content: html`${errorSummary(errors)}
<dl><dt>Client id</dt><dd><code>${one.clientId}</code></dd>
<dt>Client secret</dt><dd>${one.secretHint === null ? 'none: the app cannot keep one' : html`ends with <code>${one.secretHint}</code>`}</dd></dl>
${formTo(at, signedIn.formToken, html`${fields(values, new Set(isSent ? form.all('scopes') : one.scopes), errors)}<button>Save</button>`)}
${one.secretHint === null ? undefined : formTo(`${at}/rotate`, signedIn.formToken, html`<button>Rotate the secret</button> <span class="hint">The secret before stays valid for a day.</span>`)}
${formTo(`${at}/delete`, signedIn.formToken, html`<button class="danger">Delete the app</button> <span class="hint">Ends all access that people have given it.</span>`)}`,
  });
}

async function save(request: PersonRequest): Promise<void> {
  try {
    await updateApplication(request.context, requireUuid(request), inputIn(request));
    goOn(request.ctx, path);
  } catch (error) {
    if (error instanceof NotFound) throw error;
    await edit(request, formErrorsOf(error, names));
  }
}

async function rotate(request: PersonRequest): Promise<void> {
  const { application, secret } = await rotateApplicationSecret(request.context, requireUuid(request));
  showCredentials(request, application, secret);
}

async function remove(request: PersonRequest): Promise<void> {
  await deleteApplication(request.context, requireUuid(request));
  goOn(request.ctx, path);
}

function showCredentials(request: PersonRequest, application: OAuthClientRow, secret: string | null): void {
  show(request, {
    title: secret === null ? 'The app is created' : 'Copy the secret now',
    content: html`<dl><dt>Client id</dt><dd><code class="secret">${application.clientId}</code></dd>
${secret === null ? undefined : html`<dt>Client secret</dt><dd><code class="secret">${secret}</code></dd>`}</dl>
${secret === null ? undefined : html`<p role="status">The secret is shown only this once.</p>`}
<p><a href="${path}/${application.uuid}">Go on to the app</a></p>`,
  });
}

/** @throws NotFound */
function requireUuid({ params }: PersonRequest): string {
  const uuid = params.uuid ?? '';
  if (!isUuid(uuid)) throw new NotFound('Application');
  return uuid;
}
