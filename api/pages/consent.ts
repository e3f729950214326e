import type { WorkspaceRow } from '../../db/identity/workspaces.js';
import { giveGrant, refuseGrant } from '../../domain/identity/oauth/grants.js';
import { isOAuthScope } from '../../domain/identity/oauth/oauth-scopes.js';
import { listWorkspaces } from '../../domain/identity/workspaces/read-workspaces.js';
import { scopes as meanings } from '../../domain/kernel/scopes.js';
import { Conflict } from '../../domain/lib/errors.js';
import { html } from '../http/html.js';
import { errors as oauthErrors } from '../oauth/library.js';
import { scopesOfClient } from '../oauth/resources.js';
import { idIn } from './form-values.js';
import { choices, errorSummary, type FormErrors, form as formTo, noErrors } from './forms.js';
import { formErrorsOf, goOn, type Page, type PersonRequest, show } from './page-request.js';

/** Below the issuer, as the cookie of an authorization request is for this path. */
export const consentPath = '/api/v2/oauth/consent';
const mostWorkspaces = 100;

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
  scopes: string[];
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
  const { host, origin } = new URL(asked.redirectUri);
  show(request, {
    title: `Connect ${asked.clientName}`,
    status: errors === noErrors ? 200 : 400,
    // Browsers apply form-action to the redirect after the form, too.
    formAction: origin === 'null' ? new URL(asked.redirectUri).protocol : origin,
    content: html`${errorSummary(errors)}
<p><strong>${asked.clientName}</strong> wants to act as you in one of your workspaces. You can disconnect it at any time in the settings.</p>
<dl><dt>It is called back at</dt><dd>${host === '' ? asked.redirectUri : host}</dd>
${asked.clientUri === undefined ? undefined : html`<dt>It says it is from</dt><dd>${asked.clientUri}</dd>`}
<dt>You are signed in as</dt><dd>${signedIn.name}</dd></dl>
<h2>It may, as far as you may yourself</h2>
<ul>${asked.scopes.map((scope) => html`<li>${isOAuthScope(scope) ? meanings[scope] : scope} <code>${scope}</code></li>`)}
${asked.recognizes ? html`<li>know that you are the same person when you come back <code>openid</code></li>` : undefined}</ul>
${
  workspaces.length === 0
    ? html`<p>You are not a member of any workspace, so there is nothing to connect.</p>`
    : formTo(
        `${consentPath}/${params.uid ?? ''}`,
        signedIn.formToken,
        html`${choices('radio', { name: 'workspaceId', legend: 'Workspace', error: errors.fields.workspaceId }, workspaceChoices(workspaces))}
<button name="decision" value="allow">Allow</button> <button name="decision" value="deny" class="quiet">Do not allow</button>`,
      )
}`,
  });
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
  const page = { page: 1, pageSize: mostWorkspaces, sortBy: 'name', sortOrder: 'asc' } as const;
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
    return ask(request, { fields: { workspaceId: 'Choose a workspace.' } });
  }
  try {
    const { clientId, clientName, scopes, resource } = asked;
    const grantId = await giveGrant(context, { workspaceId, clientId, clientName, scopes, resource });
    goOn(ctx, await provider.interactionResult(ctx.req, ctx.res, { consent: { grantId } }));
  } catch (error) {
    await ask(request, formErrorsOf(error, ['workspaceId']));
  }
}
