import { describe, expect, it } from 'vitest';
import { pointersOf } from '../../../support/api/call-as.js';
import { useRecords } from '../../../support/records/use-records.js';

const suite = useRecords();
const { workspace, asAdmin, asMember, create } = suite;
const changes = (id: number | string, query: Record<string, string | number> = {}, type = suite.collection) =>
  asAdmin('GET', `${type.path}/${id}/changes`, undefined, query);

describe('the changes of a record', () => {
  it('contain actor, time and values, newest first', async () => {
    const { path } = suite.collection;
    const { id } = await create(suite.collection, {}, asMember);
    await asAdmin('PUT', `${path}/${id}`, { fieldValues: { since: '2024-01-01' } });

    const { status, body } = await asMember('GET', `${path}/${id}/changes`);

    expect(status).toBe(200);
    const told = { id: expect.any(Number), recordId: id, createdAt: expect.any(String) };
    const before = { reason: 'Cough' };
    const after = { reason: 'Cough', since: '2024-01-01' };
    expect(body).toEqual({
      items: [
        { ...told, operation: 'updated', before, after, actorMemberId: workspace.admin.memberId },
        {
          ...told,
          operation: 'created',
          before: null,
          after: before,
          actorMemberId: workspace.member.memberId,
        },
      ],
      total: 2,
      page: 1,
      pageSize: 25,
      totalPages: 1,
    });
  });

  it('are paginated in both orders', async () => {
    const { id } = await create(suite.collection, { fieldValues: { reason: '0' } });
    for (const reason of ['1', '2', '3', '4']) {
      await asAdmin('PUT', `${suite.collection.path}/${id}`, { fieldValues: { reason } });
    }
    const page = async (query: Record<string, string | number>) => {
      const { body } = await changes(id, query);
      return { ...body, items: body.items.map(({ after }: { after: { reason: string } }) => after.reason) };
    };

    const second = { items: ['2', '1'], total: 5, page: 2, pageSize: 2, totalPages: 3 };
    expect(await page({ pageSize: 2, page: 2 })).toEqual(second);
    expect((await page({ pageSize: 2, sortOrder: 'asc' })).items).toEqual(['0', '1']);
  });

  it('return 404 for an unknown record and one of another type, and are refused with an invalid page', async () => {
    const { id } = await create(suite.collection);
    expect((await changes(999_999_999)).status).toBe(404);
    expect((await changes(id, {}, suite.single)).status).toBe(404);
    const { status, body } = await changes(id, { page: 0 });
    expect([status, pointersOf(body)]).toEqual([400, ['/page']]);
  });

  it('are not written, nor events, for an update without a changed value', async () => {
    const fieldValues = { reason: 'Cough', contact: '(202) 555-0123' };
    const { id, updatedAt } = await create(suite.collection, { fieldValues }, asMember);

    const same = { contact: '+1 202 555 0123', since: null };
    const answer = await asMember('PUT', `${suite.collection.path}/${id}`, { fieldValues: same });

    expect(answer).toMatchObject({ status: 200, body: { updatedAt } });
    expect(await suite.countRows('data_record_changes', { record_id: id })).toBe(1);
    expect(await suite.eventsOf(id)).toHaveLength(2);
  });
});
