import type { SessionRow } from '../../../db/identity/models/session.js';
import {
  endOtherSessions,
  endSession,
  listSessions,
  type SessionsContext,
} from '../../../domain/identity/sessions/open-sessions.js';
import { NotFound } from '../../../domain/lib/errors.js';
import { isSystemAlone } from '../../../domain/lib/summarize-user-agent.js';
import { html } from '../../http/html.js';
import { askFirst } from './confirmation.js';
import { goOn, type Page, type PersonRequest, show } from './page-request.js';
import { table } from './tables.js';
import { filled, type Language } from './texts/language.js';
import { time } from './times.js';

const path = '/settings/sessions';

/** Where the person is signed in. */
export const sessionPages: readonly Page[] = [
  { for: 'person', path, get: list },
  { for: 'person', path: `${path}/:uuid/end`, get: askEnd, post: end },
  { for: 'person', path: `${path}/end-others`, get: askEndOthers, post: endOthers },
];

async function list(request: PersonRequest): Promise<void> {
  const { language, context } = request;
  const { texts } = language;
  const items = await sessionsIn(request);
  const rows = items.map((session) => {
    const name = browserOf(session, language);
    return [
      name,
      time(session.lastUsedAt, language),
      time(session.createdAt, language),
      session.id === context.credential.id
        ? texts.thisSession
        : html`<a href="${path}/${session.uuid}/end" class="button quiet danger" aria-label="${filled(texts.endNamed, { name })}">${texts.end}</a>`,
    ];
  });
  const columns = [texts.browser, texts.lastUse, texts.since, texts.actions];
  show(request, {
    title: texts.sessions,
    content: html`${table(texts.sessionsCaption, columns, rows)}
${items.length < 2 ? undefined : html`<p class="acts"><a href="${path}/end-others" class="button quiet danger">${texts.endOthers}</a></p>`}`,
  });
}

function browserOf({ userAgent }: SessionRow, { texts }: Language): string {
  if (userAgent === null) return texts.unknownBrowser;
  if (isSystemAlone(userAgent)) return `${texts.unknownBrowser} (${userAgent})`;
  const [program = '', system] = userAgent.split(' on ');
  return system === undefined ? program : filled(texts.browserOn, { program, system });
}

async function askEnd(request: PersonRequest): Promise<void> {
  const session = await sessionOf(request);
  const { language } = request;
  const { texts } = language;
  askFirst(request, {
    title: texts.endTitle,
    facts: [
      [texts.browser, browserOf(session, language)],
      [texts.lastUse, time(session.lastUsedAt, language)],
      [texts.since, time(session.createdAt, language)],
    ],
    consequence: texts.endWhy,
    action: `${path}/${session.uuid}/end`,
    button: texts.end,
    back: path,
  });
}

async function end(request: PersonRequest): Promise<void> {
  const { uuid } = await sessionOf(request);
  await endSession(contextOf(request), uuid);
  goOn(request.ctx, path, 'sessionEnded');
}

async function askEndOthers(request: PersonRequest): Promise<void> {
  const { texts } = request.language;
  const others = (await sessionsIn(request)).length - 1;
  askFirst(request, {
    title: texts.endOthersTitle,
    facts: [],
    consequence: filled(texts.endOthersWhy, { n: others }),
    action: `${path}/end-others`,
    button: texts.endOthers,
    back: path,
  });
}

async function endOthers(request: PersonRequest): Promise<void> {
  await endOtherSessions(contextOf(request));
  goOn(request.ctx, path, 'othersEnded');
}

/** @throws NotFound */
async function sessionOf(request: PersonRequest): Promise<SessionRow> {
  const found = (await sessionsIn(request)).find(({ uuid }) => uuid === request.params.uuid);
  if (found === undefined) throw new NotFound('Session');
  return found;
}

async function sessionsIn(request: PersonRequest): Promise<SessionRow[]> {
  const page = { page: 1, pageSize: 100, sortBy: 'lastUsedAt', sortOrder: 'desc' } as const;
  return (await listSessions(contextOf(request), page)).items;
}

function contextOf({ context }: PersonRequest): SessionsContext {
  const { account, credential } = context;
  const owner = { accountId: account.id, workspaceId: null, memberId: null };
  return { ...context, owner, currentSessionId: credential.id };
}
