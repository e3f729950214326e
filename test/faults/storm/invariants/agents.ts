import { absenceNotice, agentBounds } from '../agents.js';
import type { Evidence, Invariants, MessageFact } from '../evidence.js';
import { groupBy } from '../group-by.js';

/** Among how many of the member's latest messages a repeated one shows that no person wrote it. */
const compared = 5;
const followUpNote = /^A follow-up is due: /;

/** What the agent did between one message of a person and the next, chat by chat. */
function unattended({ messages, operatorMemberId }: Evidence): { chatId: number; acts: MessageFact[] }[] {
  return [...groupBy(messages, ({ chatId }) => chatId)].flatMap(([chatId, all]) => {
    const spells: MessageFact[][] = [[]];
    const heard: (string | null)[] = [];
    for (const message of all) {
      const { role, text, memberId } = message;
      const isNotice = text === absenceNotice && heard.slice(-compared).includes(text);
      const isByPerson = (role === 'user' && !isNotice) || memberId === operatorMemberId;
      if (role === 'user') heard.push(text);
      if (isByPerson) spells.push([]);
      else spells.at(-1)?.push(message);
    }
    return spells.map((acts) => ({ chatId, acts }));
  });
}

/** How often a chat was given back to its agent, which begins to count anew then. */
function timesResumed({ ledger }: Evidence, chat: number): number {
  return ledger.filter(
    ({ operation, chatId, attempts }) =>
      operation.kind === 'resume' && chatId === chat && attempts.some(({ outcome }) => outcome !== 'refused'),
  ).length;
}

/** The turn that a person interrupts, and follow-ups that come due in the same moment, belong to the spell before. */
const overlap = { turns: 1, followUps: agentBounds.pendingFollowUps };

function isFollowUpNote({ role, text }: MessageFact): boolean {
  return role === 'system' && followUpNote.test(text ?? '');
}

export const agentInvariants: Invariants = {
  /** Without a message of a person an agent has so many turns and follow-ups, and no more. */
  'agents-keep-to-their-bounds': (evidence) =>
    unattended(evidence).flatMap(({ chatId, acts }) => {
      const spells = 1 + timesResumed(evidence, chatId);
      const turns = new Set(acts.flatMap(({ turnUuid }) => turnUuid ?? [])).size;
      const followUps = acts.filter(isFollowUpNote).length;
      const found: string[] = [];
      if (turns > agentBounds.unattendedTurns * spells + overlap.turns) {
        found.push(`the agent of chat ${chatId} had ${turns} turns in a row`);
      }
      if (followUps > agentBounds.unattendedFollowUps * spells + overlap.followUps) {
        found.push(`${followUps} follow-ups came due in chat ${chatId} in a row`);
      }
      return found;
    }),
  /** Each follow-up came due once or was called off, and none is forgotten. */
  'follow-ups-come-due-once'({ followUps, messages }) {
    const forgotten = followUps.flatMap(({ id, firedAt, cancelledAt }) => {
      if (firedAt === null && cancelledAt === null) return [`follow-up ${id} never came due`];
      return firedAt !== null && cancelledAt !== null ? [`follow-up ${id} was called off as well`] : [];
    });
    const notes = groupBy(messages.filter(isFollowUpNote), ({ chatId }) => chatId);
    const fired = groupBy(
      followUps.filter(({ firedAt }) => firedAt !== null),
      ({ chatId }) => chatId,
    );
    const wrong = [...new Set([...notes.keys(), ...fired.keys()])].flatMap((chatId) => {
      const [told, due] = [notes.get(chatId)?.length ?? 0, fired.get(chatId)?.length ?? 0];
      return told === due
        ? []
        : [`the agent of chat ${chatId} was told of ${told} follow-ups, ${due} were due`];
    });
    return [...forgotten, ...wrong];
  },
  /** A chat that needs a person says why. */
  'alerted-for-a-reason': ({ chats }) =>
    chats
      .filter(({ needsResponse, needsResponseReason }) => needsResponse && needsResponseReason === null)
      .map(({ id }) => `chat ${id} needs a response and does not say why`),
};
