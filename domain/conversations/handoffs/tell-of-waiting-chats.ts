import { hasHeldEmails } from '../../../db/channels/inbound-emails.js';
import {
  type HandoffTelling,
  hasOpened,
  lockHandoffTelling,
  newsSince,
  removeHandoffTelling,
  saveHandoffTelling,
  selectChatsInTheNews,
} from '../../../db/conversations/handoff-tellings.js';
import { insertHandoffNotices } from '../../../db/events/handoff-notices.js';
import type { HandoffNotices } from '../../../db/identity/models/workspace.js';
import { selectMemberRoles } from '../../../db/people/member-roles.js';
import { peopleToNotify } from '../../../db/people/people-to-notify.js';
import type { Tx } from '../../../db/tx.js';
import { refusalOf } from '../../channels/outreach/gate.js';
import type { ServiceContext } from '../../kernel/context.js';
import { chatNeedsResponseEvent } from '../../kernel/events/chat-events.js';
import { writeEvents } from '../../kernel/events/write-events.js';
import { reportOccurrence } from '../../kernel/occurrences.js';
import { startHandoffNoticeRun } from '../../kernel/runs.js';

/** What a pass has done in one workspace. */
export interface Told {
  notices: number;
  events: number;
}

/** Further people learn of it from these. */
const maxTold = 50;
/** Events of so many chats in one pass; the next one goes on. */
const eventsAtOnce = 500;
/**
 * A transaction takes no longer: a chat that is newer may have begun to wait in one that is not committed yet, and would
 * be passed over.
 */
export const settledAfterMs = 30_000;
/** Held mail alone brings no more notices: any stranger can have mail held, and most of it is unwanted. */
export const heldEmailsEveryMs = 4 * 3_600_000;

/**
 * Tells the people whom a workspace has named that chats, or held emails, wait for a person, at most once in its interval
 * however many there are, and writes the events. One transaction: what is told is noted with the notices and their runs.
 */
export async function tellOfWaitingChats({ db, clock }: ServiceContext, workspaceId: number): Promise<Told> {
  return db.inWorkspace(workspaceId, async (tx) => {
    const now = clock.now();
    const until = new Date(now.getTime() - settledAfterMs);
    const telling = await lockHandoffTelling(tx, until);
    // Read under the lock: a setting that was taken away meanwhile must leave no row behind.
    const workspace = await db.identity.workspaces.findById(workspaceId, tx);
    const setting = workspace?.handoffNotices ?? null;
    if (setting === null) {
      await removeHandoffTelling(tx);
      return { notices: 0, events: 0 };
    }
    const written = await writeNewEvents(tx, setting, telling, { now, until });
    const notices = await writeNotices(tx, setting, telling, { now, until });
    await saveHandoffTelling(tx, { ...telling, ...written.place, ...notices.place });
    return { notices: notices.count, events: written.count };
  });
}

interface Times {
  now: Date;
  until: Date;
}

async function writeNewEvents(
  tx: Tx,
  { channels, reasons }: HandoffNotices,
  telling: HandoffTelling,
  { now, until }: Times,
): Promise<{ count: number; place: Partial<HandoffTelling> }> {
  // The place never goes back: what is before it was told.
  if (until < telling.eventsUntil) return { count: 0, place: {} };
  const all = { eventsUntil: until, eventsAfter: Number.MAX_SAFE_INTEGER };
  if (!channels.includes('event')) return { count: 0, place: all };
  const after = { since: telling.eventsUntil, id: telling.eventsAfter };
  const chats = await selectChatsInTheNews(tx, { after, until, reasons, limit: eventsAtOnce });
  await writeEvents(tx, chats.map(chatNeedsResponseEvent), now);
  const last = chats.length < eventsAtOnce ? undefined : chats.at(-1);
  const place = last === undefined ? all : { eventsUntil: newsSince(last), eventsAfter: last.id };
  return { count: chats.length, place };
}

async function writeNotices(
  tx: Tx,
  setting: HandoffNotices,
  { lookedUntil, toldAt, emailsToldUntil }: HandoffTelling,
  { now, until }: Times,
): Promise<{ count: number; place: Partial<HandoffTelling> }> {
  const all = { lookedUntil: until, emailsToldUntil: until };
  const channels = setting.channels.filter((channel) => channel !== 'event');
  if (channels.length === 0) return { count: 0, place: all };
  const sinceToldMs = toldAt === null ? Number.POSITIVE_INFINITY : now.getTime() - toldAt.getTime();
  if (sinceToldMs < setting.everyMinutes * 60_000 || until <= lookedUntil) return { count: 0, place: {} };
  const { reasons, heldEmails = false } = setting;
  const looked = heldEmails ? { lookedUntil: until } : all;
  const areEmailsDue = heldEmails && sinceToldMs >= heldEmailsEveryMs;
  const isNews =
    (await hasOpened(tx, { from: lookedUntil, until, reasons, now })) ||
    (areEmailsDue && (await hasHeldEmails(tx, { from: emailsToldUntil, until })));
  if (!isNews) return { count: 0, place: looked };
  const wanted = await wantedNotices(tx, setting, channels, now);
  if (wanted.length === 0) {
    reportOccurrence(tx, { kind: 'notice_not_sent', reason: 'nobody_to_tell' });
  }
  const notices = await insertHandoffNotices(tx, wanted);
  for (const notice of notices) await startHandoffNoticeRun(tx, notice);
  // If the chats are answered before it is sent, mail that was not due yet has been told to nobody.
  const place = areEmailsDue ? all : looked;
  return { count: notices.length, place: { ...place, toldAt: now } };
}

/** A notice for each person who reads chats and may be written to, on each channel. */
async function wantedNotices(
  tx: Tx,
  setting: HandoffNotices,
  channels: readonly ('email' | 'sms')[],
  now: Date,
) {
  const [people, roles] = await Promise.all([peopleToNotify(tx, setting, maxTold), selectMemberRoles(tx)]);
  const readers = new Set(
    roles.filter(({ permissions }) => permissions.includes('chats:read')).map(({ id }) => id),
  );
  const wanted = people
    .filter(({ memberRoleId }) => readers.has(memberRoleId))
    .flatMap(({ id, email, phone }) =>
      channels.map((channel) => ({ memberId: id, channel, recipient: channel === 'email' ? email : phone })),
    );
  const allowed = await Promise.all(
    wanted.map(async ({ memberId, channel, recipient }) => {
      if (recipient === null) return [];
      const way = channel === 'email' ? 'email' : 'phone-sms';
      const asked = { purpose: 'handoff_notice', channel: way, memberId, recipient, now } as const;
      const refused = await refusalOf(tx, asked);
      return refused === undefined ? [{ memberId, channel, createdAt: now }] : [];
    }),
  );
  return allowed.flat();
}
