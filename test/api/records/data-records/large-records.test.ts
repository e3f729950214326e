import { expect, it } from 'vitest';
import { createDataType } from '../../../../domain/records/data-types/create-data-type.js';
import { importAs } from '../../../support/records/import-records.js';
import { useRecords } from '../../../support/records/use-records.js';
import { randomTag } from '../../../support/workspace/factories.js';

const suite = useRecords();

it('limits the size of a data record over all requests, and re-imports its export unchanged', async () => {
  const slugs = Array.from({ length: 30 }, (_, index) => `note-${index}`);
  const { id: typeId } = await createDataType(suite.workspace.context(), {
    name: 'Notes',
    slug: `notes-${randomTag()}`,
    isCollection: true,
    fields: slugs.map((slug) => ({ slug, name: slug, fieldType: 'textarea' })),
  });
  const path = `/data-types/${typeId}/records`;
  // A quote grows most in a CSV file.
  const valuesOf = (from: number, to: number) =>
    Object.fromEntries(slugs.slice(from, to).map((slug) => [slug, '"'.repeat(10_000)]));
  const { id } = (await suite.asAdmin('POST', path, { fieldValues: valuesOf(0, 6) })).body;
  const put = (fieldValues: object) => suite.asAdmin('PUT', `${path}/${id}`, { fieldValues });

  expect((await put(valuesOf(6, 12))).status).toBe(200);
  expect(await put(valuesOf(12, 18))).toMatchObject({
    status: 400,
    body: { code: 'record_too_large', errors: [{ pointer: '/fieldValues' }] },
  });
  expect((await put({ 'note-0': null, 'note-20': 'short' })).status).toBe(200);

  const file = (await suite.asAdmin('GET', `${path}/export`)).body;
  const { result } = await importAs(
    suite.api,
    suite.workspace,
    suite.workspace.admin,
  )(`${path}/import`, file);
  expect(result).toMatchObject({ unchanged: 1, failed: 0 });
});
