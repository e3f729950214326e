import type { Evidence, Invariants } from '../evidence.js';
import { groupBy } from '../group-by.js';
import { type Attempt, type Entry, expected, wasAccepted } from '../ledger.js';
import type { DeedKind } from '../operations.js';
import { filenameOf } from '../perform.js';

type Effect = (evidence: Evidence, marker: string, entry: Entry) => number;

const messagesOf: Effect = ({ messages }, marker, { chatId }) =>
  messages.filter(
    (message) =>
      message.chatId === chatId && message.memberId !== null && message.text?.startsWith(`${marker} `),
  ).length;
/** A file may be deleted later, and a version replaced: their events stay. */
const fileEventsOf =
  (eventType: string): Effect =>
  ({ events }, marker) =>
    events.filter((event) => event.eventType === eventType && event.filename === filenameOf(marker)).length;
/** A summary replaces the title. */
const chatsOf: Effect = ({ chats }, marker, { chatId }) =>
  chats.filter(({ id, title, summary }) => title === marker || (summary !== null && id === chatId)).length;

/** How often an attempt's marker is there, for operations whose effect carries it. */
const effects: Partial<Record<DeedKind, Effect>> = {
  open_web_chat: chatsOf,
  open_sms_chat: chatsOf,
  open_email_chat: chatsOf,
  write: messagesOf,
  take_over: messagesOf,
  speak_as_assistant: messagesOf,
  upload: fileEventsOf('file:created'),
  upload_version: fileEventsOf('file:updated'),
  publish: ({ revisions }, marker) => revisions.filter(({ name }) => name === marker).length,
};

function mayBeRefused(kind: DeedKind, { status }: Attempt, hasStopped: boolean): boolean {
  if (kind === 'select') return status === 400 || status === 409;
  if (kind === 'take_over' || kind === 'speak_as_assistant') return status === 400;
  // Nothing may have been said yet.
  if (kind === 'rate') return status === 404;
  if (kind === 'call' && status === 400) return hasStopped;
  // Another call of the chat goes on.
  if (kind === 'summarize' || kind === 'call') return status === 409;
  return kind === 'cancel' && status === 409;
}

function wrongCount(found: number, attempts: readonly Attempt[], what: string): string[] {
  const { atLeast, atMost } = expected(attempts);
  if (found >= atLeast && found <= atMost) return [];
  const wanted = atLeast === atMost ? `${atLeast}` : `${atLeast} to ${atMost}`;
  return [`${what}: found ${found}, expected ${wanted}`];
}

export function describe({ operation, chatId, assignmentId, memberId, fileId }: Entry): string {
  const place =
    fileId !== undefined
      ? ` (file ${fileId})`
      : chatId !== undefined
        ? ` (chat ${chatId})`
        : assignmentId !== undefined
          ? ` (assignment ${assignmentId})`
          : memberId !== undefined
            ? ` (member ${memberId})`
            : '';
  return `operation ${operation.index}, ${operation.kind} by ${operation.lane}${place}`;
}

export const effectInvariants: Invariants = {
  /** What was accepted took effect once, what was refused not at all, and what had no answer at most once. */
  'accepted-once'(evidence) {
    return evidence.ledger.flatMap((entry) => {
      const effect = effects[entry.operation.kind];
      if (effect === undefined) return [];
      return [...groupBy(entry.attempts, ({ marker }) => marker)].flatMap(([marker, attempts]) => {
        const found = effect(evidence, marker, entry);
        return wrongCount(found, attempts, `${describe(entry)} as ${marker}`);
      });
    });
  },
  /** A colleague's tool calls take effect with the message, or neither does. */
  'tools-run-with-the-message'(evidence) {
    const { ledger, messages } = evidence;
    return ledger
      .filter(({ operation }) => operation.kind === 'speak_as_assistant')
      .flatMap((entry) => {
        const marker = `s${entry.operation.index}`;
        const ran = messages.filter(({ text }) => text === `Handed over by the operator: ${marker}`).length;
        const said = messagesOf(evidence, marker, entry);
        return ran === said ? [] : [`${describe(entry)}: ${ran} tool calls, ${said} messages`];
      });
  },
  /** An inbound message is taken once, however often the carrier posts it. */
  'inbound-once'({ ledger, messages }) {
    const isInbound = ({ operation: { kind } }: Entry) =>
      kind === 'text' || kind === 'stop' || kind === 'start';
    return ledger.filter(isInbound).flatMap((entry) => {
      const { operation, sid } = entry;
      const words = operation.kind === 'text' ? `s${operation.index} ` : undefined;
      const found = messages.filter(
        ({ carrierMessageId, role, text }) =>
          carrierMessageId === sid || (role === 'user' && words !== undefined && text?.startsWith(words)),
      );
      return wrongCount(found.length, entry.attempts, `${describe(entry)} with the carrier's id ${sid}`);
    });
  },
  /** A member has as many assignments of its own as were begun. */
  'assignments-once'({ ledger, chats, assignments }) {
    const begun = ledger.filter(({ operation }) => operation.kind === 'begin_assignment');
    return [...groupBy(begun, ({ memberId }) => memberId)].flatMap(([memberId, entries]) => {
      const found = assignments.filter((assignment) => {
        const chat = chats.find(({ id }) => id === assignment.chatId);
        return assignment.memberId === memberId && chat?.title === null && chat.createdByMemberId !== null;
      });
      // Attempts of different operations are different things, whatever their markers.
      const attempts = entries.flatMap((entry) => entry.attempts);
      return wrongCount(found.length, attempts, `assignments begun for member ${memberId}`);
    });
  },
  /**
   * Nothing is refused but selecting a closed room, ending what is over and writing to an opted-out member; every
   * operation is answered.
   */
  'refused-for-a-reason'({ ledger }) {
    return ledger.flatMap((entry) => {
      const { kind } = entry.operation;
      if (entry.skipped !== undefined) return [`${describe(entry)} was skipped: ${entry.skipped}`];
      const refused = entry.attempts.find(({ outcome }) => outcome === 'refused');
      const hasStopped = ledger.some(
        ({ operation, memberId }) => operation.kind === 'stop' && memberId === entry.memberId,
      );
      if (refused !== undefined && !mayBeRefused(kind, refused, hasStopped)) {
        return [`${describe(entry)} was refused with ${refused.status}`];
      }
      // The carrier does not repeat a text that its webhook lost: another invariant has it in a chat all the same.
      const answered = refused !== undefined || wasAccepted(entry) || entry.sid !== undefined;
      return answered ? [] : [`${describe(entry)} was never answered`];
    });
  },
};
