import { groupBy } from '../../storm/group-by.js';
import { attemptsByEvent, type Invariant, shown } from './invariant.js';

/** What a receiver may rely on. */

const taken: Invariant = {
  name: 'every-event-is-taken',
  says: 'each event was taken at least once by the receiver of its rule',
  check({ events, received }) {
    const facts = received.filter((fact) => fact.taken > 0);
    const places = new Set(facts.map(({ receiver, eventUuid }) => `${receiver} ${eventUuid}`));
    return events
      .filter(({ uuid, eventType }) => !places.has(`${eventType} ${uuid}`))
      .map(({ uuid, eventType }) => `event ${uuid}, ${eventType}, was not taken`);
  },
};

const nothingElse: Invariant = {
  name: 'nothing-else-is-sent',
  says: 'what a receiver gets is an event of its rule, under the id of the event',
  check({ events, received }) {
    const known = new Set(events.map(({ uuid, eventType }) => `${eventType} ${uuid}`));
    return received
      .filter(({ receiver, eventUuid }) => !known.has(`${receiver} ${eventUuid}`))
      .map(({ receiver, eventUuid }) => `the receiver of ${receiver} got ${eventUuid}`);
  },
};

const sameBytes: Invariant = {
  name: 'bytes-are-frozen',
  says: 'however often an event comes, its bytes are those that were stored with it',
  check({ events, received }) {
    const digests = new Map(events.map(({ uuid, sha256 }) => [uuid, sha256]));
    return received
      .filter(({ eventUuid, sameBody, sha256 }) => !sameBody || digests.get(eventUuid) !== sha256)
      .map(({ eventUuid }) => `event ${eventUuid} came with other bytes`);
  },
};

const signed: Invariant = {
  name: 'every-request-is-signed',
  says: 'no request was refused for its signatures',
  check: ({ received }) =>
    received
      .filter(({ answers }) => answers['401'] !== undefined)
      .map(({ eventUuid }) => `event ${eventUuid} came without a signature that is right`),
};

const known: Invariant = {
  name: 'every-request-is-known',
  says: 'what a receiver answered is in an attempt, or was not heard by one; no attempt asks more than twice',
  check({ received, attempts }) {
    const attemptsAt = attemptsByEvent(attempts);
    return received.flatMap(({ eventUuid, came, answers }) => {
      const found = attemptsAt(eventUuid);
      const heard = groupBy(found, ({ statusCode }) => String(statusCode ?? 'none'));
      const timesHeard = (status: string) => heard.get(status)?.length ?? 0;
      const answered = Object.entries(answers).filter(([status]) => isStatus(status));
      const unheard = answered.reduce((sum, [status, times]) => sum + times - timesHeard(status), 0);
      const believed = [...heard].every(
        ([status, those]) => status === 'none' || those.length <= (answers[status] ?? 0),
      );
      // An idle connection that turns out to be closed is replaced within the attempt.
      if (believed && unheard <= timesHeard('none') && came <= 2 * found.length) return [];
      const said = JSON.stringify(answers);
      return [`event ${eventUuid} came ${came} times and was answered ${said}; attempts: ${shown(found)}`];
    });
  },
};

/** Not what was done instead of answering. */
const isStatus = (answered: string): boolean => /^\d+$/.test(answered);

const notAgain: Invariant = {
  name: 'what-was-taken-is-not-sent-again',
  says: 'an event is taken twice only where the answer to an attempt was not heard',
  check({ received, attempts }) {
    const attemptsAt = attemptsByEvent(attempts);
    return received.flatMap(({ eventUuid, ...fact }) => {
      const found = attemptsAt(eventUuid);
      const unheard = found.filter(({ statusCode }) => statusCode === null).length;
      if (fact.taken <= 1 + unheard) return [];
      return [`event ${eventUuid} was taken ${fact.taken} times; attempts: ${shown(found)}`];
    });
  },
};

export const receivingInvariants: readonly Invariant[] = [
  taken,
  nothingElse,
  sameBytes,
  signed,
  known,
  notAgain,
];
