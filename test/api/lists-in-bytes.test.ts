import { describe, expect, it } from 'vitest';
import { readChanges } from '../../domain/conversations/chat-events/read-changes.js';
import { updateDataRecord } from '../../domain/records/data-records/update-data-record.js';
import { createDataType } from '../../domain/records/data-types/create-data-type.js';
import { useApi } from '../support/api/use-api.js';
import { stageAssignment } from '../support/chats/staged-assignment.js';
import { addRecords } from '../support/records/add-records.js';
import { conversationTasks } from '../support/workspace/definitions.js';
import { addMember, randomTag, type TestMember } from '../support/workspace/factories.js';

const budget = 2 * 1_024 * 1_024;
/** The length of a row’s JSON apart from its values. */
const slack = 100_000;
const fields = Array.from({ length: 15 }, (_, index) => {
  return { slug: `text_${index}`, name: 'Text', fieldType: 'json' };
});
const largeValues = Object.fromEntries(fields.map(({ slug }) => [slug, 'x'.repeat(16_000)]));

const { workspace, asAdmin } = useApi();

const get = (path: string, query = {}) => asAdmin('GET', path, undefined, query);
const idsOf = (items: { id: number }[]) => items.map(({ id }) => id);

const addType = (isCollection = true, name = 'large', columns = fields) => {
  const type = { name, slug: `${name}-${randomTag()}`, isCollection, fields: columns };
  return createDataType(workspace.context(), type);
};

/** Adds records of 240 KB. @returns their ids */
async function addLarge(typeId: number, count: number, more: object = {}): Promise<number[]> {
  const ids: number[] = [];
  for (let left = count; left > 0; left -= 4) {
    const records = Array.from({ length: Math.min(4, left) }, () => ({ fieldValues: largeValues, ...more }));
    const saved = await addRecords(workspace, typeId, records);
    ids.push(...saved.flatMap((one) => (one.status === 'failed' ? [] : one.record.id)));
  }
  return ids;
}

/** Adds an assignment whose task has that many records of 240 KB. */
async function addLargeAssignment(typeId: number, member: TestMember, count: number) {
  const { assignmentId, task } = await stageAssignment(workspace, conversationTasks(), { member });
  const { id: assignmentTaskId } = await task('Ask');
  const ids = await addLarge(typeId, count, { memberId: member.memberId, assignmentTaskId });
  return { assignmentId, ids };
}

/** Adds a chat with twelve messages of 400 KB, which begin with their number. */
async function addLongChat(): Promise<{ workspaceId: number; chatId: number }> {
  const staged = await stageAssignment(workspace, conversationTasks());
  for (let index = 0; index < 12; index += 1) await staged.memberWrites(`${index} ${'é'.repeat(200_000)}`);
  return staged;
}

/** All items of a list, read in pages that get smaller once one is cut. */
async function readAll(path: string, query = {}): Promise<{ id: number }[]> {
  const items: { id: number }[] = [];
  for (let pageSize = 100; ; ) {
    const page = items.length / pageSize + 1;
    const { status, body } = await get(path, { ...query, pageSize, page });
    expect(status).toBe(200);
    expect(JSON.stringify(body).length).toBeLessThan(budget + slack);
    if (body.isCut === true) {
      expect(body.items.length).toBeGreaterThan(0);
      pageSize = 4;
      continue;
    }
    items.push(...body.items);
    if (items.length >= body.total) return items;
  }
}

describe('a list above the size limit of a response', () => {
  it('of records is cut and marked, and smaller pages return every record', async () => {
    const type = await addType();
    const ids = await addLarge(type.id, 12);
    const path = `/data-types/${type.id}/records`;
    const { body } = await get(path, { pageSize: 100 });

    expect(body).toMatchObject({ total: 12, totalPages: 1, isCut: true });
    expect(idsOf(body.items)).toEqual(ids.slice(0, 8));
    expect(idsOf(await readAll(path))).toEqual(ids);
    const filtered = await get(path, { pageSize: 100, memberId: workspace.admin.memberId });
    expect(filtered.body).toMatchObject({ total: 12, isCut: true });
  });

  it('of changes of a record is cut', async () => {
    const type = await addType();
    const [id = 0] = await addLarge(type.id, 1);
    for (let change = 0; change < 6; change += 1) {
      const fieldValues = { text_0: `${change}` };
      await updateDataRecord(workspace.context(), type.id, { id }, { fieldValues });
    }

    const { body } = await get(`/data-types/${type.id}/records/${id}/changes`, { pageSize: 100 });

    expect(body).toMatchObject({ total: 7, isCut: true });
    expect(body.items).toHaveLength(4);
    expect(JSON.stringify(body).length).toBeLessThan(budget);
  });

  it('of other rows is cut', async () => {
    const texts = { name: 'x'.repeat(200), description: 'x'.repeat(1_000), fieldType: 'text' };
    const columns = Array.from({ length: 180 }, (_, field) => ({ slug: `field_${field}`, ...texts }));
    for (let index = 0; index < 12; index += 1) await addType(true, 'wide', columns);

    const { body } = await get('/data-types', { search: 'wide-', pageSize: 100 });

    expect(body).toMatchObject({ total: 12, isCut: true });
    expect(body.items.length).toBeLessThan(12);
    expect(new Set(idsOf(await readAll('/data-types', { search: 'wide-' }))).size).toBe(12);
  });

  it('of messages ends early and can be continued', async () => {
    const path = `/chats/${(await addLongChat()).chatId}/messages`;

    const seen: string[] = [];
    for (;;) {
      const { body } = await get(path, { limit: 100, offset: seen.length });
      expect(Buffer.byteLength(JSON.stringify(body))).toBeLessThan(budget + slack);
      if (body.length === 0) break;
      seen.push(...body.map(({ content }: { content: string }) => content.split(' ')[0]));
    }

    expect(seen).toEqual(Array.from({ length: 12 }, (_, index) => String(11 - index)));
  });

  it('of chat changes is sent in several batches', async () => {
    const place = await addLongChat();

    const seen = [];
    for (let after = 0, parts = 0; ; parts += 1) {
      const batch = await readChanges(workspace.database, place, after);
      if (batch === undefined || batch.upTo === after) {
        expect(parts).toBeGreaterThan(1);
        break;
      }
      expect(Buffer.byteLength(JSON.stringify(batch.changes))).toBeLessThan(budget + slack);
      for (const change of batch.changes) {
        if (change.kind === 'message.created') seen.push(String(change.message.content).split(' ')[0]);
      }
      after = batch.upTo;
    }

    expect(seen).toEqual(Array.from({ length: 12 }, (_, index) => String(index)));
  });

  it('of assignments is cut by the size of their task records', async () => {
    const type = await addType();
    const member = await addMember(workspace);
    for (const count of [2, 6, 6]) await addLargeAssignment(type.id, member, count);

    const query = { memberId: member.memberId, sortBy: 'createdAt', sortOrder: 'asc', pageSize: 100 };
    const { body } = await get('/assignments', query);

    expect(body).toMatchObject({ total: 3, isCut: true });
    const counts = body.items.map(({ dataRecords }: { dataRecords: unknown[] }) => dataRecords.length);
    expect(counts).toEqual([2, 6]);
  });
});

describe('an assignment with too many records for one response', () => {
  it('contains the newest records and is marked as cut', async () => {
    const type = await addType();
    const member = await addMember(workspace);
    const { assignmentId, ids } = await addLargeAssignment(type.id, member, 10);

    const { body } = await get(`/assignments/${assignmentId}`);

    expect(body.dataRecordsAreCut).toBe(true);
    expect(idsOf(body.dataRecords)).toEqual(ids.slice(-8));
  });
});

describe('an export of large records', () => {
  it.each([
    ['', () => ({})],
    [' that filters', () => ({ memberId: workspace.admin.memberId })],
  ])('of a data type%s contains all records', async (_title, filter) => {
    const type = await addType();
    const ids = await addLarge(type.id, 20);

    const { body } = await get(`/data-types/${type.id}/records/export`, filter());

    expect([...String(body).matchAll(/^(\d+),/gm)].map(([, id]) => Number(id))).toEqual(ids);
  });

  it('of members contains every member', async () => {
    const type = await addType(false);
    const members = await Promise.all(Array.from({ length: 12 }, () => addMember(workspace)));
    for (const { memberId } of members) await addLarge(type.id, 1, { memberId });

    const { status, body } = await get('/members/export');

    expect(status).toBe(200);
    expect(String(body).split('\r\n').length).toBeGreaterThan(members.length);
    expect(String(body).match(/x{16000}/g)).toHaveLength(members.length * fields.length);
  });
});
