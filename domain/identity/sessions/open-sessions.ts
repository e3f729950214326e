import type { SessionRow } from '../../../db/identity/models/session.js';
import type { SessionOwner } from '../../../db/identity/sessions.js';
import { findMember } from '../../../db/people/members.js';
import type { AnyTx } from '../../../db/tx.js';
import type { AccountCredential } from '../../kernel/account-context.js';
import { recordAccountAudit, recordAudit } from '../../kernel/audit/record-audit.js';
import type { CommandContext, ServiceContext } from '../../kernel/context.js';
import { Forbidden, NotFound } from '../../lib/errors.js';
import type { PageOf, PageRequest } from '../../lib/paging.js';
import type { AnonymousContext } from './anonymous-context.js';
import { idleSince } from './session-lifetime.js';
import { hashSessionToken, isWellFormedSessionToken } from './session-token.js';

export interface SessionsContext extends ServiceContext {
  owner: SessionOwner;
  credential: AccountCredential;
  /** The session of the request; null with another kind of credential. */
  currentSessionId: number | null;
}

export async function listSessions(
  { db, clock, owner }: Pick<SessionsContext, 'db' | 'clock' | 'owner'>,
  page: PageRequest<'lastUsedAt' | 'createdAt'>,
): Promise<PageOf<SessionRow>> {
  const now = clock.now();
  return db.identity.sessions.listOpen(
    owner,
    { now, idleSince: idleSince(now, { ofMember: owner.memberId !== null }) },
    page,
  );
}

/** Ends a session of the caller. @throws Forbidden, NotFound if it does not exist or has ended */
export async function endSession(context: SessionsContext, uuid: string): Promise<void> {
  requireSession(context);
  const { db, clock, owner } = context;
  const now = clock.now();
  await atOwner(context, async (tx, note) => {
    if (!(await db.identity.sessions.end(owner, uuid, now, tx))) throw new NotFound('Session');
    note('session:ended');
  });
}

/** Runs `work` in a transaction, with what records an act in the log of the owner of the sessions. */
async function atOwner(
  { db, clock, owner, credential }: SessionsContext,
  work: (tx: AnyTx, note: (action: 'session:ended' | 'sessions:ended') => void) => Promise<void>,
): Promise<void> {
  const now = clock.now();
  const { accountId, workspaceId, memberId } = owner;
  if (accountId !== null) {
    await db.inIdentity((tx) =>
      work(tx, (action) => recordAccountAudit(tx, { now, credential }, accountId, action)),
    );
    return;
  }
  await db.inWorkspace(workspaceId, (tx) =>
    work(tx, (action) => recordAudit(tx, { clock, actor: { memberId, credential } }, action)),
  );
}

/** Ends all sessions of the caller except the current one. @throws Forbidden */
export async function endOtherSessions(context: SessionsContext): Promise<void> {
  requireSession(context);
  const { db, clock, owner, currentSessionId } = context;
  const except = currentSessionId === null ? {} : { except: currentSessionId };
  await atOwner(context, async (tx, note) => {
    await db.identity.sessions.endAll(owner, clock.now(), { ...except, tx });
    note('sessions:ended');
  });
}

/** The open sessions made from a member's tokens, not those of the account behind it. @throws Forbidden, NotFound */
export async function listMemberSessions(
  { db, clock, actor }: CommandContext,
  memberId: number,
  page: PageRequest<'lastUsedAt' | 'createdAt'>,
): Promise<PageOf<SessionRow>> {
  actor.require('members:write');
  const { workspaceId } = actor;
  const member = await db.readInWorkspace(workspaceId, (tx) => findMember(tx, memberId));
  if (member === undefined) throw new NotFound('Member');
  return listSessions({ db, clock, owner: { accountId: null, workspaceId, memberId } }, page);
}

/** Ends one of those sessions. @throws Forbidden, NotFound if it does not exist or has ended */
export async function endMemberSession(
  { db, clock, actor }: CommandContext,
  memberId: number,
  uuid: string,
): Promise<void> {
  actor.require('members:write');
  const owner = { accountId: null, workspaceId: actor.workspaceId, memberId };
  await db.inWorkspace(actor.workspaceId, async (tx) => {
    if (!(await db.identity.sessions.end(owner, uuid, clock.now(), tx))) throw new NotFound('Session');
    recordAudit(tx, { clock, actor }, 'session:ended', { subject: ['member', memberId] });
  });
}

export async function signOut({ db, clock, visitor }: AnonymousContext): Promise<void> {
  const token = visitor.sessionToken;
  if (token === undefined || !isWellFormedSessionToken(token)) return;
  const now = clock.now();
  await db.inIdentity(async (tx) => {
    const ended = await db.identity.sessions.endByHash(hashSessionToken(token), now, tx);
    if (ended === undefined || ended.accountId === null) return;
    const note = { subject: ['session', ended.id] } as const;
    recordAccountAudit(tx, { now, source: visitor }, ended.accountId, 'session:ended', note);
  });
}

/** Allows only people to end sessions: a stolen key or token must not sign its owner out. @throws Forbidden */
function requireSession({ credential }: Pick<SessionsContext, 'credential'>): void {
  if (credential.kind === 'session') return;
  throw new Forbidden('a session', 'Ending a session requires a session.', 'session_required');
}
