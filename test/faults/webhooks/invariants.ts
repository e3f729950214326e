import { workflowIdOf } from '../../../workflows/contracts/runs.js';
import { groupBy } from '../storm/group-by.js';
import type { AttemptFact, Evidence } from './evidence.js';

/** Something that is true whatever was killed while events were delivered. */
interface Invariant {
  /** As it is called in reports. */
  name: string;
  says: string;
  /** One line for each violation, which says what to look at. */
  check(evidence: Evidence): string[];
}

/** Everything that is true after events were delivered, whatever was killed meanwhile. */
export const invariants: readonly Invariant[] = [
  // What a receiver may rely on.
  {
    name: 'every-event-is-taken',
    says: 'each event was taken at least once by the receiver of its rule',
    check({ events, received }) {
      const facts = received.filter((fact) => fact.taken > 0);
      const places = new Set(facts.map(({ receiver, eventUuid }) => `${receiver} ${eventUuid}`));
      return events
        .filter(({ uuid, eventType }) => !places.has(`${eventType} ${uuid}`))
        .map(({ uuid, eventType }) => `event ${uuid}, ${eventType}, was not taken`);
    },
  },
  {
    name: 'nothing-else-is-sent',
    says: 'what a receiver gets is an event of its rule, under the id of the event',
    check({ events, received }) {
      const known = new Set(events.map(({ uuid, eventType }) => `${eventType} ${uuid}`));
      return received
        .filter(({ receiver, eventUuid }) => !known.has(`${receiver} ${eventUuid}`))
        .map(({ receiver, eventUuid }) => `the receiver of ${receiver} got ${eventUuid}`);
    },
  },
  {
    name: 'bytes-are-frozen',
    says: 'however often an event comes, its bytes are those that were stored with it',
    check({ events, received }) {
      const digests = new Map(events.map(({ uuid, sha256 }) => [uuid, sha256]));
      return received
        .filter(({ eventUuid, sameBody, sha256 }) => !sameBody || digests.get(eventUuid) !== sha256)
        .map(({ eventUuid }) => `event ${eventUuid} came with other bytes`);
    },
  },
  {
    name: 'every-request-is-signed',
    says: 'no request was refused for its signatures',
    check: ({ received }) =>
      received
        .filter(({ answers }) => answers['401'] !== undefined)
        .map(({ eventUuid }) => `event ${eventUuid} came without a signature that is right`),
  },
  {
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
  },
  {
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
  },
  // What the service knows of it afterwards.
  {
    name: 'comes-to-rest',
    says: 'after a while nothing goes on any more',
    check: ({ unrest }) => (unrest === undefined ? [] : [unrest]),
  },
  {
    name: 'processes-survive',
    says: 'no process ends but by our hand',
    check: ({ deaths }) => deaths.map((name) => `the ${name} ended by itself`),
  },
  {
    name: 'outbox-is-empty',
    says: 'nothing waits for the relay, and it has given nothing up',
    check: ({ outbox }) => outbox.map((subject) => `the outbox has ${subject}`),
  },
  {
    name: 'events-are-kept',
    says: 'each event whose transaction was answered is there',
    check({ events, acknowledged, unanswered }) {
      if (events.length >= acknowledged && events.length <= acknowledged + unanswered) return [];
      return [
        `${events.length} events are there, of ${acknowledged} written and ${unanswered} perhaps written`,
      ];
    },
  },
  {
    name: 'an-event-has-one-delivery',
    says: 'each event has one delivery by the one rule of its type, which ended delivered',
    check({ events, deliveries }) {
      const byEvent = groupBy(deliveries, ({ eventUuid }) => eventUuid);
      return events.flatMap(({ uuid }) => {
        const found = (byEvent.get(uuid) ?? []).map(({ status }) => status);
        return found.join() === 'delivered' ? [] : [`event ${uuid} has ${found.join(', ') || 'no delivery'}`];
      });
    },
  },
  {
    name: 'a-delivery-has-one-run',
    says: 'each delivery had one run, which completed, and there are no others',
    check({ deliveries, runs }) {
      const byId = groupBy(runs, ({ workflowId }) => workflowId);
      const expected = new Set(deliveries.map(({ uuid }) => workflowIdOf('deliverWebhook', uuid)));
      const wrong = [...expected].flatMap((id) => {
        const found = (byId.get(id) ?? []).map(({ status }) => status);
        return found.join() === 'COMPLETED' ? [] : [`${id} is ${found.join(', ') || 'not there'}`];
      });
      const strangers = [...byId.keys()].filter((id) => !expected.has(id));
      return [...wrong, ...strangers.map((id) => `${id} is the run of no delivery`)];
    },
  },
  {
    name: 'attempts-end-with-success',
    says: 'the attempts of a delivery are numbered in a row, all finished, and only the last one succeeded',
    check({ deliveries, attempts }) {
      const attemptsAt = attemptsByEvent(attempts);
      return deliveries.flatMap(({ eventUuid, attemptCount }) => {
        const found = attemptsAt(eventUuid);
        const succeeded = found.map(({ statusCode }) => statusCode !== null && statusCode < 300);
        const isRow = found.every(({ number, finished }, index) => finished && number === index + 1);
        const isRight = isRow && succeeded.indexOf(true) === found.length - 1;
        if (isRight && found.length === attemptCount && attemptCount > 0) return [];
        return [`the ${attemptCount} attempts at event ${eventUuid} are: ${shown(found)}`];
      });
    },
  },
];

/** The attempts at each event, in their order. */
function attemptsByEvent(attempts: readonly AttemptFact[]): (eventUuid: string) => AttemptFact[] {
  const sorted = attempts.toSorted((one, other) => one.number - other.number);
  const groups = groupBy(sorted, ({ eventUuid }) => eventUuid);
  return (eventUuid) => groups.get(eventUuid) ?? [];
}

/** Attempts as a report shows them. */
function shown(attempts: readonly AttemptFact[]): string {
  const each = attempts.map(
    ({ number, statusCode, finished }) =>
      `${number}: ${finished ? (statusCode ?? 'no answer') : 'unfinished'}`,
  );
  return each.length === 0 ? 'none' : each.join(', ');
}

/** Not what was done instead of answering. */
const isStatus = (answered: string): boolean => /^\d+$/.test(answered);

/** How many of a kind are told: what is broken is usually broken often. */
const maxTold = 10;

/** What is not as it should be, by the name of the invariant. */
export function violations(evidence: Evidence): string[] {
  return invariants.flatMap(({ name, check }) => {
    const found = check(evidence);
    const more = found.length > maxTold ? [`and ${found.length - maxTold} more`] : [];
    return [...found.slice(0, maxTold), ...more].map((message) => `${name}: ${message}`);
  });
}
