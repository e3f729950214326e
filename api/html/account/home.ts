import type { WorkspaceRow } from '../../../db/identity/models/workspace.js';
import { listWaitingChats } from '../../../domain/conversations/chats/list-waiting-chats.js';
import { listWorkspaces } from '../../../domain/identity/workspaces/read-workspaces.js';
import type { Actor } from '../../../domain/kernel/actor.js';
import { adminPermissions } from '../../../domain/kernel/scopes.js';
import { DomainError } from '../../../domain/lib/errors.js';
import { listSites } from '../../../domain/sites/sites/read-sites.js';
import { authenticateMember } from '../../auth/authenticate-member.js';
import { consolePath } from '../../console/serve-console.js';
import { type Html, html } from '../../http/html.js';
import { homePath } from './page.js';
import { type Page, type PersonRequest, show } from './page-request.js';
import { filled } from './texts/language.js';

const maxWorkspaces = 20;
const maxSites = 5;

/** Where people land who sign in: their workspaces, and what they may do in each. */
export const homePages: readonly Page[] = [
  { for: 'person', path: homePath, openToProviders: true, get: home },
];

async function home(request: PersonRequest): Promise<void> {
  const { context, signedIn, language } = request;
  const { texts } = language;
  const page = { page: 1, pageSize: maxWorkspaces, sortBy: 'name', sortOrder: 'asc' } as const;
  const { items } = await listWorkspaces(context, page);
  const address = signedIn.address ?? signedIn.name;
  show(request, {
    title: filled(texts.welcome, { name: signedIn.name }),
    content:
      items.length === 0
        ? html`<p>${filled(texts.noWorkspaces, { address })}</p>`
        : html`<h2>${texts.yourWorkspaces}</h2>
${await Promise.all(items.map((workspace) => section(request, workspace)))}`,
  });
}

async function section(request: PersonRequest, workspace: WorkspaceRow): Promise<Html> {
  return html`<section class="panel"><h3>${workspace.name}</h3>
${await offers(request, workspace)}</section>`;
}

async function offers(request: PersonRequest, workspace: WorkspaceRow): Promise<Html> {
  const { texts } = request.language;
  try {
    const actor = await actorIn(request, workspace);
    const [waiting, sites] = await Promise.all([
      waitingIn(request, actor, workspace),
      sitesOf(request, actor),
    ]);
    const isBuilder = adminPermissions.some((permission) => actor.can(permission));
    return html`<dl>${waiting}${sites}${
      isBuilder
        ? html`<dt>${texts.builders}</dt><dd><a href="/api/v2/docs">${texts.reference}</a></dd>`
        : undefined
    }</dl>`;
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return html`<p>${error.code === 'sso_required' ? texts.ssoNeeded : texts.notOpen}</p>`;
  }
}

/** The person as a member, by the session of its browser. @throws NotFound, Forbidden */
function actorIn({ ctx, context, services }: PersonRequest, { uuid }: WorkspaceRow): Promise<Actor> {
  const { authorization: _, ...headers } = ctx.headers;
  return authenticateMember(context, { method: 'GET', headers, ownOrigin: services.ownOrigin }, uuid);
}

async function waitingIn(
  { context, language }: PersonRequest,
  actor: Actor,
  { uuid, handoffNotices }: WorkspaceRow,
): Promise<Html | undefined> {
  if (!actor.can('chats:read')) return undefined;
  const { texts } = language;
  const page = { page: 1, pageSize: 1, sortBy: 'waitingSince', sortOrder: 'asc' } as const;
  const { total } = await listWaitingChats({ ...context, actor }, page);
  const desk = handoffNotices?.queueUrl ?? null;
  const way =
    desk === null
      ? html`<a href="${consolePath}/w/${uuid}/inbox">${texts.answerThere}</a>`
      : html`<a href="${desk}" rel="noreferrer">${texts.answerThere}</a>`;
  return html`<dt>${texts.waiting}</dt><dd><strong>${total}</strong>${total === 0 ? undefined : html` ${way}`}</dd>`;
}

async function sitesOf(
  { context, services, language }: PersonRequest,
  actor: Actor,
): Promise<Html | undefined> {
  const page = { page: 1, pageSize: maxSites, sortBy: 'name', sortOrder: 'asc', isPublic: true } as const;
  const { items } = await listSites({ ...context, actor }, page);
  if (items.length === 0) return undefined;
  return html`<dt>${language.texts.sites}</dt><dd><ul>${items.map(
    ({ uuid, name }) => html`<li><a href="${services.sites.defaultUrl(uuid)}">${name}</a></li>`,
  )}</ul></dd>`;
}
