import type { Evidence } from '../evidence.js';
import { groupBy } from '../group-by.js';
import { type Entry, wasAccepted } from '../ledger.js';
import { describe } from './effects.js';
import type { Invariant } from './invariant.js';

/** Lanes ask one thing after the other, until they are answered: so the last word is known. */

const pauses: Invariant = {
  name: 'pause-is-the-last-word',
  says: 'a chat is paused when pausing it or taking it over was the last word, and not when resuming was',
  check({ ledger, chats }) {
    const words = ledger.filter(({ operation: { kind } }) => ['pause', 'resume', 'take_over'].includes(kind));
    return lastWords(words, ({ chatId }) => chatId).flatMap(([chatId, last]) => {
      const chat = chats.find(({ id }) => id === chatId);
      const paused = last.operation.kind !== 'resume';
      if (chat === undefined || chat.paused === paused) return [];
      return [
        `chat ${chatId} is ${chat.paused ? '' : 'not '}paused, but the last word was ${describe(last)}`,
      ];
    });
  },
};

const descriptions: Invariant = {
  name: 'member-is-as-last-described',
  says: 'a member has the description that was written last',
  check({ ledger, members }) {
    const words = ledger.filter(({ operation }) => operation.kind === 'describe_member');
    return lastWords(words, ({ memberId }) => memberId).flatMap(([memberId, last]) => {
      const member = members.find(({ id }) => id === memberId);
      const [attempt] = last.attempts;
      if (attempt === undefined || member?.description === attempt.marker) return [];
      return [
        `member ${memberId} is described as ${member?.description ?? 'nothing'}, but ${describe(last)} came last`,
      ];
    });
  },
};

const revisions: Invariant = {
  name: 'revision-is-the-last-published',
  says: 'the definition runs the revision that was published last',
  check({ ledger, revisions: rows }) {
    const words = ledger.filter(({ operation }) => operation.kind === 'publish');
    return lastWords(words, () => 'the definition').flatMap(([, last]) => {
      const accepted = last.attempts.find(({ outcome }) => outcome === 'accepted');
      const active = rows.find((revision) => revision.active);
      if (active?.name === accepted?.marker && active?.published === true) return [];
      return [`revision ${active?.name} is active, but ${describe(last)} came last`];
    });
  },
};

const cancellations: Invariant = {
  name: 'cancelled-is-over',
  says: 'an assignment whose cancellation was accepted is cancelled',
  check({ ledger, assignments }) {
    return ledger.flatMap((entry) => {
      if (entry.operation.kind !== 'cancel' || !wasAccepted(entry)) return [];
      const row = assignments.find(({ id }) => id === entry.assignmentId);
      return row?.status === 'cancelled' ? [] : [`${describe(entry)} was accepted; it is ${row?.status}`];
    });
  },
};

/** Opting out is the member's last word, and is kept. */
const optOuts: Invariant = {
  name: 'opt-outs-are-kept',
  says: 'after STOP was accepted nothing is sent until START, and the opt-out stands exactly then',
  check(evidence) {
    const words = evidence.ledger.filter(({ operation: { kind } }) => kind === 'stop' || kind === 'start');
    return [...groupBy(words, ({ phone }) => phone)].flatMap(([phone, entries]) =>
      phone === undefined ? [] : checkOptOut(evidence, phone, inOrder(entries)),
    );
  },
};

function checkOptOut({ deliveries, optedOut }: Evidence, phone: string, words: Entry[]): string[] {
  const found: string[] = [];
  for (const [index, stop] of words.entries()) {
    const accepted = stop.attempts.find(({ outcome }) => outcome === 'accepted');
    if (stop.operation.kind !== 'stop' || accepted === undefined) continue;
    const until = words.slice(index + 1).find(({ operation }) => operation.kind === 'start');
    const lifted = until?.attempts[0]?.startedAt ?? Number.POSITIVE_INFINITY;
    const late = deliveries.filter(
      ({ recipient, claimedAt }) =>
        recipient === phone && claimedAt !== null && claimedAt > accepted.endedAt && claimedAt < lifted,
    );
    found.push(...late.map(({ id }) => `delivery ${id} was sent after ${describe(stop)} was accepted`));
  }
  // What the webhook missed is taken from the list of the carrier. Its dates have whole seconds: a START that was missed
  // in the second of a STOP does not lift it.
  const last = words.at(-1);
  const wanted = last?.operation.kind === 'stop';
  const isKnown = last !== undefined && (wanted || wasAccepted(last));
  if (isKnown && optedOut.includes(phone) !== wanted) {
    found.push(`the member is ${wanted ? 'not ' : ''}opted out, but ${describe(last)} came last`);
  }
  return found;
}

/** The last of each subject's entries; not where its answer stayed out. */
function lastWords<Subject>(
  entries: Entry[],
  subjectOf: (entry: Entry) => Subject | undefined,
): [Subject, Entry][] {
  return [...groupBy(inOrder(entries), subjectOf)].flatMap(([subject, words]): [Subject, Entry][] => {
    const last = words.at(-1);
    return subject === undefined || last === undefined || !wasAccepted(last) ? [] : [[subject, last]];
  });
}

function inOrder(entries: Entry[]): Entry[] {
  return entries.toSorted((one, other) => one.operation.index - other.operation.index);
}

export const lastWordInvariants = [pauses, descriptions, revisions, cancellations, optOuts];
