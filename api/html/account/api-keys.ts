import type { ApiKeyRow } from '../../../db/identity/models/api-key.js';
import { createApiKey } from '../../../domain/identity/api-keys/create-api-key.js';
import { listApiKeys, requireApiKey } from '../../../domain/identity/api-keys/own-keys.js';
import { revokeApiKey } from '../../../domain/identity/api-keys/revoke-api-key.js';
import { rotateApiKey } from '../../../domain/identity/api-keys/rotate-api-key.js';
import { allScopes } from '../../../domain/kernel/scopes.js';
import { NotFound } from '../../../domain/lib/errors.js';
import { type Html, html } from '../../http/html.js';
import { askFirst } from './confirmation.js';
import { endOfDayIn, idIn, textIn } from './form-values.js';
import { copyField, errorSummary, type FormErrors, field, form as formTo, noErrors } from './forms.js';
import { formErrorsOf, goOn, type Page, type PersonRequest, show } from './page-request.js';
import { scopeCount, scopeFields, scopesIn } from './scope-fields.js';
import { table } from './tables.js';
import { filled, filledHtml, type Language } from './texts/language.js';
import { day, time } from './times.js';

const path = '/settings/api-keys';
const overlapSeconds = 86_400;
const maxListed = 100;
const maxYears = 5;

/** Developer, API keys: name, scopes, expiry; the secret is shown once. */
export const apiKeyPages: readonly Page[] = [
  { for: 'person', path, get: list },
  { for: 'person', path: `${path}/new`, get: (request) => ask(request, noErrors), post: create },
  { for: 'person', path: `${path}/:id/rotate`, get: askRotate, post: rotate },
  { for: 'person', path: `${path}/:id/revoke`, get: askRevoke, post: revoke },
];

async function list(request: PersonRequest): Promise<void> {
  const { context, language } = request;
  const { texts } = language;
  const page = { page: 1, pageSize: maxListed, sortBy: 'createdAt', sortOrder: 'desc' } as const;
  const { items, total } = await listApiKeys(context, page);
  const now = context.clock.now();
  const valid = items.filter((key) => !hasEnded(key, now));
  const ended = items.filter((key) => hasEnded(key, now));
  const caption =
    total > items.length
      ? filled(texts.latestOf, { caption: texts.yourKeys, n: items.length, total })
      : texts.yourKeys;
  show(request, {
    title: texts.apiKeys,
    content: html`<p>${filledHtml(texts.keysIntro, { header: html`<code>Authorization: Bearer …</code>` })}</p>
<p><a href="${path}/new" class="button">${texts.createKey}</a></p>
${valid.length === 0 ? html`<p>${texts.noKeys}</p>` : keyTable(language, caption, texts.actions, valid, acts)}
${
  ended.length === 0
    ? undefined
    : html`<details class="past"><summary>${filled(texts.endedKeys, { n: ended.length })}</summary>
${keyTable(language, texts.yourKeys, texts.state, ended, (key) => html`${key.revokedAt === null ? texts.expired : texts.revoked}`)}</details>`
}`,
  });
}

function keyTable(
  language: Language,
  caption: string,
  last: string,
  keys: readonly ApiKeyRow[],
  cell: (key: ApiKeyRow, language: Language) => Html,
): Html {
  const { texts } = language;
  return table(
    caption,
    [texts.nameLabel, texts.beginsWith, texts.lastUse, texts.expires, last],
    keys.map((key) => [
      html`${key.name}${scopeCount(language, key.scopes)}`,
      html`<code>wes_${key.prefix}</code>`,
      time(key.lastUsedAt, language),
      day(key.expiresAt, language, texts.never),
      cell(key, language),
    ]),
  );
}

function acts({ id, name }: ApiKeyRow, { texts }: Language): Html {
  return html`<span class="acts"><a href="${path}/${id}/rotate" class="button quiet" aria-label="${filled(texts.rotateNamed, { name })}">${texts.rotate}</a>
<a href="${path}/${id}/revoke" class="button quiet danger" aria-label="${filled(texts.revokeNamed, { name })}">${texts.revoke}</a></span>`;
}

function hasEnded({ revokedAt, expiresAt }: ApiKeyRow, now: Date): boolean {
  return revokedAt !== null || (expiresAt !== null && expiresAt <= now);
}

function ask(request: PersonRequest, errors: FormErrors): void {
  const { form, signedIn, language } = request;
  const { texts } = language;
  const scopes = scopeFields(language, {
    legend: texts.keyScopes,
    offered: allScopes,
    access: form.one('access') || 'chosen',
    chosen: new Set(form.all('scopes')),
    error: errors.fields.scopes,
  });
  show(request, {
    title: texts.createKey,
    status: errors === noErrors ? 200 : 400,
    content: html`${errorSummary(language, errors)}
${formTo(
  `${path}/new`,
  signedIn.formToken,
  html`${field({ name: 'name', label: texts.nameLabel, hint: texts.keyNameHint, value: form.one('name'), required: true, maxLength: 200, error: errors.fields.name })}
${field({ name: 'expiresAt', label: texts.expiresLabel, hint: texts.expiresHint, type: 'date', value: form.one('expiresAt'), error: errors.fields.expiresAt })}
${scopes}
<p class="acts"><button>${texts.create}</button> <a href="${path}" class="button quiet">${texts.cancel}</a></p>`,
)}`,
  });
}

async function create(request: PersonRequest): Promise<void> {
  const { context, form, language } = request;
  const { texts } = language;
  try {
    const expiresAt = endOfDayIn(form, 'expiresAt');
    const { key, secret } = await createApiKey(context, {
      name: textIn(form, 'name'),
      scopes: scopesIn(form, allScopes),
      ...(expiresAt === undefined ? {} : { expiresAt }),
    });
    showSecret(request, key, secret);
  } catch (error) {
    const sentences = {
      name: texts.nameError,
      scopes: texts.scopesError,
      expiresAt: filled(texts.expiresError, { years: maxYears }),
    };
    ask(request, formErrorsOf(error, sentences, language));
  }
}

async function askRotate(request: PersonRequest): Promise<void> {
  const { id, name, ...key } = await keyOf(request);
  const { language } = request;
  const { texts } = language;
  askFirst(request, {
    title: filled(texts.rotateKeyTitle, { name }),
    facts: factsOf(key, language),
    consequence: texts.rotateKeyWhy,
    action: `${path}/${id}/rotate`,
    button: texts.rotate,
    back: path,
    isHarmless: true,
  });
}

async function askRevoke(request: PersonRequest): Promise<void> {
  const { id, name, ...key } = await keyOf(request);
  const { language } = request;
  const { texts } = language;
  askFirst(request, {
    title: filled(texts.revokeKeyTitle, { name }),
    facts: factsOf(key, language),
    consequence: texts.revokeKeyWhy,
    action: `${path}/${id}/revoke`,
    button: texts.revoke,
    back: path,
  });
}

function factsOf({ prefix, lastUsedAt }: Pick<ApiKeyRow, 'prefix' | 'lastUsedAt'>, language: Language) {
  const { texts } = language;
  return [
    [texts.beginsWith, html`<code>wes_${prefix}</code>`],
    [texts.lastUse, time(lastUsedAt, language)],
  ] as const;
}

async function rotate(request: PersonRequest): Promise<void> {
  const { key, secret } = await rotateApiKey(request.context, requireId(request), overlapSeconds);
  showSecret(request, key, secret, request.language.texts.keyBefore);
}

async function revoke(request: PersonRequest): Promise<void> {
  const { id, name } = await keyOf(request);
  await revokeApiKey(request.context, id);
  goOn(request.ctx, path, 'keyRevoked', name);
}

function showSecret(request: PersonRequest, key: ApiKeyRow, secret: string, note?: string): void {
  const { texts } = request.language;
  show(request, {
    title: texts.copyKey,
    content: html`<p role="status">${filled(texts.keyShownOnce, { name: key.name })} ${note}</p>
${copyField({ name: 'secret', label: texts.secretLabel, value: secret, autofocus: true })}
<p class="hint">${texts.copyHint}</p>
<p><a href="${path}" class="button">${texts.copiedKey}</a></p>`,
  });
}

/** @throws NotFound */
async function keyOf(request: PersonRequest): Promise<ApiKeyRow> {
  return requireApiKey(request.context, requireId(request));
}

/** @throws NotFound */
function requireId({ params }: PersonRequest): number {
  const id = idIn(params.id);
  if (id === undefined) throw new NotFound('API key');
  return id;
}
