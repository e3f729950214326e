import { listGrants, revokeGrant } from '../../domain/identity/oauth/grants.js';
import { NotFound } from '../../domain/lib/errors.js';
import { isUuid } from '../auth/authenticate-member.js';
import { html } from '../http/html.js';
import { form as formTo } from './forms.js';
import { goOn, type Page, type PersonRequest, show } from './page-request.js';
import { day, time } from './times.js';

const path = '/settings/connections';

/** The apps that the person has let in. */
export const connectionPages: readonly Page[] = [
  { for: 'person', path, get: list },
  { for: 'person', path: `${path}/:uuid/disconnect`, post: disconnect },
];

async function list(request: PersonRequest): Promise<void> {
  const { context, signedIn } = request;
  const { items } = await listGrants(context, { page: 1, pageSize: 100, sortOrder: 'desc' });
  show(request, {
    title: 'Connected apps',
    content:
      items.length === 0
        ? html`<p>No app has access to your workspaces.</p>`
        : html`<table><caption>Apps that act as you</caption>
<thead><tr><th scope="col">App</th><th scope="col">Workspace</th><th scope="col">Last use</th><th scope="col">Ends</th><th scope="col">Action</th></tr></thead>
<tbody>${items.map(
            (
              grant,
            ) => html`<tr><th scope="row">${grant.clientName}<details><summary>${grant.scopes.length} scopes</summary>${grant.scopes.join(', ')}</details></th>
<td>${grant.workspaceName}</td><td>${time(grant.lastUsedAt)}</td><td>${day(grant.expiresAt, '')}</td>
<td>${formTo(`${path}/${grant.uuid}/disconnect`, signedIn.formToken, html`<button class="danger" aria-label="Disconnect ${grant.clientName}">Disconnect</button>`)}</td></tr>`,
          )}</tbody></table>`,
  });
}

async function disconnect(request: PersonRequest): Promise<void> {
  const uuid = request.params.uuid ?? '';
  if (!isUuid(uuid)) throw new NotFound('Connected application');
  await revokeGrant(request.context, uuid);
  goOn(request.ctx, path);
}
