import type { ListedGrant } from '../../../db/identity/oauth-grants.js';
import { listGrants, revokeGrant } from '../../../domain/identity/oauth/grants.js';
import { NotFound } from '../../../domain/lib/errors.js';
import { isUuid } from '../../auth/authenticate-member.js';
import { html } from '../../http/html.js';
import { askFirst } from './confirmation.js';
import { goOn, type Page, type PersonRequest, show } from './page-request.js';
import { scopeCount } from './scope-fields.js';
import { table } from './tables.js';
import { filled } from './texts/language.js';
import { day, time } from './times.js';

const path = '/settings/connections';
/** As many as an account has at most. */
const maxListed = 500;

/** The apps that the person has let in. */
export const connectionPages: readonly Page[] = [
  { for: 'person', path, get: list },
  { for: 'person', path: `${path}/:uuid/disconnect`, get: askDisconnect, post: disconnect },
];

async function list(request: PersonRequest): Promise<void> {
  const { language } = request;
  const { texts } = language;
  const items = await grantsOf(request);
  const rows = items.map((grant) => [
    html`${grant.clientName}${scopeCount(language, grant.scopes)}`,
    grant.workspaceName,
    time(grant.lastUsedAt, language),
    day(grant.expiresAt, language),
    html`<a href="${path}/${grant.uuid}/disconnect" class="button quiet danger" aria-label="${filled(texts.disconnectNamed, { name: grant.clientName })}">${texts.disconnect}</a>`,
  ]);
  const columns = [texts.app, texts.workspace, texts.lastUse, texts.ends, texts.actions];
  show(request, {
    title: texts.connections,
    content:
      items.length === 0
        ? html`<p>${texts.noConnections}</p>`
        : table(texts.connectionsCaption, columns, rows),
  });
}

async function askDisconnect(request: PersonRequest): Promise<void> {
  const { uuid, clientName: name, workspaceName, lastUsedAt } = await grantOf(request);
  const { language } = request;
  const { texts } = language;
  askFirst(request, {
    title: filled(texts.disconnectTitle, { name }),
    facts: [
      [texts.workspace, workspaceName],
      [texts.lastUse, time(lastUsedAt, language)],
    ],
    consequence: texts.disconnectWhy,
    action: `${path}/${uuid}/disconnect`,
    button: texts.disconnect,
    back: path,
  });
}

async function disconnect(request: PersonRequest): Promise<void> {
  const { uuid, clientName } = await grantOf(request);
  await revokeGrant(request.context, uuid);
  goOn(request.ctx, path, 'disconnected', clientName);
}

/** @throws NotFound */
async function grantOf(request: PersonRequest): Promise<ListedGrant> {
  const uuid = request.params.uuid ?? '';
  const found = isUuid(uuid) ? (await grantsOf(request)).find((grant) => grant.uuid === uuid) : undefined;
  if (found === undefined) throw new NotFound('Connected application');
  return found;
}

async function grantsOf({ context }: PersonRequest): Promise<ListedGrant[]> {
  return (await listGrants(context, { page: 1, pageSize: maxListed, sortOrder: 'desc' })).items;
}
