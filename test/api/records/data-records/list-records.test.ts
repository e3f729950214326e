import { beforeAll, describe, expect, it } from 'vitest';
import { createDataType } from '../../../../domain/records/data-types/create-data-type.js';
import { callAs, pointersOf } from '../../../support/api/call-as.js';
import { useApi } from '../../../support/api/use-api.js';
import { addMember, createWorkspace, randomTag } from '../../../support/workspace/factories.js';

let path: string;
/** The ids of the records by name. */
const ids = new Map<string, number>();

const fields = [
  { slug: 'name', name: 'Name', fieldType: 'text', shouldIndex: true },
  {
    slug: 'status',
    name: 'Status',
    fieldType: 'select',
    options: ['Open', 'Closed', 'a,b'],
    shouldIndex: true,
  },
  { slug: 'score', name: 'Score', fieldType: 'number', shouldIndex: true },
  { slug: 'since', name: 'Since', fieldType: 'date', shouldIndex: true },
  { slug: 'seen', name: 'Seen', fieldType: 'datetime', shouldIndex: true },
  {
    slug: 'tags',
    name: 'Tags',
    fieldType: 'multiselect',
    options: ['red', 'blue', 'green'],
    shouldIndex: true,
  },
  { slug: 'active', name: 'Active', fieldType: 'boolean', shouldIndex: true },
  { slug: 'contact', name: 'Contact', fieldType: 'phone', shouldIndex: true },
  { slug: 'mail', name: 'Mail', fieldType: 'email', shouldIndex: true },
  { slug: 'notes', name: 'Notes', fieldType: 'textarea', shouldIndex: true },
  { slug: 'plain', name: 'Plain', fieldType: 'text' },
];

const long = `long ${'x'.repeat(900)}`;
const records = {
  ann: { name: 'Ann Berg', status: 'Open', score: -1.5, since: '2030-01-01', tags: ['red'], active: true },
  bob: { name: 'bob Carlsen', status: 'Closed', score: 10, since: '2030-02-01', tags: ['red', 'blue'] },
  cleo: {
    name: 'CLEO Jürgens',
    status: 'a,b',
    score: 9,
    since: '2031-01-01',
    tags: ['green'],
    active: false,
  },
  dan: { name: 'Dan', status: 'Open', contact: '+12025550123', mail: 'dan@example.org', notes: 'Likes tea' },
  eve: { name: `${long}a`, status: 'Open', score: 1e21, seen: '2030-01-01T12:00:00+02:00', plain: 'x' },
  finn: { name: `${long}b`, seen: '2030-01-01T10:30:00Z' },
};

const { api, workspace, as, asAdmin } = useApi();

beforeAll(async () => {
  const slug = `people-${randomTag()}`;
  const { id } = await createDataType(workspace.context(), { name: 'P', slug, isCollection: true, fields });
  path = `/data-types/${id}/records`;
  for (const [name, fieldValues] of Object.entries(records)) {
    ids.set(name, (await asAdmin('POST', path, { fieldValues })).body.id);
  }
});

/** The names of the records of a response, in its order. */
async function list(query: string): Promise<string[]> {
  const answer = await asAdmin('GET', `${path}?${query}`);
  expect([answer.status, answer.body.detail]).toEqual([200, undefined]);
  const names = new Map([...ids].map(([name, id]) => [id, name]));
  const found: string[] = answer.body.items.map(({ id }: { id: number }) => names.get(id) ?? 'another');
  expect(answer.body.total).toBe(found.length);
  return found;
}

const filters = (...texts: string[]) => texts.map((text) => `filter=${encodeURIComponent(text)}`).join('&');

describe('the filters of a record list', () => {
  it.each([
    [['status:eq:open'], ['ann', 'dan', 'eve']],
    [['status:eq:OPEN'], ['ann', 'dan', 'eve']],
    [['status:eq:nothing'], []],
    [['status:in:closed,a\\,b'], ['bob', 'cleo']],
    [['status:empty:true'], ['finn']],
    [['status:empty:false', 'score:empty:true'], ['dan']],
    [['score:eq:-1.5'], ['ann']],
    [['score:in:9,10'], ['bob', 'cleo']],
    [['score:gt:9'], ['bob', 'eve']],
    [
      ['score:gte:9', 'score:lt:1e21'],
      ['bob', 'cleo'],
    ],
    [['score:lte:9'], ['ann', 'cleo']],
    [['since:gte:2030-02-01'], ['bob', 'cleo']],
    [['since:prefix:2030'], ['ann', 'bob']],
    [['seen:eq:2030-01-01T11:00:00+01:00'], ['eve']],
    [['seen:gt:2030-01-01T10:15:00Z'], ['finn']],
    [['tags:eq:red'], ['ann', 'bob']],
    [['tags:in:blue,red'], ['ann', 'bob']],
    [['tags:eq:red', 'tags:eq:blue'], ['bob']],
    [['tags:prefix:r'], ['ann', 'bob']],
    [['active:eq:true'], ['ann']],
    [['active:eq:false'], ['cleo']],
    [['contact:eq:(202) 555-0123'], ['dan']],
    [['contact:prefix:+1202'], ['dan']],
    [['mail:eq:DAN@example.org'], ['dan']],
    [['name:eq:ann  berg'], ['ann']],
    [['name:prefix:b'], ['bob']],
    [['name:lt:c'], ['ann', 'bob']],
    [[`name:eq:${long}a`], ['eve']],
    [[`name:prefix:${long}`], ['eve', 'finn']],
    [['status:eq:open', 'score:gt:0', 'name:prefix:long'], ['eve']],
  ])('select for %j: %j', async (texts, found) => {
    expect(await list(filters(...texts))).toEqual(found);
  });

  it.each([
    ['unknown:eq:1', 'The data type has no such field.'],
    ['plain:eq:x', 'Plain is not indexed: it needs shouldIndex.'],
    ['score:eq:seven', 'Score must be a number'],
    ['score:prefix:1', 'Score has no texts that begin with this.'],
    ['since:lt:yesterday', 'Since must be a date as YYYY-MM-DD'],
    ['active:eq:1', 'Active must be true or false'],
    ['contact:eq:home', 'Contact must be a phone number'],
    ['status:empty:maybe', 'empty is true or false.'],
    [
      `score:in:${Array.from({ length: 51 }, (_, index) => index)}`,
      'At most 50 values may stand in a filter.',
    ],
  ])('refuse %s', async (text, message) => {
    const answer = await asAdmin('GET', `${path}?${filters(text)}`);

    expect(answer).toMatchObject({ status: 400, body: { errors: [{ pointer: '/filter', message }] } });
  });

  it('report which of several filters is wrong', async () => {
    const answer = await asAdmin('GET', `${path}?${filters('score:gt:1', 'unknown:eq:1')}`);

    expect([answer.status, pointersOf(answer.body)]).toEqual([400, ['/filter/1']]);
  });

  it.each(['status', 'status:is:open', ':eq:open', 'two words:eq:1'])(
    'refuse the malformed filter %s',
    async (text) => {
      const answer = await asAdmin('GET', `${path}?${filters(text)}`);

      expect([answer.status, pointersOf(answer.body)]).toEqual([400, ['/filter']]);
    },
  );

  it('treat SQL as plain text', async () => {
    expect(await list(filters(`name:eq:' or true --`))).toEqual([]);
    expect(await list(filters('name:prefix:%'))).toEqual([]);
    expect(await list(filters('name:eq:?'))).toEqual([]);
  });
});

describe('the order of a record list', () => {
  it.each([
    ['id', 'desc', ['finn', 'eve', 'dan', 'cleo', 'bob', 'ann']],
    ['createdAt', 'asc', ['ann', 'bob', 'cleo', 'dan', 'eve', 'finn']],
    ['updatedAt', 'desc', ['finn', 'eve', 'dan', 'cleo', 'bob', 'ann']],
    ['field:score', 'asc', ['ann', 'cleo', 'bob', 'eve', 'dan', 'finn']],
    ['field:score', 'desc', ['eve', 'bob', 'cleo', 'ann', 'finn', 'dan']],
    ['field:seen', 'asc', ['eve', 'finn', 'ann', 'bob', 'cleo', 'dan']],
    ['field:status', 'asc', ['cleo', 'bob', 'ann', 'dan', 'eve', 'finn']],
  ])('is correct for %s %s', async (sortBy, sortOrder, found) => {
    expect(await list(`sortBy=${sortBy}&sortOrder=${sortOrder}`)).toEqual(found);
  });

  it('combines with filters', async () => {
    expect(await list(`${filters('status:eq:open')}&sortBy=field:score&sortOrder=desc`)).toEqual([
      'eve',
      'ann',
      'dan',
    ]);
    expect(await list(`${filters('score:gt:0')}&sortBy=field:score&sortOrder=desc`)).toEqual([
      'eve',
      'bob',
      'cleo',
    ]);
    expect(await list(`${filters('tags:in:red,blue,green')}&sortBy=field:name`)).toEqual([
      'ann',
      'bob',
      'cleo',
    ]);
  });

  it.each([
    ['field:tags', 'Tags holds several values: nothing is sorted by it.'],
    ['field:plain', 'Plain is not indexed: it needs shouldIndex.'],
    ['field:unknown', 'The data type has no such field.'],
  ])('refuses %s', async (sortBy, message) => {
    const answer = await asAdmin('GET', `${path}?sortBy=${sortBy}`);

    expect(answer).toMatchObject({ status: 400, body: { errors: [{ pointer: '/sortBy', message }] } });
  });

  it('is stable over pages, without gaps or duplicates', async () => {
    const pages = await Promise.all(
      [1, 2, 3, 4].map(async (page) => {
        const query = `sortBy=field:score&sortOrder=desc&pageSize=2&page=${page}`;
        const { body } = await asAdmin('GET', `${path}?${query}`);
        expect(body).toMatchObject({ total: 6, totalIsExact: true, totalPages: 3, page, pageSize: 2 });
        return body.items.map(({ id }: { id: number }) => id);
      }),
    );

    const expected = ['eve', 'bob', 'cleo', 'ann', 'finn', 'dan'].map((name) => ids.get(name));
    expect(pages).toEqual([expected.slice(0, 2), expected.slice(2, 4), expected.slice(4), []]);
  });

  it('is limited to the first 10,000 records', async () => {
    expect((await asAdmin('GET', `${path}?page=100&pageSize=100`)).status).toBe(200);
    const answer = await asAdmin('GET', `${path}?page=101&pageSize=100`);

    expect([answer.status, pointersOf(answer.body)]).toEqual([400, ['/page']]);
    expect(answer.body.detail).toMatch(/createdFrom.*export/);
  });
});

describe('the search of a record list', () => {
  it.each([
    ['berg', ['ann']],
    ['BER', ['ann']],
    ['erg', []],
    ['ann berg', ['ann']],
    ['berg carl', []],
    ['jurg', ['cleo']],
    ['Jürgens', ['cleo']],
    ['dan@example.org', ['dan']],
    ['tea', ['dan']],
    ['open', ['ann', 'dan', 'eve']],
    ['red blu', ['bob']],
    ['l', ['dan', 'eve', 'finn']],
  ])('for %s finds %j', async (search, found) => {
    expect(await list(`search=${encodeURIComponent(search)}`)).toEqual(found);
  });

  it('combines with filters and another order', async () => {
    expect(await list(`search=open&${filters('score:empty:false')}&sortBy=field:score`)).toEqual([
      'ann',
      'eve',
    ]);
  });

  it.each(['!!!', 'a b c d e f g h i j k'])('refuses %s', async (search) => {
    const answer = await asAdmin('GET', `${path}?search=${encodeURIComponent(search)}`);

    expect([answer.status, pointersOf(answer.body)]).toEqual([400, ['/search']]);
  });

  it('is refused for a type without searchable fields', async () => {
    const type = { name: 'N', slug: `numbers-${randomTag()}`, isCollection: true, fields: [fields[2]] };
    const { id } = (await asAdmin('POST', '/data-types', type)).body;

    const answer = await asAdmin('GET', `/data-types/${id}/records?search=x`);

    expect([answer.status, pointersOf(answer.body)]).toEqual([400, ['/search']]);
  });
});

describe('a changed data record', () => {
  it('is found by its new values and not by its old ones', async () => {
    const { id } = (await asAdmin('POST', path, { fieldValues: { name: 'Gus', score: 77, tags: ['blue'] } }))
      .body;
    ids.set('gus', id);

    await asAdmin('PUT', `${path}/${id}`, { fieldValues: { score: 78, tags: ['green'] } });
    expect(await list(filters('score:eq:77'))).toEqual([]);
    expect(await list(filters('score:eq:78', 'tags:eq:green', 'name:eq:gus'))).toEqual(['gus']);
    await asAdmin('PUT', `${path}/${id}`, { fieldValues: { score: null } });
    expect(await list(filters('score:empty:true', 'name:eq:gus'))).toEqual(['gus']);

    await asAdmin('DELETE', `${path}/${id}`);
    ids.delete('gus');
    expect(await list(filters('name:eq:gus'))).toEqual([]);
  });

  it('is found by its creation and update time', async () => {
    const { createdAt } = (await asAdmin('GET', `${path}/${ids.get('cleo')}`)).body;

    expect(await list(`createdFrom=${createdAt}`)).toEqual(['cleo', 'dan', 'eve', 'finn']);
    expect(await list(`createdBefore=${createdAt}&sortBy=createdAt&sortOrder=desc`)).toEqual(['bob', 'ann']);
    expect(await list(`updatedFrom=${createdAt}&${filters('status:eq:open')}`)).toEqual(['dan', 'eve']);
    expect(await list(`updatedBefore=${createdAt}`)).toEqual(['ann', 'bob']);
    expect((await asAdmin('GET', `${path}?createdFrom=yesterday`)).status).toBe(400);
  });
});

describe('the visibility of a record list', () => {
  it('covers the caller’s own and the shared records with the same filters', async () => {
    const plain = await addMember(workspace, { role: workspace.roles.member });
    const asPlain = as(plain);
    const add = async (memberId: number, accessMode: number) => {
      const fieldValues = { name: 'Own', score: 500 + accessMode };
      const { id } = (await asAdmin('POST', path, { fieldValues, memberId })).body;
      await workspace.database.inWorkspace(workspace.workspaceId, (tx) =>
        tx('data_records').where({ id }).update({ access_mode: accessMode }),
      );
      return id;
    };
    const mine = await add(plain.memberId, 0);
    const readOnly = await add(plain.memberId, 1);
    const hidden = await add(plain.memberId, 2);
    const shared = await add(workspace.admin.memberId, 3);
    const others = await add(workspace.admin.memberId, 0);

    const seen = async (query: string) =>
      (await asPlain('GET', `${path}?${query}`)).body.items.map(({ id }: { id: number }) => id);
    expect(await seen('')).toEqual([mine, readOnly, shared]);
    expect(await seen(`${filters('score:gte:500')}&sortBy=field:score&sortOrder=desc`)).toEqual([
      shared,
      readOnly,
      mine,
    ]);
    expect(await seen(filters('status:eq:open'))).toEqual([]);
    expect(await seen(`memberId=${plain.memberId}`)).toEqual([mine, readOnly]);
    const all = (await asAdmin('GET', `${path}?${filters('name:eq:own')}`)).body;
    expect(all.items.map(({ id }: { id: number }) => id)).toEqual([mine, readOnly, hidden, shared, others]);
  });

  it('excludes records of another workspace', async () => {
    const other = await createWorkspace(workspace.database);
    const slug = `people-${randomTag()}`;
    const type = await createDataType(other.context(), { name: 'P', slug, isCollection: true, fields });
    const asOther = callAs(api, other, other.admin);

    const answer = await asOther('GET', `/data-types/${type.id}/records?${filters('status:eq:open')}`);

    expect(answer.body).toMatchObject({ items: [], total: 0, totalIsExact: true });
  });
});
