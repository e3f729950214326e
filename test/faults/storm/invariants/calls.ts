import type { CallFact, Evidence, Invariants } from '../evidence.js';
import { groupBy } from '../group-by.js';
import { expected } from '../ledger.js';

const isAnswered = (call: CallFact): call is CallFact & { answeredAt: number } => call.answeredAt !== null;

/** A turn that had begun before a call was asked for may still say what it had come to, also if its model was away at first. */
const overlapMs = 30_000;

function isUpAt({ createdAt, finishedAt }: CallFact, at: number): boolean {
  return at > createdAt && at < (finishedAt ?? Number.POSITIVE_INFINITY);
}

/** The words of turns, with the call of their chat that was up meanwhile. */
function writtenInCalls({ calls, messages, turnsAnswered }: Evidence) {
  const answeredAt = new Map(turnsAnswered.map(({ turn, at }) => [turn, at]));
  return calls.filter(isAnswered).flatMap((call) =>
    messages
      .filter(({ chatId, turnUuid, text }) => chatId === call.chatId && turnUuid !== null && text !== null)
      .filter(({ at }) => isUpAt(call, at))
      .filter(({ turnUuid }) => (answeredAt.get(turnUuid ?? '') ?? 0) > call.createdAt + overlapMs)
      .map((message) => ({ call, message })),
  );
}

export const callInvariants: Invariants = {
  /** As many calls are there as were asked for. */
  'calls-are-asked-for-once'({ ledger, calls }) {
    const asked = ledger.filter(({ operation }) => operation.kind === 'call');
    return [...groupBy(asked, ({ chatId }) => chatId)].flatMap(([chatId, entries]) => {
      const found = calls.filter((call) => call.chatId === chatId).length;
      const { atLeast, atMost } = expected(entries.flatMap(({ attempts }) => attempts));
      if (found >= atLeast && found <= atMost) return [];
      return [`chat ${chatId} has ${found} calls, and ${atLeast} to ${atMost} were asked for`];
    });
  },
  /** The carrier has dialled no more often than it was to be asked, and each of its calls is one of ours. */
  'dialled-at-most-once'({ calls, dialled }) {
    const found: string[] = [];
    for (const [sid, same] of groupBy(calls, ({ carrierCallId }) => carrierCallId)) {
      if (sid !== null && same.length > 1) found.push(`${same.length} calls have ${sid} of the carrier`);
    }
    for (const [to, sids] of groupBy(dialled, ({ to: number }) => number)) {
      const wanted = calls.filter(({ remoteNumber, attempts }) => remoteNumber === to && attempts > 0);
      if (sids.length <= wanted.length) continue;
      found.push(`${to} was dialled ${sids.length} times for ${wanted.length} calls`);
    }
    return found;
  },
  /** Every call has come to an end, here and at the carrier, and both say the same of it. */
  'calls-are-final'({ calls, dialled }) {
    const isGoingOn = dialled
      .filter(({ isOver }) => !isOver)
      .map(({ sid }) => `${sid} goes on at the carrier`);
    return [
      ...isGoingOn,
      ...calls.flatMap(({ id, status, finishedAt, carrierCallId }) => {
        if (finishedAt === null) return [`call ${id} is ${status} for good`];
        const there = dialled.find(({ sid }) => sid === carrierCallId);
        if (carrierCallId === null || there === undefined || there.status === status) return [];
        return [`call ${id} is ${status}, and ${there.status} at the carrier`];
      }),
    ];
  },
  /** A chat has one call at a time. */
  'one-call-has-the-floor'({ calls }) {
    return [...groupBy(calls, ({ chatId }) => chatId)].flatMap(([chatId, all]) =>
      all.flatMap((call) =>
        all
          .filter((other) => other.id > call.id && isUpAt(call, other.createdAt))
          .map((other) => `calls ${call.id} and ${other.id} of chat ${chatId} were up at once`),
      ),
    );
  },
  /** Nobody is written to by the agent while it talks. */
  'no-turn-during-a-call': (evidence) =>
    writtenInCalls(evidence).map(
      ({ call, message }) => `message ${message.id} was written during call ${call.id}`,
    ),
  /** What was said is in the chat of its call, once, and between its answer and its end. */
  'transcripts-are-of-their-call'({ calls, messages }) {
    const spoken = messages.filter(({ callId }) => callId !== null);
    const found = spoken.flatMap(({ id, chatId, callId, at }) => {
      const call = calls.find((one) => one.id === callId);
      if (call === undefined || call.chatId !== chatId) return [`message ${id} is of a call of another chat`];
      // A message to a machine is the first that is known of an answer.
      return at < call.createdAt ? [`message ${id} is older than its call ${callId}`] : [];
    });
    const items = spoken.filter(({ callItemId }) => callItemId !== null);
    const doubled = [...groupBy(items, ({ callId, callItemId }) => `${callItemId} of call ${callId}`)]
      .filter(([, same]) => same.length > 1)
      .map(([item, same]) => `${item} is stored ${same.length} times`);
    return [...found, ...doubled];
  },
};
