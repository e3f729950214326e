import { beforeAll, describe, expect, it } from 'vitest';
import { callAs, pointersOf } from '../../../support/api/call-as.js';
import { useApi } from '../../../support/api/use-api.js';
import { addRecordType } from '../../../support/records/use-records.js';
import { addMember, createWorkspace } from '../../../support/workspace/factories.js';

let path: string;
/** The ids of the records by name. */
const ids = new Map<string, number>();

const options = ['Open', 'Closed', 'a,b'];
const indexed = [
  { slug: 'name', name: 'Name', fieldType: 'text' },
  { slug: 'status', name: 'Status', fieldType: 'select', options },
  { slug: 'score', name: 'Score', fieldType: 'number' },
  { slug: 'since', name: 'Since', fieldType: 'date' },
  { slug: 'seen', name: 'Seen', fieldType: 'datetime' },
  { slug: 'tags', name: 'Tags', fieldType: 'multiselect', options: ['red', 'blue', 'green'] },
  { slug: 'active', name: 'Active', fieldType: 'boolean' },
  { slug: 'contact', name: 'Contact', fieldType: 'phone' },
  { slug: 'mail', name: 'Mail', fieldType: 'email' },
  { slug: 'notes', name: 'Notes', fieldType: 'textarea' },
].map((field) => ({ ...field, shouldIndex: true }));
const fields = [...indexed, { slug: 'plain', name: 'Plain', fieldType: 'text' }];

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
  path = (await addRecordType(workspace, true, fields)).path;
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

async function expectRefused(query: string, pointer: string, message?: string) {
  const { status, body } = await asAdmin('GET', `${path}?${query}`);
  expect([status, pointersOf(body)]).toEqual([400, [pointer]]);
  if (message !== undefined) expect(body.errors[0].message).toBe(message);
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
    [`score:in:${[...Array(51).keys()]}`, 'At most 50 values may stand in a filter.'],
  ])('refuse %s', (text, message) => expectRefused(filters(text), '/filter', message));

  it('report which of several filters is wrong', () =>
    expectRefused(filters('score:gt:1', 'unknown:eq:1'), '/filter/1'));

  it.each(['status', 'status:is:open', ':eq:open', 'two words:eq:1'])(
    'refuse the malformed filter %s',
    (text) =>
      expectRefused(
        filters(text),
        '/filter',
        'must be <slug>:<operator>:<value>, with one of the operators eq, in, lt, lte, gt, gte, prefix, empty',
      ),
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
    const best = 'sortBy=field:score&sortOrder=desc';
    expect(await list(`${filters('status:eq:open')}&${best}`)).toEqual(['eve', 'ann', 'dan']);
    expect(await list(`${filters('score:gt:0')}&${best}`)).toEqual(['eve', 'bob', 'cleo']);
    const byName = await list(`${filters('tags:in:red,blue,green')}&sortBy=field:name`);
    expect(byName).toEqual(['ann', 'bob', 'cleo']);
  });

  it.each([
    ['score', 'must be one of: id, createdAt, updatedAt, field:<slug>'],
    ['field:tags', 'Tags holds several values: nothing is sorted by it.'],
    ['field:plain', 'Plain is not indexed: it needs shouldIndex.'],
    ['field:unknown', 'The data type has no such field.'],
  ])('refuses %s', (sortBy, message) => expectRefused(`sortBy=${sortBy}`, '/sortBy', message));

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
    const query = `search=open&${filters('score:empty:false')}&sortBy=field:score`;
    expect(await list(query)).toEqual(['ann', 'eve']);
  });

  it.each(['!!!', 'a b c d e f g h i j k'])('refuses %s', (search) =>
    expectRefused(`search=${encodeURIComponent(search)}`, '/search'),
  );

  it('is refused for a type without searchable fields', async () => {
    const numbers = await addRecordType(workspace, true, fields.slice(2, 3));

    const answer = await asAdmin('GET', `${numbers.path}?search=x`);

    expect([answer.status, pointersOf(answer.body)]).toEqual([400, ['/search']]);
  });
});

describe('a changed data record', () => {
  it('is found by its new values and not by its old ones', async () => {
    const fieldValues = { name: 'Gus', score: 77, tags: ['blue'] };
    const { id } = (await asAdmin('POST', path, { fieldValues })).body;
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
    const idsIn = ({ items }: { items: { id: number }[] }) => items.map(({ id }) => id);
    const add = async (memberId: number, accessMode: number) => {
      const fieldValues = { name: 'Own', score: 500 + accessMode };
      return (await asAdmin('POST', path, { fieldValues, memberId, accessMode })).body.id;
    };
    const mine = await add(plain.memberId, 0);
    const readOnly = await add(plain.memberId, 1);
    const hidden = await add(plain.memberId, 2);
    const shared = await add(workspace.admin.memberId, 3);
    const others = await add(workspace.admin.memberId, 0);

    const seen = async (query: string) => idsIn((await as(plain)('GET', `${path}?${query}`)).body);
    expect(await seen('')).toEqual([mine, readOnly, shared]);
    const best = `${filters('score:gte:500')}&sortBy=field:score&sortOrder=desc`;
    expect(await seen(best)).toEqual([shared, readOnly, mine]);
    expect(await seen(filters('status:eq:open'))).toEqual([]);
    expect(await seen(`memberId=${plain.memberId}`)).toEqual([mine, readOnly]);
    const all = await asAdmin('GET', `${path}?${filters('name:eq:own')}`);
    expect(idsIn(all.body)).toEqual([mine, readOnly, hidden, shared, others]);
  });

  it('excludes records of another workspace', async () => {
    const other = await createWorkspace(workspace.database);
    const type = await addRecordType(other, true, fields);

    const query = filters('status:eq:open');
    const answer = await callAs(api, other, other.admin)('GET', `${type.path}?${query}`);

    expect(answer.body).toMatchObject({ items: [], total: 0, totalIsExact: true });
  });
});
