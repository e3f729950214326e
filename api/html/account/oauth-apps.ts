import type { OAuthClientRow } from '../../../db/identity/models/oauth-client.js';
import {
  type ApplicationInput,
  createApplication,
  deleteApplication,
  getApplication,
  listApplications,
  rotateApplicationSecret,
  updateApplication,
} from '../../../domain/identity/oauth/applications.js';
import { oauthScopes } from '../../../domain/identity/oauth/oauth-scopes.js';
import { InvalidInput, NotFound } from '../../../domain/lib/errors.js';
import { parseUrl } from '../../../domain/lib/parse-url.js';
import { isUuid } from '../../auth/authenticate-member.js';
import { type Html, html } from '../../http/html.js';
import { askFirst } from './confirmation.js';
import { textIn } from './form-values.js';
import {
  choices,
  copyField,
  errorSummary,
  type FormErrors,
  field,
  form as formTo,
  noErrors,
  optional,
  textArea,
} from './forms.js';
import { formErrorsOf, goOn, type Page, type PersonRequest, show } from './page-request.js';
import { accessOf, scopeFields, scopesIn } from './scope-fields.js';
import { table } from './tables.js';
import { filled, filledHtml, type Language } from './texts/language.js';
import { day, time } from './times.js';

const path = '/settings/applications';
const maxListed = 100;
const maxRedirects = 20;

/** Apps: the OAuth applications of the account. */
export const applicationPages: readonly Page[] = [
  { for: 'person', path, get: list },
  { for: 'person', path: `${path}/new`, get: (request) => ask(request, noErrors), post: create },
  { for: 'person', path: `${path}/:uuid`, get: (request) => edit(request, noErrors), post: save },
  { for: 'person', path: `${path}/:uuid/rotate`, get: askRotate, post: rotate },
  { for: 'person', path: `${path}/:uuid/delete`, get: askDelete, post: remove },
];

async function list(request: PersonRequest): Promise<void> {
  const page = { page: 1, pageSize: maxListed, sortBy: 'createdAt', sortOrder: 'desc' } as const;
  const { items } = await listApplications(request.context, page);
  const { language } = request;
  const { texts } = language;
  const rows = items.map((one) => [
    html`<a href="${path}/${one.uuid}">${one.name}</a>`,
    html`<code>${one.clientId}</code>`,
    time(one.lastUsedAt, language),
    day(one.createdAt, language),
  ]);
  const columns = [texts.nameLabel, texts.clientId, texts.lastUse, texts.created];
  show(request, {
    title: texts.apps,
    content: html`<p>${texts.appsIntro}</p>
<p><a href="${path}/new" class="button">${texts.createApp}</a></p>
${items.length === 0 ? html`<p>${texts.noApps}</p>` : table(texts.yourApps, columns, rows)}`,
  });
}

function ask(request: PersonRequest, errors: FormErrors): void {
  const { form, signedIn, language } = request;
  const { texts } = language;
  const isPublic = form.one('kind') === 'public';
  const kinds = choices('radio', { name: 'kind', legend: texts.kindLegend }, [
    { value: 'confidential', label: texts.kindConfidential, checked: !isPublic },
    { value: 'public', label: texts.kindPublic, checked: isPublic },
  ]);
  show(request, {
    title: texts.createApp,
    status: errors === noErrors ? 200 : 400,
    content: html`${errorSummary(language, errors)}
${formTo(
  `${path}/new`,
  signedIn.formToken,
  html`${fields(language, sentIn(request), errors)}${kinds}
<p class="acts"><button>${texts.create}</button> <a href="${path}" class="button quiet">${texts.cancel}</a></p>`,
)}`,
  });
}

interface FieldValues {
  name: string;
  serverUrl: string;
  redirectUris: string;
  access: string;
  scopes: readonly string[];
}

function sentIn({ form }: PersonRequest): FieldValues {
  return {
    name: form.one('name'),
    serverUrl: form.one('serverUrl'),
    redirectUris: form.one('redirectUris'),
    access: form.one('access') || 'chosen',
    scopes: form.all('scopes'),
  };
}

function fields(language: Language, values: FieldValues, { fields: errors }: FormErrors): Html {
  const { texts } = language;
  const { name, serverUrl, redirectUris, access, scopes } = values;
  return html`${field({ name: 'name', label: texts.nameLabel, hint: texts.appNameHint, value: name, required: true, maxLength: 100, error: errors.name })}
${field({ name: 'serverUrl', label: optional(language, texts.serverUrlLabel), hint: texts.serverUrlHint, type: 'url', value: serverUrl, maxLength: 2000, error: errors.serverUrl })}
${textArea({ name: 'redirectUris', label: texts.redirectsLabel, hint: texts.redirectsHint, value: redirectUris, required: true, error: errors.redirectUris })}
${scopeFields(language, { legend: texts.appScopes, offered: oauthScopes, access, chosen: new Set(scopes), error: errors.scopes })}`;
}

function sentencesOf({ texts }: Language): Record<string, string> {
  return {
    name: texts.appNameError,
    serverUrl: texts.serverUrlError,
    redirectUris: texts.redirectsError,
    scopes: texts.scopesError,
  };
}

async function create(request: PersonRequest): Promise<void> {
  const { context, form } = request;
  try {
    const confidential = form.one('kind') !== 'public';
    const { application, secret } = await createApplication(context, { ...inputIn(request), confidential });
    showCredentials(request, application, secret);
  } catch (error) {
    ask(request, formErrorsOf(error, sentencesOf(request.language), request.language));
  }
}

/** @throws InvalidInput */
function inputIn({ form }: PersonRequest): ApplicationInput {
  const redirectUris = textIn(form, 'redirectUris', 40_000).split(/\s+/);
  if (redirectUris.length > maxRedirects || redirectUris.some((uri) => uri.length > 2_000)) {
    throw InvalidInput.field('/redirectUris', `must be at most ${maxRedirects} addresses of 2000 characters`);
  }
  const serverUrl = form.one('serverUrl').trim();
  const isUrl = serverUrl === '' || /^https?:$/.test(parseUrl(serverUrl)?.protocol ?? '');
  if (!isUrl || serverUrl.length > 2_000) throw InvalidInput.field('/serverUrl', 'must be a web address');
  return {
    name: textIn(form, 'name', 100),
    serverUrl: serverUrl || null,
    redirectUris,
    scopes: scopesIn(form, oauthScopes),
  };
}

async function edit(request: PersonRequest, errors: FormErrors): Promise<void> {
  const { context, signedIn, ctx, language } = request;
  const { texts } = language;
  const one = await getApplication(context, requireUuid(request));
  const stored = {
    name: one.name,
    serverUrl: one.serverUrl ?? '',
    redirectUris: one.redirectUris.join('\n'),
    access: accessOf(one.scopes, oauthScopes),
    scopes: one.scopes,
  };
  const at = `${path}/${one.uuid}`;
  const hint = one.secretHint;
  show(request, {
    title: one.name,
    status: errors === noErrors ? 200 : 400,
    content: html`${errorSummary(language, errors)}
<dl><dt>${texts.clientId}</dt><dd><code>${one.clientId}</code></dd>
<dt>${texts.clientSecret}</dt><dd>${hint === null ? texts.noSecret : filledHtml(texts.endsWith, { hint: html`<code>${hint}</code>` })}</dd></dl>
${formTo(at, signedIn.formToken, html`${fields(language, ctx.method === 'POST' ? sentIn(request) : stored, errors)}<button>${texts.save}</button>`)}
<p class="acts apart">${hint === null ? undefined : html`<a href="${at}/rotate" class="button quiet">${texts.rotateSecret}</a>`}
<a href="${at}/delete" class="button quiet danger">${texts.deleteApp}</a></p>`,
  });
}

async function save(request: PersonRequest): Promise<void> {
  try {
    const { name } = await updateApplication(request.context, requireUuid(request), inputIn(request));
    goOn(request.ctx, path, 'appSaved', name);
  } catch (error) {
    if (error instanceof NotFound) throw error;
    await edit(request, formErrorsOf(error, sentencesOf(request.language), request.language));
  }
}

async function askRotate(request: PersonRequest): Promise<void> {
  const { uuid, name, clientId, lastUsedAt } = await getApplication(request.context, requireUuid(request));
  const { language } = request;
  const { texts } = language;
  askFirst(request, {
    title: filled(texts.rotateSecretTitle, { name }),
    facts: factsOf({ clientId, lastUsedAt }, language),
    consequence: texts.rotateSecretWhy,
    action: `${path}/${uuid}/rotate`,
    button: texts.rotateSecret,
    back: `${path}/${uuid}`,
    isHarmless: true,
  });
}

async function askDelete(request: PersonRequest): Promise<void> {
  const { uuid, name, clientId, lastUsedAt } = await getApplication(request.context, requireUuid(request));
  const { language } = request;
  const { texts } = language;
  askFirst(request, {
    title: filled(texts.deleteAppTitle, { name }),
    facts: factsOf({ clientId, lastUsedAt }, language),
    consequence: texts.deleteAppWhy,
    action: `${path}/${uuid}/delete`,
    button: texts.deleteApp,
    back: `${path}/${uuid}`,
  });
}

function factsOf(one: Pick<OAuthClientRow, 'clientId' | 'lastUsedAt'>, language: Language) {
  const { texts } = language;
  return [
    [texts.clientId, html`<code>${one.clientId}</code>`],
    [texts.lastUse, time(one.lastUsedAt, language)],
  ] as const;
}

async function rotate(request: PersonRequest): Promise<void> {
  const { application, secret } = await rotateApplicationSecret(request.context, requireUuid(request));
  showCredentials(request, application, secret);
}

async function remove(request: PersonRequest): Promise<void> {
  const { uuid, name } = await getApplication(request.context, requireUuid(request));
  await deleteApplication(request.context, uuid);
  goOn(request.ctx, path, 'appDeleted', name);
}

function showCredentials(request: PersonRequest, application: OAuthClientRow, secret: string | null): void {
  const { texts } = request.language;
  show(request, {
    title: secret === null ? texts.appCreated : texts.copySecret,
    content: html`${secret === null ? undefined : html`<p role="status">${texts.secretShownOnce}</p>`}
${copyField({ name: 'clientId', label: texts.clientId, value: application.clientId })}
${secret === null ? undefined : copyField({ name: 'secret', label: texts.clientSecret, value: secret, autofocus: true })}
<p class="hint">${texts.copyHint}</p>
<p><a href="${path}/${application.uuid}" class="button">${texts.goOnToApp}</a></p>`,
  });
}

/** @throws NotFound */
function requireUuid({ params }: PersonRequest): string {
  const uuid = params.uuid ?? '';
  if (!isUuid(uuid)) throw new NotFound('Application');
  return uuid;
}
