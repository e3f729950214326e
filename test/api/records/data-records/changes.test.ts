import { describe, expect, it } from 'vitest';
import { pointersOf } from '../../../support/api/call-as.js';
import { useRecords } from '../../../support/records/use-records.js';

const suite = useRecords();

describe('the changes of a record', () => {
  it('contain actor, time and values, newest first', async () => {
    const { path } = suite.collection;
    const { id } = (await suite.asMember('POST', path, { fieldValues: { reason: 'Cough' } })).body;
    await suite.asAdmin('PUT', `${path}/${id}`, { fieldValues: { since: '2024-01-01' } });

    const { status, body } = await suite.asMember('GET', `${path}/${id}/changes`);

    expect(status).toBe(200);
    const told = { id: expect.any(Number), recordId: id, createdAt: expect.any(String) };
    expect(body).toEqual({
      items: [
        {
          ...told,
          operation: 'updated',
          before: { reason: 'Cough' },
          after: { reason: 'Cough', since: '2024-01-01' },
          actorMemberId: suite.workspace.admin.memberId,
        },
        {
          ...told,
          operation: 'created',
          before: null,
          after: { reason: 'Cough' },
          actorMemberId: suite.workspace.member.memberId,
        },
      ],
      total: 2,
      page: 1,
      pageSize: 25,
      totalPages: 1,
    });
  });

  it('are paginated in both orders', async () => {
    const { path } = suite.collection;
    const { id } = (await suite.asAdmin('POST', path, { fieldValues: { reason: '0' } })).body;
    for (const reason of ['1', '2', '3', '4'])
      await suite.asAdmin('PUT', `${path}/${id}`, { fieldValues: { reason } });
    const page = async (query: Record<string, string | number>) => {
      const { body } = await suite.asAdmin('GET', `${path}/${id}/changes`, undefined, query);
      return { ...body, items: body.items.map(({ after }: { after: { reason: string } }) => after.reason) };
    };

    expect(await page({ pageSize: 2, page: 2 })).toEqual({
      items: ['2', '1'],
      total: 5,
      page: 2,
      pageSize: 2,
      totalPages: 3,
    });
    expect((await page({ pageSize: 2, sortOrder: 'asc' })).items).toEqual(['0', '1']);
  });

  it('return 404 for an unknown record and one of another type', async () => {
    const { id } = (await suite.asAdmin('POST', suite.collection.path, { fieldValues: { reason: 'A' } }))
      .body;

    expect((await suite.asAdmin('GET', `${suite.collection.path}/999999999/changes`)).status).toBe(404);
    expect((await suite.asAdmin('GET', `${suite.single.path}/${id}/changes`)).status).toBe(404);
  });

  it('are refused with an invalid page', async () => {
    const { id } = (await suite.asAdmin('POST', suite.collection.path, { fieldValues: { reason: 'A' } }))
      .body;

    const answer = await suite.asAdmin('GET', `${suite.collection.path}/${id}/changes`, undefined, {
      page: 0,
    });

    expect([answer.status, pointersOf(answer.body)]).toEqual([400, ['/page']]);
  });
});

describe('an update without a changed value', () => {
  it('creates no change entry and no event', async () => {
    const { path } = suite.collection;
    const { body } = await suite.asMember('POST', path, {
      fieldValues: { reason: 'Cough', contact: '(202) 555-0123' },
    });

    const answer = await suite.asMember('PUT', `${path}/${body.id}`, {
      fieldValues: { contact: '+1 202 555 0123', since: null },
    });

    expect(answer).toMatchObject({ status: 200, body: { updatedAt: body.updatedAt } });
    expect(await suite.countRows('data_record_changes', { record_id: body.id })).toBe(1);
    expect(await suite.eventsOf(body.id)).toHaveLength(2);
  });
});
