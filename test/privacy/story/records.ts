import { importAs } from '../../support/records/import-records.js';
import { planted } from '../markers.js';
import type { Stage } from '../stage.js';
import { type Configured, fieldSlug, fieldsOfRecord } from './configure.js';

function values(): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fieldsOfRecord).map(([slug, { fieldType, marker }]) => {
      const value = planted(marker);
      if (fieldType === 'number' || fieldType === 'integer') return [slug, Number(value)];
      if (fieldType === 'multiselect') return [slug, [value]];
      if (fieldType === 'json') return [slug, { said: value }];
      return [slug, fieldType === 'datetime' ? `${value}Z` : value];
    }),
  );
}

/** A record made, changed every way, found, refused for each of its fields, taken twice, retired, and deleted. */
export async function keepRecords(stage: Stage, { dataTypeId }: Configured, memberId: number): Promise<void> {
  const admin = stage.as();
  const path = `/data-types/${dataTypeId}/records`;
  const externalId = planted('recordExternalId');
  const record = { memberId, externalId, fieldValues: values() };
  const { id } = await admin('POST', path, record);
  await admin('POST', path, record);
  const changed = { fieldValues: { [fieldSlug]: `${planted('recordText')} Changed.` } };
  await admin('PUT', `${path}/${id}`, changed);
  await admin('PUT', path, { fieldValues: values() }, 200, { externalId });
  await admin('PUT', path, changed, 404, { externalId: planted('refused') });
  await admin('GET', path, undefined, 200, { externalId });
  await admin('POST', `/data-types/${dataTypeId}/upsert/${externalId}`, { fieldValues: values() }, 200);
  await admin('GET', `${path}/${id}/changes`);
  const batch = [record, { fieldValues: { [fieldSlug]: { not: planted('refused') } } }];
  await admin('POST', `${path}/bulk`, { records: batch }, 200);
  await admin('POST', `${path}/bulk`, { records: batch, atomic: true }, 400);
  await admin('GET', path, undefined, 200, { search: planted('recordText') });
  await admin('GET', path, undefined, 200, { filter: `choice:eq:${planted('recordChoice')}` });
  await admin('GET', path, undefined, 400, { filter: `number:eq:${planted('refused')}` });

  const wrong = Object.fromEntries(Object.keys(values()).map((slug) => [slug, { not: planted('refused') }]));
  const unknown = { [planted('unknownField')]: planted('refused'), option: planted('refused') };
  await admin('POST', path, { memberId, fieldValues: { ...wrong, ...unknown } }, 400);
  await admin('PUT', `${path}/${id}`, { fieldValues: { ...wrong, ...unknown } }, 400);

  await admin('POST', `${path}/${id}/retire`, { reason: planted('retiredReason') }, 200);
  await admin('PUT', `${path}/${id}`, changed, 409);

  const option = { fieldValues: { option: planted('fieldOption') } };
  const other = await admin('POST', path, { memberId, ...option });
  await admin('DELETE', `${path}/${other.id}`, undefined, 200);
  await moveRecords(stage, path);
}

/** Records exported and imported as they are, rows refused one by one, and files refused as a whole. */
async function moveRecords({ api, workspace, as }: Stage, path: string): Promise<void> {
  const table: string = await as()('GET', `${path}/export`);
  const send = importAs(api, workspace, workspace.admin);
  const { result } = await send(`${path}/import`, table);
  if (result.failed !== 0) throw new Error(`an export is not imported: ${result.errors?.join(' ')}`);

  const refused = planted('refused');
  const wrong = await send(
    `${path}/import`,
    `__externalId,__memberEmail,${fieldSlug},option\n${refused},${planted('refusedEmail')},${refused},${refused}\n`,
  );
  if (wrong.result.failed !== 1) throw new Error('a row with nothing right in it is imported');
  for (const file of [
    `${planted('unknownField')},${planted('refusedEmail')}\n`,
    `${fieldSlug}\n"${refused}" ${refused}\n`,
    `${fieldSlug}\n${refused},${refused}\n`,
  ]) {
    const { status } = await send(`${path}/import`, file);
    if (status !== 400) throw new Error(`a file that is none is answered ${status}`);
  }
}
