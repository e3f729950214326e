import type { Evidence, Invariants } from '../evidence.js';
import { groupBy } from '../group-by.js';
import { type Entry, wasAccepted } from '../ledger.js';
import { filenameOf } from '../perform.js';
import { describe } from './effects.js';

/** Lanes ask one thing after the other, until they are answered: so the last word is known. */

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
  // What the webhook missed is taken from the list of the carrier. Its dates have whole seconds: a START that was
  // missed
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

export const lastWordInvariants: Invariants = {
  /**
   * A chat is paused when pausing it or taking it over was the last word, and not when resuming was. A chat without an agent
   * is not taken over.
   */
  'pause-is-the-last-word'({ ledger, chats }) {
    const hasAgent = (chatId: number | undefined) => chats.find(({ id }) => id === chatId)?.assistantEnabled;
    const words = ledger.filter(
      ({ operation: { kind }, chatId }) =>
        kind === 'pause' ||
        kind === 'resume' ||
        ((kind === 'take_over' || kind === 'speak_as_assistant') && hasAgent(chatId) !== false),
    );
    return lastWords(words, ({ chatId }) => chatId).flatMap(([chatId, last]) => {
      const chat = chats.find(({ id }) => id === chatId);
      const paused = last.operation.kind !== 'resume';
      if (chat === undefined || chat.paused === paused) return [];
      return [
        `chat ${chatId} is ${chat.paused ? '' : 'not '}paused, but the last word was ${describe(last)}`,
      ];
    });
  },
  /** A message has the rating that was given last. */
  'message-is-as-last-rated'({ ledger, messages }) {
    const words = ledger.filter(({ operation }) => operation.kind === 'rate');
    return lastWords(words, ({ messageUuid }) => messageUuid).flatMap(([uuid, last]) => {
      const comment = messages.find((message) => message.uuid === uuid)?.ratingComment ?? 'nothing';
      if (comment === last.attempts[0]?.marker) return [];
      return [`message ${uuid} is rated with ${comment}, but ${describe(last)} came last`];
    });
  },
  /** A chat has a summary once one was accepted. */
  'summarized-chats-have-a-summary'({ ledger, chats }) {
    return ledger
      .filter((entry) => entry.operation.kind === 'summarize' && wasAccepted(entry))
      .filter(({ chatId }) => !chats.find(({ id }) => id === chatId)?.summary)
      .map((entry) => `${describe(entry)} left no summary`);
  },
  /** A member has the description that was written last. */
  'member-is-as-last-described'({ ledger, members }) {
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
  /** The definition runs the revision that was published last. */
  'revision-is-the-last-published'({ ledger, revisions: rows }) {
    const words = ledger.filter(({ operation }) => operation.kind === 'publish');
    return lastWords(words, () => 'the definition').flatMap(([, last]) => {
      const accepted = last.attempts.find(({ outcome }) => outcome === 'accepted');
      const active = rows.find((revision) => revision.active);
      if (active?.name === accepted?.marker && active?.published === true) return [];
      return [`revision ${active?.name} is active, but ${describe(last)} came last`];
    });
  },
  /** Visitors read the page as it was written last, once it was published or its time has come. */
  'page-is-the-last-published'({ ledger, pages }) {
    const words = ledger.filter(({ operation }) => operation.kind === 'publish_page');
    return lastWords(words, () => 'the page').flatMap(([, last]) => {
      const wanted = last.attempts[0]?.marker;
      const [page] = pages;
      if (page?.title === wanted && page?.isScheduled === false) return [];
      const found = page === undefined ? 'no page' : page.title;
      return [`visitors read ${found}, but ${describe(last)} came last`];
    });
  },
  /** A file is what was uploaded last, and is gone if deleting it was the last word. */
  'file-is-as-last-uploaded'({ ledger, files }) {
    const words = ledger.filter(({ operation: { kind } }) =>
      ['upload', 'upload_version', 'delete_file'].includes(kind),
    );
    return lastWords(words, ({ fileId }) => fileId).flatMap(([fileId, last]) => {
      const file = files.find(({ id }) => id === fileId);
      const [attempt] = last.attempts;
      const wanted =
        last.operation.kind === 'delete_file' || attempt === undefined
          ? undefined
          : filenameOf(attempt.marker);
      if (file?.filename === wanted) return [];
      return [`file ${fileId} is ${file?.filename ?? 'gone'}, but ${describe(last)} came last`];
    });
  },
  /** An assignment whose cancellation was accepted is cancelled. */
  'cancelled-is-over'({ ledger, assignments }) {
    return ledger.flatMap((entry) => {
      if (entry.operation.kind !== 'cancel' || !wasAccepted(entry)) return [];
      const row = assignments.find(({ id }) => id === entry.assignmentId);
      return row?.status === 'cancelled' ? [] : [`${describe(entry)} was accepted; it is ${row?.status}`];
    });
  },
  /** After STOP was accepted nothing is sent until START, and the opt-out stands exactly then. */
  'opt-outs-are-kept'(evidence) {
    const words = evidence.ledger.filter(({ operation: { kind } }) => kind === 'stop' || kind === 'start');
    return [...groupBy(words, ({ phone }) => phone)].flatMap(([phone, entries]) =>
      phone === undefined ? [] : checkOptOut(evidence, phone, inOrder(entries)),
    );
  },
};
