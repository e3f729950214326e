import type { WorkspaceRow } from '../../../db/identity/models/workspace.js';
import { giveGrant, refuseGrant } from '../../../domain/identity/oauth/grants.js';
import { isOAuthScope } from '../../../domain/identity/oauth/oauth-scopes.js';
import { isNativeRedirect } from '../../../domain/identity/oauth/redirect-uris.js';
import { listWorkspaces } from '../../../domain/identity/workspaces/read-workspaces.js';
import type { Scope } from '../../../domain/kernel/scopes.js';
import { Conflict } from '../../../domain/lib/errors.js';
import { html } from '../../http/html.js';
import { scopesOfClient } from '../../oauth/resources.js';
import { idIn } from './form-values.js';
import { choices, errorSummary, type FormErrors, form as formTo, noErrors } from './forms.js';
import { formErrorsOf, goOn, type Page, type PersonRequest, show } from './page-request.js';
import { scopeList } from './scope-fields.js';
import { filled } from './texts/language.js';

/** Below the issuer, as the cookie of an authorization request is for this path. */
export const consentPath = '/api/v2/oauth/consent';
const maxWorkspaces = 100;

/** Where a person who is signed in lets an application in, or not. */
export const consentPages: readonly Page[] = [
  { for: 'person', path: `${consentPath}/:uid`, get: (request) => ask(request, noErrors), post: decide },
];

/** What an application asks for. */
interface Asked {
  clientId: string;
  clientName: string;
  clientUri: string | undefined;
  /** Where the answer goes. */
  redirectUri: string;
  resource: string;
  scopes: Scope[];
  /** Whether it asks to know that the person is the same as before (OpenID Connect). */
  recognizes: boolean;
  prompt: string;
  /** The account that the authorization server takes the browser for. */
  known: string | undefined;
  /** The path of the authorization request. */
  again: string;
}

/** @throws Conflict `authorization_expired` */
async function askedBy({ ctx, services, params }: PersonRequest): Promise<Asked> {
  const provider = await services.oauth.provider();
  const { errors: oauthErrors } = await import('../../oauth/library.js');
  const interaction = await provider.interactionDetails(ctx.req, ctx.res).catch((error: unknown) => {
    if (error instanceof oauthErrors.SessionNotFound) return undefined;
    throw error;
  });
  const client =
    interaction === undefined || interaction.uid !== params.uid
      ? undefined
      : await provider.Client.find(String(interaction.params.client_id));
  if (interaction === undefined || client === undefined) {
    const why =
      'The request of the application has expired, or began in another browser. Connect it again from within it.';
    throw new Conflict('authorization_expired', why);
  }
  const asked = interaction.params.scope;
  const scopes =
    typeof asked === 'string' ? asked.split(' ').filter(isOAuthScope) : scopesOfClient(client.scope);
  return {
    clientId: client.clientId,
    clientName: client.clientName ?? client.clientId,
    clientUri: client.clientUri,
    redirectUri: String(interaction.params.redirect_uri),
    resource: String(interaction.params.resource),
    scopes,
    recognizes: typeof asked === 'string' && asked.split(' ').includes('openid'),
    prompt: interaction.prompt.name,
    known: interaction.session?.accountId,
    again: `${new URL(provider.urlFor('authorization')).pathname}?${queryOf(interaction.params)}`,
  };
}

async function ask(request: PersonRequest, errors: FormErrors): Promise<void> {
  const { ctx, context, services, signedIn, params } = request;
  const asked = await askedBy(request);
  if (asked.prompt === 'login') {
    // The person is signed in here: the authorization server only has to know as whom.
    const provider = await services.oauth.provider();
    const login = { accountId: String(context.account.id) };
    if (asked.known !== undefined && asked.known !== login.accountId) {
      ctx.append(
        'Set-Cookie',
        `${provider.cookieName('session')}=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax`,
      );
      goOn(ctx, asked.again);
      return;
    }
    goOn(ctx, await provider.interactionResult(ctx.req, ctx.res, { login }));
    return;
  }
  const workspaces = await workspacesOf(request);
  const { language } = request;
  const { texts } = language;
  const { origin, protocol } = new URL(asked.redirectUri);
  const name = asked.clientName;
  show(request, {
    title: filled(texts.connectTitle, { name }),
    status: errors === noErrors ? 200 : 400,
    withoutMenu: true,
    // Browsers apply form-action to the redirect after the form, too.
    formAction: origin === 'null' ? protocol : origin,
    content: html`${errorSummary(language, errors)}
<p>${filled(texts.connectIntro, { name })}</p>
<dl><dt>${texts.answerTo}</dt><dd>${answerPlace(asked.redirectUri, texts.thisDevice)}</dd>
${asked.clientUri === undefined ? undefined : html`<dt>${texts.saysFrom}</dt><dd>${asked.clientUri}</dd>`}
<dt>${texts.signedInAs}</dt><dd>${[signedIn.name, signedIn.address].filter((one, at, all) => one !== undefined && all.indexOf(one) === at).join(', ')}</dd></dl>
<h2>${texts.itMay}</h2>
${scopeList(language, asked.scopes)}
${asked.recognizes ? html`<ul><li>${texts.recognizes}</li></ul>` : undefined}
${
  workspaces.length === 0
    ? html`<p>${texts.nothingToConnect}</p>`
    : formTo(
        `${consentPath}/${params.uid ?? ''}`,
        signedIn.formToken,
        html`${choices('radio', { name: 'workspaceId', legend: texts.workspace, error: errors.fields.workspaceId }, workspaceChoices(workspaces))}
<p class="acts"><button name="decision" value="allow">${texts.allow}</button> <button name="decision" value="deny" class="quiet">${texts.deny}</button></p>`,
      )
}`,
  });
}

/** Where the answer goes, for people: a site by its name, a program on their device as such. */
function answerPlace(redirectUri: string, onDevice: string): string {
  const { host, protocol } = new URL(redirectUri);
  return isNativeRedirect(redirectUri) ? filled(onDevice, { host: host || protocol }) : host;
}

function queryOf(params: Record<string, unknown>): string {
  const texts = Object.entries(params).filter((one): one is [string, string] => typeof one[1] === 'string');
  return new URLSearchParams(texts).toString();
}

function workspaceChoices(workspaces: readonly WorkspaceRow[]) {
  return workspaces.map(({ id, name, slug }, at) => ({
    value: String(id),
    label: name,
    hint: slug,
    checked: workspaces.length === 1 && at === 0,
  }));
}

async function workspacesOf({ context }: PersonRequest): Promise<WorkspaceRow[]> {
  const page = { page: 1, pageSize: maxWorkspaces, sortBy: 'name', sortOrder: 'asc' } as const;
  return (await listWorkspaces(context, page)).items;
}

async function decide(request: PersonRequest): Promise<void> {
  const { ctx, context, services, form } = request;
  const asked = await askedBy(request);
  const provider = await services.oauth.provider();
  if (asked.prompt === 'login') return ask(request, noErrors);
  if (form.one('decision') !== 'allow') {
    await refuseGrant(context, asked.clientId);
    const denied = { error: 'access_denied', error_description: 'The person did not allow it.' };
    goOn(ctx, await provider.interactionResult(ctx.req, ctx.res, denied, { mergeWithLastSubmission: false }));
    return;
  }
  const workspaceId = idIn(form.one('workspaceId'));
  if (workspaceId === undefined) {
    return ask(request, { fields: { workspaceId: request.language.texts.chooseWorkspace } });
  }
  try {
    const { clientId, clientName, scopes, resource } = asked;
    const grantId = await giveGrant(context, { workspaceId, clientId, clientName, scopes, resource });
    goOn(ctx, await provider.interactionResult(ctx.req, ctx.res, { consent: { grantId } }));
  } catch (error) {
    const sentences = { workspaceId: request.language.texts.chooseWorkspace };
    await ask(request, formErrorsOf(error, sentences, request.language));
  }
}
