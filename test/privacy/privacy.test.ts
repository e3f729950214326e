import type { WorkflowHandle } from '@temporalio/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiPrefix } from '../../api/http/app.js';
import { obtainVersitygw } from '../../tools/dev/provision/obtain-versitygw.js';
import { consoleProgress } from '../../tools/dev/provision/progress.js';
import { ask } from '../support/simulators/ask.js';
import type { TestSystem } from '../support/system/system.js';
import { decode, readable, recordRun, recordRuns } from '../workflows/histories.js';
import { complaint, type ReadColumn, readColumns, unmarked } from './columns.js';
import { type Marker, type MarkerName, markers, type Place, planted } from './markers.js';
import { givenAway } from './search.js';
import { type Stage, startStage } from './stage.js';
import { plantedRefusal } from './story/break-database.js';
import { play } from './story/index.js';

/** The record, the history of its changes, and the events that tell of them. */
const recordsWithKeys = [
  'public.data_record_changes.after',
  'public.data_records.field_values',
  'public.events.body',
];
/** The story has every kind of run, each of which waits for others on a busy machine. */
const playedWithinMs = 400_000;

let stage: Stage;
let runs: SeenRun[];
let columns: ReadColumn[];

// A server that has to be built first takes some minutes.
beforeAll(() => obtainVersitygw(consoleProgress()), 20 * 60_000);
beforeAll(async () => {
  stage = await startStage();
  await play(stage);
  runs = await seenRuns(stage.system);
  columns = await readColumns(stage.superuser);
}, playedWithinMs);
afterAll(() => stage?.stop());

/** The markers and secrets found where they are not allowed. */
const bucketLeaks = (text: string) => {
  const { bucket, bucketSignature } = stage.secrets;
  return givenAway(text, { bucket, bucketSignature } as Record<string, Marker>, 'log');
};
const leaks = (text: string, place: Place) => givenAway(text, { ...markers, ...stage.secrets }, place);
const runsOf = (type: string) => runs.filter((run) => run.type === type);

describe('a planted marker or secret', () => {
  it('does not appear in the log of the api', () => {
    expect(leaks(stage.apiProcess.log(), 'log')).toEqual([]);
  });

  it('does not appear in the log of the worker and its relay', () => {
    expect(leaks(stage.workerProcess.log(), 'log')).toEqual([]);
  });

  it('does not appear in the log of the media process, nor in its metrics', async () => {
    const metrics = await (await fetch(`${stage.mediaProcess.url}/metrics`)).text();
    expect(metrics).toContain('wes_bridges_ended_total');
    expect(leaks([stage.mediaProcess.log(), metrics].join('\n'), 'log')).toEqual([]);
  });

  it('does not appear in the log of PostgreSQL', () => {
    expect(leaks(stage.postgresLog(), 'log')).toEqual([]);
  });

  it('does not appear in the metrics', async () => {
    const metrics = await (await fetch(`${stage.workerProcess.url}/metrics`)).text();
    expect(metrics).toContain('wes_outbox_delivered_total');
    expect(leaks(metrics, 'log')).toEqual([]);
  });

  it('does not appear in a run’s history, memo, attributes, summary, details or failures', () => {
    for (const { workflowId, history, description, currentDetails } of runs) {
      const found = leaks([history, description, currentDetails].join('\n'), 'history');
      expect({ workflowId, found }).toEqual({ workflowId, found: [] });
    }
  });

  it('does not appear in a problem response or its headers', () => {
    for (const { request, text } of stage.api.problems) {
      expect({ request, text, found: leaks(text, 'problem') }).toEqual({ request, text, found: [] });
    }
  });
});

describe('a value that is entered by keys', () => {
  const { needles } = markers.pressedKeys;
  const holds = (text: string) => needles.some((needle) => text.includes(needle));

  it('is in the record that it is for and what tells of its changes, and in no other row', () => {
    const holding = columns.filter(({ values }) => holds(values.join('\n')));
    expect(holding.map(({ name }) => name)).toEqual(recordsWithKeys);
  });

  it('is told to no model, and is in nothing that a session got', async () => {
    const { url } = stage.system.model;
    const { sessions } = await ask<{ sessions: { number: number }[] }>(url, 'GET', '/realtime/sessions');
    expect(sessions.length).toBeGreaterThan(1);
    for (const { number } of sessions) {
      const seen = await ask<object>(url, 'GET', `/realtime/sessions/${number}`);
      expect(holds(JSON.stringify(seen))).toBe(false);
    }
    expect(holds(JSON.stringify(await stage.system.model.requests()))).toBe(false);
  });
});

describe('an address of the bucket, at which everyone gets bytes', () => {
  it('is in no row: not of events, of webhooks, of messages or of stored answers', () => {
    const holding = columns.filter(({ values }) => bucketLeaks(values.join('\n')).length > 0);
    expect(holding.map(({ name }) => name)).toEqual([]);
  });

  it('is in no request to the model, which is told of files', async () => {
    const requests = JSON.stringify(await stage.system.model.requests());
    expect(requests).toContain(planted('passageText'));
    expect(bucketLeaks(requests)).toEqual([]);
  });

  it.each(['/members/export', '/chats/export', '/chats/export/transcripts'])(
    'is in no table that is exported: %s',
    async (path) => {
      const { api, workspace } = stage;
      const headers = { Authorization: `Bearer ${workspace.admin.apiKey}` };
      const answer = await fetch(`${api.baseUrl}${apiPrefix}${workspace.path(path)}`, { headers });
      const table = await answer.text();
      expect([answer.status, table.length > 100]).toEqual([200, true]);
      expect(bucketLeaks(table)).toEqual([]);
    },
  );
});

describe('the columns that can hold user input', () => {
  it('contain a marker or have a valid explanation', () => {
    expect(columns.map(complaint).filter((found) => found !== undefined)).toEqual([]);
  });

  it('include every column that is said to have no marker', () => {
    const names = columns.map(({ name }) => name);
    expect([...unmarked.keys()].filter((name) => !names.includes(name))).toEqual([]);
  });

  it('contain every marker except those that are never stored', () => {
    const stored = new Set(columns.flatMap((column) => column.markers));
    const unstored = Object.keys(markers).filter((name) => !stored.has(name));
    expect(unstored.sort()).toEqual([...neverStored].sort());
  });
});

/** Markers of values that are rejected, stored as a hash only, or known to the provider only. */
const neverStored: MarkerName[] = [
  'refused',
  'signingSecret',
  'unknownField',
  'carrierField',
  'idempotencyKey',
  'keyedAgain',
  'mailAnswer',
  'modelRefusal',
  'smtpPassword',
  'unknownEmail',
  'userAgent',
];

describe('the searched places', () => {
  it('contain runs of every type', () => {
    const types = [
      'answerChat',
      'askForReceipts',
      'deliverMessages',
      'deliverWebhook',
      'fetchMedia',
      'forgetOldEvents',
      'forgetOldKeys',
      'indexFile',
      'publishPage',
      'reconcileRuns',
      'runAssignment',
      'runVoiceCall',
      'sendLoginCode',
      'storeTextPrices',
    ];
    // On a slow machine, less frequent schedules may have run too, so other types are allowed.
    expect(runs.map(({ type }) => type)).toEqual(expect.arrayContaining(types));
  });

  it('contain the names that operators may see, in histories and details', () => {
    const walks = runsOf('runAssignment');
    const histories = walks.map(({ history }) => history).join('\n');
    expect(histories).toContain(planted('taskName'));
    expect(histories).toContain(planted('definitionName'));
    expect(walks.map(({ description }) => description).join('\n')).toContain(planted('definitionName'));
    const details = runs.map(({ currentDetails }) => currentDetails);
    expect(details).toContainEqual(expect.stringMatching(/\w/));
  });

  it('contain failures of the model, the carrier and the database', () => {
    const histories = runs.map(({ history }) => history).join('\n');
    const ofModel = ['model_busy', 'model_content_filter', 'model_http_400'];
    const codes = ['23514', ...ofModel, 'carrier_busy', 'http_503', 'connection_refused', 'dns_failed'];
    expect(codes.filter((code) => !histories.includes(`"${code}"`))).toEqual([]);
    expect(stage.workerProcess.log()).toContain('23514');
    expect(stage.apiProcess.log()).toContain('"errorCode":"23514"');
    expect(stage.postgresLog()).toContain(plantedRefusal);
  });

  it('contain problem responses of every kind', () => {
    const statuses = [...new Set(stage.api.problems.map(({ status }) => status))];
    expect(statuses).toEqual(expect.arrayContaining([400, 401, 403, 404, 405, 409, 415, 422, 429, 500]));
    const shown = stage.api.problems.map(({ text }) => text).join('\n');
    const missing = (['guard', 'taskName', 'fieldName', 'fieldOption', 'unknownField'] as const).filter(
      (name) => !shown.includes(planted(name)) && !shown.includes(JSON.stringify(planted(name)).slice(1, -1)),
    );
    expect(missing).toEqual([]);
  });

  it('would reveal a marker in an argument, memo, summary, details, attribute or failure', async () => {
    const { client } = stage.system;
    const handle = await client.workflow.start('unknown', {
      workflowId: 'planted',
      taskQueue: 'nobody-listens',
      args: [planted('texterName')],
      memo: { memo: planted('texterDescription') },
      staticSummary: planted('texterWords'),
      staticDetails: planted('modelWords'),
      searchAttributes: { EventType: [planted('texterExternalId')] },
    });
    await handle.terminate(planted('cancelReason'));
    const run = await recordRun(handle, handle.firstExecutionRunId, 'unknown');
    const text = run.json + readable(run) + (await descriptionOf(handle));
    for (const name of [
      'texterName',
      'texterDescription',
      'texterWords',
      'modelWords',
      'texterExternalId',
      'cancelReason',
    ] as const)
      expect(leaks(text, 'history')).toContain(name);
  });
});

interface SeenRun {
  workflowId: string;
  type: string;
  /** Its events, payloads decoded: inputs, results, signals, summaries, failures with their stacks. */
  history: string;
  description: string;
  currentDetails: string;
}

/** Every run of the namespace, one by one: each query needs a worker, which replays the run to answer. */
async function seenRuns(system: Pick<TestSystem, 'client'>): Promise<SeenRun[]> {
  const seen: SeenRun[] = [];
  for (const run of await recordRuns(system)) {
    const handle = system.client.workflow.getHandle(run.workflowId, run.runId);
    const metadata = await handle.query<{ currentDetails?: string }>('__temporal_workflow_metadata');
    seen.push({
      workflowId: run.workflowId,
      type: run.type,
      history: readable(run),
      description: await descriptionOf(handle),
      currentDetails: metadata.currentDetails ?? '',
    });
  }
  return seen;
}

/** Memo, search attributes, static summary and details, pending activities with their last failure. */
async function descriptionOf(handle: WorkflowHandle): Promise<string> {
  const description = await handle.describe();
  const raw = JSON.stringify(description.raw);
  const shown = [await description.staticSummary(), await description.staticDetails()];
  const read = JSON.stringify([description.memo, description.typedSearchAttributes]);
  return [raw, ...payloads(raw), read, ...shown].join('\n');
}

/** Payloads are base64 in there, or a list of bytes. */
function payloads(json: string): string[] {
  const texts = [...json.matchAll(/"data":"([A-Za-z0-9+/=]*)"/g)].map(([, data]) => decode(data ?? ''));
  const bytes = [...json.matchAll(/"data":\{"type":"Buffer","data":\[([\d,]*)\]\}/g)].map(([, list]) =>
    Buffer.from((list ?? '').split(',').map(Number)).toString('utf8'),
  );
  return [...texts, ...bytes];
}
