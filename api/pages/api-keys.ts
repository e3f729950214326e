import type { ApiKeyRow } from '../../db/identity/api-keys.js';
import { createApiKey } from '../../domain/identity/api-keys/create-api-key.js';
import { listApiKeys } from '../../domain/identity/api-keys/own-keys.js';
import { revokeApiKey } from '../../domain/identity/api-keys/revoke-api-key.js';
import { rotateApiKey } from '../../domain/identity/api-keys/rotate-api-key.js';
import { allScopes } from '../../domain/kernel/scopes.js';
import { NotFound } from '../../domain/lib/errors.js';
import { type Html, html } from '../http/html.js';
import { endOfDayIn, idIn, scopeChoices, scopesIn, textIn } from './form-values.js';
import { choices, errorSummary, type FormErrors, field, form as formTo, noErrors } from './forms.js';
import { formErrorsOf, goOn, type Page, type PersonRequest, show } from './page-request.js';
import { day, time } from './times.js';

const path = '/settings/api-keys';
const overlapSeconds = 86_400;
const mostListed = 100;

/** Developer, API keys: name, scopes, expiry; the secret is shown once. */
export const apiKeyPages: readonly Page[] = [
  { for: 'person', path, get: list },
  { for: 'person', path: `${path}/new`, get: (request) => ask(request, noErrors), post: create },
  { for: 'person', path: `${path}/:id/rotate`, post: rotate },
  { for: 'person', path: `${path}/:id/revoke`, post: revoke },
];

async function list(request: PersonRequest): Promise<void> {
  const { context, signedIn } = request;
  const page = { page: 1, pageSize: mostListed, sortBy: 'createdAt', sortOrder: 'desc' } as const;
  const { items, total } = await listApiKeys(context, page);
  const now = context.clock.now();
  show(request, {
    title: 'API keys',
    content: html`<p>A program sends a key as <code>Authorization: Bearer …</code>. It can do what its scopes name, and no more than you.</p>
<p><a class="button" href="${path}/new">Create a key</a></p>
${
  items.length === 0
    ? html`<p>There are no keys yet.</p>`
    : html`<table><caption>Your keys${total > items.length ? html`, the latest ${items.length} of ${total}` : undefined}</caption>
<thead><tr><th scope="col">Name</th><th scope="col">Begins with</th><th scope="col">Last use</th><th scope="col">Expires</th><th scope="col">Actions</th></tr></thead>
<tbody>${items.map((key) => row(key, now, signedIn.formToken))}</tbody></table>`
}`,
  });
}

function row(key: ApiKeyRow, now: Date, formToken: string): Html {
  const hasEnded = key.revokedAt !== null || (key.expiresAt !== null && key.expiresAt <= now);
  const ended = key.revokedAt === null ? 'expired' : 'revoked';
  return html`<tr><th scope="row">${key.name}<details><summary>${key.scopes.length} scopes</summary>${key.scopes.join(', ')}</details></th>
<td><code>wes_${key.prefix}</code></td><td>${time(key.lastUsedAt)}</td><td>${day(key.expiresAt, 'never')}</td>
<td>${
    hasEnded
      ? ended
      : html`${formTo(`${path}/${key.id}/rotate`, formToken, html`<button aria-label="Rotate ${key.name}">Rotate</button>`)}
${formTo(`${path}/${key.id}/revoke`, formToken, html`<button class="danger" aria-label="Revoke ${key.name}">Revoke</button>`)}`
  }</td></tr>`;
}

function ask(request: PersonRequest, errors: FormErrors): void {
  const { form, signedIn } = request;
  show(request, {
    title: 'Create a key',
    status: errors === noErrors ? 200 : 400,
    content: html`${errorSummary(errors)}
${formTo(
  `${path}/new`,
  signedIn.formToken,
  html`${field({ name: 'name', label: 'Name', hint: 'What uses the key.', value: form.one('name'), required: true, maxLength: 200, error: errors.fields.name })}
${field({ name: 'expiresAt', label: 'Expires at the end of', hint: 'Without a date: in a year.', type: 'date', value: form.one('expiresAt'), error: errors.fields.expiresAt })}
${choices('checkbox', { name: 'scopes', legend: 'What the key may do', error: errors.fields.scopes }, scopeChoices(allScopes, new Set(form.all('scopes'))))}
<button>Create</button>`,
)}`,
  });
}

async function create(request: PersonRequest): Promise<void> {
  const { context, form } = request;
  try {
    const expiresAt = endOfDayIn(form, 'expiresAt');
    const { key, secret } = await createApiKey(context, {
      name: textIn(form, 'name'),
      scopes: scopesIn(form),
      ...(expiresAt === undefined ? {} : { expiresAt }),
    });
    showSecret(request, key, secret);
  } catch (error) {
    ask(request, formErrorsOf(error, ['name', 'scopes', 'expiresAt']));
  }
}

async function rotate(request: PersonRequest): Promise<void> {
  const { key, secret } = await rotateApiKey(request.context, requireId(request), overlapSeconds);
  showSecret(request, key, secret, 'The key before stays valid for a day.');
}

async function revoke(request: PersonRequest): Promise<void> {
  await revokeApiKey(request.context, requireId(request));
  goOn(request.ctx, path);
}

function showSecret(request: PersonRequest, key: ApiKeyRow, secret: string, note?: string): void {
  show(request, {
    title: 'Copy the key now',
    content: html`<p role="status">This is the key “${key.name}”. It is shown only this once. ${note}</p>
<p><code class="secret">${secret}</code></p>
<p><a href="${path}">I have copied it: back to the keys</a></p>`,
  });
}

/** @throws NotFound */
function requireId({ params }: PersonRequest): number {
  const id = idIn(params.id);
  if (id === undefined) throw new NotFound('API key');
  return id;
}
