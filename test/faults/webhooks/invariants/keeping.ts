import { workflowIdOf } from '../../../../workflows/contracts/runs.js';
import { groupBy } from '../../storm/group-by.js';
import { attemptsByEvent, type Invariant, shown } from './invariant.js';

/** What the service knows of it afterwards. */

const rest: Invariant = {
  name: 'comes-to-rest',
  says: 'after a while nothing goes on any more',
  check: ({ unrest }) => (unrest === undefined ? [] : [unrest]),
};

const survival: Invariant = {
  name: 'processes-survive',
  says: 'no process ends but by our hand',
  check: ({ deaths }) => deaths.map((name) => `the ${name} ended by itself`),
};

const emptyOutbox: Invariant = {
  name: 'outbox-is-empty',
  says: 'nothing waits for the relay, and it has given nothing up',
  check: ({ outbox }) => outbox.map((subject) => `the outbox has ${subject}`),
};

const kept: Invariant = {
  name: 'events-are-kept',
  says: 'each event whose transaction was answered is there',
  check({ events, acknowledged, unanswered }) {
    if (events.length >= acknowledged && events.length <= acknowledged + unanswered) return [];
    return [
      `${events.length} events are there, of ${acknowledged} written and ${unanswered} perhaps written`,
    ];
  },
};

const oneDelivery: Invariant = {
  name: 'an-event-has-one-delivery',
  says: 'each event has one delivery by the one rule of its type, which ended delivered',
  check({ events, deliveries }) {
    const byEvent = groupBy(deliveries, ({ eventUuid }) => eventUuid);
    return events.flatMap(({ uuid }) => {
      const found = (byEvent.get(uuid) ?? []).map(({ status }) => status);
      return found.join() === 'delivered' ? [] : [`event ${uuid} has ${found.join(', ') || 'no delivery'}`];
    });
  },
};

const oneRun: Invariant = {
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
};

const attemptsEnd: Invariant = {
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
};

export const keepingInvariants: readonly Invariant[] = [
  rest,
  survival,
  emptyOutbox,
  kept,
  oneDelivery,
  oneRun,
  attemptsEnd,
];
