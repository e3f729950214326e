import {
  endOtherSessions,
  endSession,
  listSessions,
  type SessionsContext,
} from '../../domain/identity/sessions/open-sessions.js';
import { NotFound } from '../../domain/lib/errors.js';
import { isUuid } from '../auth/authenticate-member.js';
import { html } from '../http/html.js';
import { form as formTo } from './forms.js';
import { goOn, type Page, type PersonRequest, show } from './page-request.js';
import { time } from './times.js';

const path = '/settings/sessions';

/** Where the person is signed in. */
export const sessionPages: readonly Page[] = [
  { for: 'person', path, get: list },
  { for: 'person', path: `${path}/:uuid/end`, post: end },
  { for: 'person', path: `${path}/end-others`, post: endOthers },
];

async function list(request: PersonRequest): Promise<void> {
  const context = sessionsOf(request);
  const { formToken } = request.signedIn;
  const page = { page: 1, pageSize: 100, sortBy: 'lastUsedAt', sortOrder: 'desc' } as const;
  const { items } = await listSessions(context, page);
  show(request, {
    title: 'Sessions',
    content: html`<table><caption>Where you are signed in</caption>
<thead><tr><th scope="col">Browser</th><th scope="col">Last use</th><th scope="col">Since</th><th scope="col">Action</th></tr></thead>
<tbody>${items.map(
      (
        session,
      ) => html`<tr><th scope="row">${session.userAgent ?? 'Unknown browser'}</th><td>${time(session.lastUsedAt)}</td><td>${time(session.createdAt)}</td>
<td>${
        session.id === context.currentSessionId
          ? 'this session'
          : formTo(`${path}/${session.uuid}/end`, formToken, html`<button class="danger">End</button>`)
      }</td></tr>`,
    )}</tbody></table>
${items.length < 2 ? undefined : formTo(`${path}/end-others`, formToken, html`<button class="danger">End all others</button>`)}`,
  });
}

async function end(request: PersonRequest): Promise<void> {
  const uuid = request.params.uuid ?? '';
  if (!isUuid(uuid)) throw new NotFound('Session');
  await endSession(sessionsOf(request), uuid);
  goOn(request.ctx, path);
}

async function endOthers(request: PersonRequest): Promise<void> {
  await endOtherSessions(sessionsOf(request));
  goOn(request.ctx, path);
}

function sessionsOf({ context }: PersonRequest): SessionsContext {
  const { account, credential } = context;
  const owner = { accountId: account.id, workspaceId: null, memberId: null };
  return { ...context, owner, currentSessionId: credential.id };
}
