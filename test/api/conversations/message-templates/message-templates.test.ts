import { beforeAll, describe, expect, it } from 'vitest';
import { describeAccess } from '../../../support/api/access-cases.js';
import { pointersOf } from '../../../support/api/call-as.js';
import { useApi } from '../../../support/api/use-api.js';
import { addMember, randomTag } from '../../../support/workspace/factories.js';

const { api, workspace, otherWorkspace, asAdmin, asMember } = useApi();
const text = 'Hello {{member.name}}, we open at eight.';
const tagOf = () =>
  randomTag()
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '');
const create = (body: object = {}) =>
  asAdmin('POST', '/message-templates', { name: `Hours ${randomTag()}`, text, ...body });
const list = (query: string) => asAdmin('GET', `/message-templates?${query}`);
const namesOf = async (query: string) =>
  (await list(query)).body.items.map(({ name }: { name: string }) => name);

let id: number;
beforeAll(async () => {
  ({ id } = (await create()).body);
});

const reading = { scope: 'chats:write', needsPermission: true, namesItem: true } as const;
const writing = { scope: 'workspace:write', needsPermission: true, namesItem: true } as const;
describeAccess(
  { api, workspace, otherWorkspace },
  [
    'GET message templates',
    'POST message templates',
    'GET a message template',
    'PUT a message template',
    'DELETE a message template',
  ],
  () => [
    { ...reading, method: 'GET', path: '/message-templates', namesItem: false },
    {
      ...writing,
      method: 'POST',
      path: '/message-templates',
      body: { name: 'Hours', text },
      namesItem: false,
    },
    { ...reading, method: 'GET', path: `/message-templates/${id}` },
    { ...writing, method: 'PUT', path: `/message-templates/${id}`, body: { name: 'Opening hours' } },
    { ...writing, method: 'DELETE', path: `/message-templates/${id}` },
  ],
);

describe('message templates', () => {
  it('keep what is not changed, and lose a shortcut by null', async () => {
    const shortcut = `h${tagOf()}`;
    const translations = { de: 'Guten Tag, wir öffnen um acht.' };
    const created = await create({ name: 'Hours', shortcut, translations });
    expect(created).toMatchObject({ status: 201, body: { name: 'Hours', shortcut, text, translations } });

    const place = `/message-templates/${created.body.id}`;
    await asAdmin('PUT', place, { name: 'Opening hours' });
    expect((await asAdmin('GET', place)).body).toMatchObject({
      name: 'Opening hours',
      shortcut,
      translations,
    });
    await asAdmin('PUT', place, { shortcut: null, translations: {} });
    expect((await asAdmin('GET', place)).body).toMatchObject({ shortcut: null, text, translations: {} });
    expect(await asAdmin('DELETE', place)).toMatchObject({ status: 204 });
    expect(await asAdmin('GET', place)).toMatchObject({ status: 404 });
  });

  it('are found by name, shortcut and text', async () => {
    const [inName, inShortcut, inText] = [tagOf(), tagOf(), tagOf()];
    await create({ name: `Found ${inName}`, shortcut: `f${inShortcut}`, text: `Found by ${inText}.` });
    for (const part of [inName.toUpperCase(), inShortcut, inText])
      expect(await namesOf(`search=${part}`)).toEqual([`Found ${inName}`]);
    expect(await namesOf(`search=${tagOf()}`)).toEqual([]);
  });

  it('do not share a shortcut', async () => {
    const shortcut = `s${tagOf()}`;
    await create({ shortcut });
    const other = (await create()).body.id;
    for (const answer of [
      await create({ shortcut }),
      await asAdmin('PUT', `/message-templates/${other}`, { shortcut }),
    ])
      expect(answer).toMatchObject({
        status: 400,
        body: { code: 'duplicate', errors: [{ pointer: '/shortcut' }] },
      });
  });

  it('may use what not every member has', async () => {
    for (const expression of ['member.labels[0]', 'member.name.split(" ")[1]'])
      expect(await create({ text: `Hello {{${expression}}}` })).toMatchObject({ status: 201 });
  });

  it.each([
    ['a blank text', { text: '  ' }, '/text'],
    ['braces that are not closed', { text: 'Hello {{member.name' }, '/text'],
    ['an unknown field', { text: 'Hello {{member.nmae}}' }, '/text'],
    ['a record of the member', { text: '{{member.form_data.intake.pain}}' }, '/text'],
    ['the assignment', { text: '{{assignment.status}}' }, '/text'],
    ['the assignment, where it is not reached', { text: '{{true ? "" : assignment.status}}' }, '/text'],
    ['all that is known of the member', { text: '{{member}}' }, '/text'],
    [
      'expressions that take long',
      { text: '{{member.labels.map(one, one + member.name)}}'.repeat(20) },
      '/text',
    ],
    ['a wrong translation', { translations: { de: 'Guten Tag {{tasks.current}}' } }, '/translations/de'],
    ['no language', { translations: { German: 'Guten Tag' } }, '/translations/German'],
    ['a shortcut with a blank', { shortcut: 'opening hours' }, '/shortcut'],
  ])('refuse %s', async (_what, body, pointer) => {
    const answer = await create(body);
    expect(answer.status).toBe(400);
    expect(pointersOf(answer.body)).toEqual([pointer]);
    expect((await asAdmin('PUT', `/message-templates/${id}`, body)).status).toBe(400);
  });
});

describe('message templates for a chat', () => {
  const tag = tagOf();
  const chatOf = async (values: object) => {
    const { memberId } = await addMember(workspace, { values });
    return (await asAdmin('POST', '/chats', { channel: 'web-chat', memberId })).body.id;
  };
  const filledIn = async (chatId: number) =>
    (await list(`search=${tag}&chatId=${chatId}`)).body.items.map((item: { filled: string }) => item.filled);

  beforeAll(async () => {
    await create({
      text: `Hello {{member.name}} (${tag})`,
      translations: { de: 'Guten Tag {{member.name}}' },
    });
  });

  it('have the name of the member, without a markup of its own', async () => {
    expect(await filledIn(await chatOf({ name: 'Kim *Sample*', locale: 'en-US' }))).toEqual([
      `Hello Kim \\*Sample\\* (${tag})`,
    ]);
  });

  it('are in the language of the member', async () => {
    expect(await filledIn(await chatOf({ name: 'Kim', locale: 'de-AT' }))).toEqual(['Guten Tag Kim']);
    expect(await filledIn(await chatOf({ name: 'Kim', locale: 'fr' }))).toEqual([`Hello Kim (${tag})`]);
  });

  it('are not filled without a chat, nor for one that the caller may not read', async () => {
    const [item] = (await list(`search=${tag}`)).body.items;
    expect(item).not.toHaveProperty('filled');
    expect((await list('chatId=999999999')).status).toBe(404);
    const chatId = await chatOf({ name: 'Kim' });
    expect((await asMember('GET', `/message-templates?chatId=${chatId}`)).status).toBe(403);
  });
});
