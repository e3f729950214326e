import { passOf, type Underway } from './pass.js';

const minute = 60_000;
const hour = 60 * minute;

const often = { lastsMs: 4 * minute, triedFor: '15m' } as const;
const hourly = { lastsMs: 50 * minute, triedFor: '50m' } as const;
const nightly = { lastsMs: 11 * hour, triedFor: '6h' } as const;

/** Starts or pokes runs that are missing, for example after Terminate. */
export const reconcileRuns = passOf('reconcileRuns', {
  ...often,
  summary: 'Compare active rows with their runs',
});

export const askForReceipts = passOf('askForReceipts', {
  ...often,
  summary: 'Poke the deliveries whose receipts are overdue',
});

const receive = passOf('receiveMissedMessages', {
  ...often,
  // The messages of ten minutes are taken in the order in which they came, however many they are.
  startToCloseTimeout: '6m',
  heartbeatTimeout: '1m',
  summary: 'List messages at the carrier and receive missing ones',
});

/** Stores inbound messages whose webhook never arrived, from the carrier's list. */
export async function receiveMissedMessages({
  graceMs,
  ...underway
}: { graceMs?: number } & Underway = {}): ReturnType<typeof receive> {
  return receive({ next: graceMs === undefined ? {} : { graceMs }, ...underway });
}

/** Stores what texts have cost, which the carrier tells some time after they were sent, and only if it is asked. */
export const storeTextPrices = passOf('storeTextPrices', {
  ...nightly,
  startToCloseTimeout: '6m',
  heartbeatTimeout: '1m',
  summary: 'List messages at the carrier and store their prices',
});

/** Writes the notices and events that chats wait for a person. */
export const tellOfWaitingChats = passOf('tellOfWaitingChats', {
  ...often,
  summary: 'Look at the chats that wait for a person',
});

export const forgetOldKeys = passOf('forgetOldKeys', {
  ...hourly,
  summary: 'Delete Idempotency-Keys older than a day',
});

export const collectObjects = passOf('collectObjects', {
  ...hourly,
  summary: 'Delete the bytes of deleted files and abandoned uploads',
});

/** Looks up the proofs of mapped domains again, which lapse without them. */
export const recheckSiteDomains = passOf('recheckSiteDomains', {
  ...often,
  summary: 'Look up the proofs of domains of sites',
});

/** Begins the crawls of sites that are crawled every day or week. */
export const startDueCrawls = passOf('startDueCrawls', {
  ...often,
  summary: 'Begin the crawls that are due',
});

export const forgetOldEvents = passOf('forgetOldEvents', {
  ...nightly,
  summary: 'Delete events and deliveries older than 30 days',
});

export const forgetOldData = passOf('forgetOldData', {
  ...nightly,
  summary: 'Delete old chats and files of workspaces that say how long they keep them',
});
