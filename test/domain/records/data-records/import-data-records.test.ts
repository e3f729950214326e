import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ImportResult } from '../../../../domain/records/csv/import-tally.js';
import { importDataRecords } from '../../../../domain/records/data-records/transfer/import-data-records.js';
import { createDataType } from '../../../../domain/records/data-types/create-data-type.js';
import { type DyingConnections, dyingConnections } from '../../../support/faults/dying-connections.js';
import { csvFile } from '../../../support/lib/csv-file.js';
import { randomTag } from '../../../support/workspace/factories.js';
import { useWorkspace } from '../../../support/workspace/use-workspace.js';

const suite = useWorkspace({ storesEvents: true });
const fields = [{ slug: 'reason', name: 'Reason', fieldType: 'text' }];
let dataTypeId: number;

beforeEach(async () => {
  const slug = `type-${randomTag()}`;
  const values = { name: 'Intake', slug, isCollection: true, fields };
  dataTypeId = (await createDataType(suite.workspace.context(), values)).id;
});

/** Enough rows for two and a half batches. */
const keys = Array.from({ length: 250 }, (_, index) => `key-${index}`);
const fileOf = (names: readonly string[], reason = 'Cough') =>
  csvFile(`__externalId,reason\n${names.map((name) => `${name},${reason}`).join('\n')}\n`);

function start(path: string, signal = new AbortController().signal) {
  return importDataRecords(suite.workspace.context(), { dataTypeId, path, signal });
}

/** What is told at the end. */
async function resultOf(steps: ReturnType<typeof start>): Promise<ImportResult> {
  let last: unknown;
  for await (const line of steps) last = line;
  return last as ImportResult;
}
const importAll = (path: string) => resultOf(start(path));

/** What is stored for the type: the records, their changes and their events. */
const stored = () =>
  suite.workspace.within(async (tx) => {
    const records: { id: number; external_id: string; field_values: { reason: string } }[] = await tx(
      'data_records',
    ).where({ data_type_id: dataTypeId });
    const ids = records.map(({ id }) => id);
    const [changes, events] = await Promise.all([
      tx('data_record_changes').whereIn('record_id', ids).pluck<number[]>('record_id'),
      tx('events').whereIn('data_record_id', ids).pluck<string[]>('event_type'),
    ]);
    return {
      names: records.map(({ external_id }) => external_id).sort(),
      reasons: new Set(records.map(({ field_values }) => field_values.reason)),
      changes: changes.length,
      created: events.filter((type) => type === 'data_record:created').length,
    };
  });

describe('importDataRecords', () => {
  it('writes history and events for changed records, and nothing for unchanged ones', async () => {
    await importAll(fileOf(keys));
    expect(await stored()).toMatchObject({ names: [...keys].sort(), changes: 250, created: 250 });

    expect(await importAll(fileOf(keys))).toMatchObject({ unchanged: 250 });
    expect(await stored()).toMatchObject({ changes: 250, created: 250 });

    await importAll(fileOf(keys, 'Fever'));
    expect(await stored()).toMatchObject({ changes: 500, created: 250, reasons: new Set(['Fever']) });
  });

  it('creates each record once when the same rows are imported many times at once, in any order', async () => {
    const files = Array.from({ length: 6 }, (_, index) =>
      fileOf(index % 2 === 0 ? keys : [...keys].reverse(), `by ${index}`),
    );

    const results = await Promise.all(files.map(importAll));

    for (const result of results) expect(result).toMatchObject({ success: 250, failed: 0, errors: [] });
    expect(results.reduce((sum, { created }) => sum + created, 0)).toBe(250);
    expect((await stored()).names).toEqual([...keys].sort());
  });

  it('leaves whole batches when it is aborted, and continues when it is repeated', async () => {
    const controller = new AbortController();
    const steps = start(fileOf(keys), controller.signal);

    await steps.next();
    controller.abort(new Error('gone'));
    await expect(steps.next()).rejects.toThrow('gone');

    expect(await stored()).toMatchObject({ names: keys.slice(0, 100).sort(), changes: 100, created: 100 });
    expect(await importAll(fileOf(keys))).toMatchObject({ unchanged: 100, created: 150 });
  });

  it('fails the rows with a column whose field was removed in the meantime', async () => {
    const steps = start(fileOf(keys));
    await steps.next();
    const others = [{ slug: 'other', name: 'Other', fieldType: 'text' }];
    await suite.workspace.within(async (tx) => {
      await tx('data_types')
        .where({ id: dataTypeId })
        .update({ fields: JSON.stringify(others) });
    });

    const result = await resultOf(steps);

    expect(result).toMatchObject({ created: 100, failed: 150 });
    expect(result.errors[0]).toBe('Row 102: reason is no field of the data type any more');
  });
});

describe('importDataRecords with a lost connection', () => {
  let connections: DyingConnections;
  beforeEach(() => {
    connections = dyingConnections();
  });
  afterEach(() => connections.restore());

  it.each(['before', 'after'] as const)(
    'leaves whole batches and continues when repeated, whichever message is lost, %s it is executed',
    async (when) => {
      connections.dieAt(Number.POSITIVE_INFINITY, when);
      await importAll(fileOf(keys));
      const messages = connections.sent;
      expect(messages).toBeGreaterThan(5);

      let broken = 0;
      for (let number = 1; number <= messages; number += 1) {
        const names = keys.map((key) => `${key}-${number}`);
        connections.dieAt(number, when);
        await importAll(fileOf(names)).catch(() => {
          broken += 1;
        });
        connections.dieAt(Number.POSITIVE_INFINITY, when);

        const { names: there, changes, created } = await stored();
        const landed = names.filter((name) => there.includes(name));
        expect([0, 100, 200, 250]).toContain(landed.length);
        expect({ changes, created }).toEqual({ changes: there.length, created: there.length });
        const again = await importAll(fileOf(names));
        expect(again).toMatchObject({ unchanged: landed.length, created: 250 - landed.length });
      }
      expect(broken).toBeGreaterThan(messages / 2);
    },
  );
});
