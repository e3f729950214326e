import { describe, expect, it } from 'vitest';
import { weekdays } from '../../../domain/channels/outreach/quiet-hours.js';
import { allScopes } from '../../../domain/kernel/scopes.js';
import { startApi, type TestApi } from '../../support/api/api.js';
import { openBrowser } from '../../support/api/browser.js';
import { useApi } from '../../support/api/use-api.js';
import { addPhoneNumber } from '../../support/workspace/definitions.js';
import { addApiKey, addMember, uniqueEmail } from '../../support/workspace/factories.js';

const { api, workspace, otherWorkspace: other, asAdmin, asMember } = useApi();

describe('the policy for creating workspaces', () => {
  const create = (on: Pick<TestApi, 'request'>, request: object = {}) =>
    on.request('POST', '/workspaces', { body: { name: 'Own' }, ...request });

  it('restricts creation to signed-in superusers if configured', async () => {
    const closed = await startApi(workspace.database, { policy: { workspaceCreation: 'superusers' } });
    try {
      const denied = { status: 403, body: { code: 'superuser_required' } };
      expect(await create(closed, { apiKey: workspace.admin.apiKey })).toMatchObject(denied);
      const email = uniqueEmail();
      const account = await workspace.database.identity.accounts.create({ email });
      const browser = openBrowser(closed);
      await browser.signIn({ email });
      expect(await create(browser)).toMatchObject(denied);

      await workspace.database.identity.accounts.update(account.id, { isSuperuser: true });

      expect(await create(browser)).toMatchObject({ status: 201 });
      const apiKey = await addApiKey(workspace.database, account.id);
      expect(await create(closed, { apiKey })).toMatchObject(denied);
    } finally {
      await closed.close();
    }
  });

  it('limits the workspaces of an account, also for concurrent requests', async () => {
    const bounded = await startApi(workspace.database, { policy: { workspacesPerAccount: 2 } });
    try {
      const { apiKey } = await addMember(workspace, { scopes: allScopes });
      const answers = await Promise.all(Array.from({ length: 6 }, () => create(bounded, { apiKey })));
      expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 409, 409, 409, 409]);
      expect(answers.find(({ status }) => status === 409)).toMatchObject({
        body: { code: 'too_many_workspaces' },
      });
    } finally {
      await bounded.close();
    }
  });
});

describe('POST /workspaces', () => {
  it('creates a workspace with the caller as its admin', async () => {
    const { apiKey } = workspace.admin;
    const body = { name: 'Harbour Clinic', defaultRegion: 'AT', timezone: 'Europe/Vienna', locale: 'de-AT' };
    const answer = await api.request('POST', '/workspaces', { apiKey, body });
    expect(answer).toMatchObject({ status: 201, body: { ...body, slug: 'harbour-clinic' } });
    const path = `/w/${answer.body.uuid}`;
    // The answer of GET alone has `hold`.
    expect((await api.request('GET', path, { apiKey })).body).toMatchObject(answer.body);
    expect(await api.request('PUT', path, { apiKey, body: { name: 'Harbour' } })).toMatchObject({
      status: 200,
    });
  });

  it('creates the roles Admin and Member', async () => {
    const { apiKey } = workspace.admin;
    const { body } = await api.request('POST', '/workspaces', { apiKey, body: { name: 'Roles' } });
    const roles = await api.request('GET', `/w/${body.uuid}/member-roles`, { apiKey });
    expect(roles.body).toMatchObject([
      { name: 'Admin', useAdmin: true, manageWorkspace: true },
      { name: 'Member', useAdmin: false, manageWorkspace: false, permissions: [] },
    ]);
  });

  it('derives a unique slug if the name is taken', async () => {
    const { apiKey } = workspace.admin;
    const body = { name: 'Twice Named' };
    const first = await api.request('POST', '/workspaces', { apiKey, body });
    const second = await api.request('POST', '/workspaces', { apiKey, body });
    expect(first.body.slug).toBe('twice-named');
    expect(second.body.slug).toMatch(/^twice-named-[0-9a-f]{8}$/);
  });

  it('refuses a taken slug', async () => {
    const { apiKey } = workspace.admin;
    await api.request('POST', '/workspaces', { apiKey, body: { name: 'A', slug: 'taken-slug' } });
    const answer = await api.request('POST', '/workspaces', {
      apiKey,
      body: { name: 'B', slug: 'taken-slug' },
    });
    expect(answer).toMatchObject({
      status: 400,
      body: { code: 'duplicate', errors: [{ pointer: '/slug' }] },
    });
  });

  it.each([
    [{}, '/name'],
    [{ name: '' }, '/name'],
    [{ name: '  ' }, '/name'],
    [{ name: 'A', slug: 'No Slug' }, '/slug'],
    [{ name: 'A', defaultRegion: 'XX' }, '/defaultRegion'],
    [{ name: 'A', defaultRegion: 'usa' }, '/defaultRegion'],
    [{ name: 'A', timezone: 'Nowhere' }, '/timezone'],
    [{ name: 'A', locale: '??' }, '/locale'],
    [{ name: 'A', id: 1 }, '/id'],
  ])('refuses %j', async (body, pointer) => {
    const answer = await api.request('POST', '/workspaces', { apiKey: workspace.admin.apiKey, body });
    expect([answer.status, answer.body.errors[0].pointer]).toEqual([400, pointer]);
  });

  it('rejects a key that is restricted to one workspace', async () => {
    const apiKey = await addApiKey(workspace.database, workspace.admin.accountId, {
      workspaceId: workspace.workspaceId,
    });
    const answer = await api.request('POST', '/workspaces', { apiKey, body: { name: 'A' } });
    expect(answer).toMatchObject({ status: 403 });
  });

  it('returns 401 without credentials and 403 without the scope', async () => {
    expect(await api.request('POST', '/workspaces', { body: { name: 'A' } })).toMatchObject({ status: 401 });
    const { apiKey } = workspace.member;
    const answer = await api.request('POST', '/workspaces', { apiKey, body: { name: 'A' } });
    expect(answer).toMatchObject({ status: 403 });
  });
});

describe('GET /workspaces', () => {
  it('lists the caller’s workspaces and no others', async () => {
    const answer = await api.request('GET', '/workspaces', { apiKey: workspace.member.apiKey });
    expect(answer).toMatchObject({ status: 200, body: { total: 1, page: 1, pageSize: 25, totalPages: 1 } });
    expect(answer.body.items).toMatchObject([{ uuid: workspace.workspaceUuid }]);
  });

  it('paginates in a stable order', async () => {
    const lone = await addMember(other);
    const apiKey = await addApiKey(workspace.database, lone.accountId);
    for (const name of ['B list', 'A list', 'C list'])
      await api.request('POST', '/workspaces', { apiKey, body: { name } });
    const query = { pageSize: 2, page: 2, sortBy: 'name', sortOrder: 'asc' };
    const answer = await api.request('GET', '/workspaces', { apiKey, query });
    expect(answer.body).toMatchObject({ total: 4, totalPages: 2, page: 2, items: [{ name: 'C list' }, {}] });
  });

  it('lists only the workspace to which the key is restricted', async () => {
    const lone = await addMember(other);
    const all = await addApiKey(workspace.database, lone.accountId);
    await api.request('POST', '/workspaces', { apiKey: all, body: { name: 'More' } });
    const apiKey = await addApiKey(workspace.database, lone.accountId, { workspaceId: other.workspaceId });
    const answer = await api.request('GET', '/workspaces', { apiKey });
    expect(answer.body.items).toMatchObject([{ id: other.workspaceId }]);
  });
});

describe('GET /w/{workspace_uuid}', () => {
  it('returns the workspace to any member', async () => {
    const answer = await api.request('GET', workspace.path(''), { apiKey: workspace.member.apiKey });
    expect(answer).toMatchObject({
      status: 200,
      body: { id: workspace.workspaceId, uuid: workspace.workspaceUuid },
    });
  });
});

describe('PUT /w/{workspace_uuid}', () => {
  it('changes the given fields and keeps the rest', async () => {
    const { hold: _, ...before } = (await asAdmin('GET', '')).body;
    const answer = await asAdmin('PUT', '', { timezone: 'Asia/Tokyo' });
    expect(answer.body).toEqual({ ...before, timezone: 'Asia/Tokyo', updatedAt: answer.body.updatedAt });
  });

  it('refuses a taken slug', async () => {
    const { slug } = (await api.request('GET', other.path(''), { apiKey: other.admin.apiKey })).body;
    const answer = await asAdmin('PUT', '', { slug });
    expect(answer).toMatchObject({ status: 400, body: { errors: [{ pointer: '/slug' }] } });
  });

  it('sets and lifts how long chats and files are kept, within bounds', async () => {
    const put = (body: object) => asAdmin('PUT', '', body);
    expect((await put({ chatRetentionDays: 365, fileRetentionDays: 7 })).body).toMatchObject({
      chatRetentionDays: 365,
      fileRetentionDays: 7,
    });
    expect((await put({ fileRetentionDays: null })).body).toMatchObject({
      chatRetentionDays: 365,
      fileRetentionDays: null,
    });
    for (const chatRetentionDays of [6, 3_651, 0.5, '30']) {
      expect(await put({ chatRetentionDays })).toMatchObject({
        status: 400,
        body: { errors: [{ pointer: '/chatRetentionDays' }] },
      });
    }
    expect((await put({ chatRetentionDays: null })).body.chatRetentionDays).toBeNull();
  });

  it('says which countries are called, until it leaves that to the number', async () => {
    const put = (callCountries: unknown) => asAdmin('PUT', '', { callCountries });
    expect((await asAdmin('GET', '')).body.callCountries).toBeNull();
    expect((await put(['US', 'CA'])).body.callCountries).toEqual(['US', 'CA']);
    for (const wrong of [['us'], ['ZZ'], ['USA'], 'US']) expect((await put(wrong)).status).toBe(400);
    expect((await put(null)).body.callCountries).toBeNull();
  });

  it('says how often a number is called within a day, within bounds', async () => {
    const put = (callsPerDay: unknown) => asAdmin('PUT', '', { callsPerDay });
    expect((await asAdmin('GET', '')).body.callsPerDay).toBe(5);
    expect((await put(2)).body.callsPerDay).toBe(2);
    for (const wrong of [0, 21, 2.5, 'often']) {
      expect(await put(wrong)).toMatchObject({
        status: 400,
        body: { errors: [{ pointer: '/callsPerDay' }] },
      });
    }
    expect((await put(5)).body.callsPerDay).toBe(5);
  });

  it('says where texts are begun to, and how many texts and calls a day', async () => {
    expect((await asAdmin('GET', '')).body).toMatchObject({
      smsCountries: null,
      smsPerDay: 10_000,
      workspaceCallsPerDay: 1_000,
    });
    const told = { smsCountries: ['US', 'CA'], smsPerDay: 5, workspaceCallsPerDay: 7 };
    expect((await asAdmin('PUT', '', told)).body).toMatchObject(told);
    for (const [name, wrong] of [
      ['smsCountries', ['XX']],
      ['smsPerDay', 0],
      ['smsPerDay', 100_001],
      ['workspaceCallsPerDay', 10_001],
    ] as const) {
      const pointer = expect.stringContaining(`/${name}`);
      expect(await asAdmin('PUT', '', { [name]: wrong })).toMatchObject({
        status: 400,
        body: { errors: [{ pointer }] },
      });
    }
    const usual = { smsCountries: null, smsPerDay: 10_000, workspaceCallsPerDay: 1_000 };
    expect((await asAdmin('PUT', '', usual)).status).toBe(200);
  });

  it('says whether calls are recorded, and for how long that is kept', async () => {
    const put = (body: object) => asAdmin('PUT', '', body);
    expect((await asAdmin('GET', '')).body).toMatchObject({
      recordCalls: true,
      recordingRetentionDays: null,
    });
    const changed = { recordCalls: false, recordingRetentionDays: 90 };
    expect((await put(changed)).body).toMatchObject(changed);
    expect((await put({ recordCalls: 'no' })).status).toBe(400);
    expect((await put({ recordingRetentionDays: 6 })).status).toBe(400);
    await put({ recordCalls: true, recordingRetentionDays: null });
  });

  it('says what callers hear before a recording, by language, and whether they are asked', async () => {
    const put = (body: object) => asAdmin('PUT', '', body);
    expect((await asAdmin('GET', '')).body).toMatchObject({
      recordingNotice: null,
      recordingConsent: 'notice',
    });
    const recordingNotice = { 'de-at': { text: ' Wir zeichnen auf. ' }, en: { text: 'A', question: 'B' } };
    expect((await put({ recordingNotice, recordingConsent: 'ask' })).body).toMatchObject({
      recordingNotice: { 'de-AT': { text: 'Wir zeichnen auf.' }, en: { text: 'A', question: 'B' } },
      recordingConsent: 'ask',
    });
    const wrong = {
      '/recordingNotice/no language': { 'no language': { text: 'A' } },
      '/recordingNotice/de-de': { 'de-DE': { text: 'A' }, 'de-de': { text: 'B' } },
      '/recordingNotice/en': { en: { text: '  ' } },
      '/recordingNotice/en/text': { en: { text: 'x'.repeat(301) } },
    };
    for (const [pointer, given] of Object.entries(wrong)) {
      expect(await put({ recordingNotice: given })).toMatchObject({
        status: 400,
        body: { errors: [{ pointer }] },
      });
    }
    expect((await put({ recordingConsent: 'never' })).status).toBe(400);
    const usual = { recordingNotice: null, recordingConsent: 'notice' };
    expect((await put(usual)).body).toMatchObject(usual);
  });

  it('says how callers prove who they are, by what is stored', async () => {
    const put = (voiceIdentity: unknown) => asAdmin('PUT', '', { voiceIdentity });
    expect((await asAdmin('GET', '')).body.voiceIdentity).toBeNull();
    const questions = [{ memberField: 'dateOfBirth' }, { memberField: 'externalId' }];
    expect((await put({ method: 'questions', questions })).body.voiceIdentity).toEqual({
      method: 'questions',
      questions,
      required: 2,
      triesPerCall: 3,
      triesPerDay: 6,
    });
    const wrong: [string, object][] = [
      ['/voiceIdentity/questions', { method: 'questions' }],
      ['/voiceIdentity/required', { method: 'questions', questions, required: 3 }],
      ['/voiceIdentity/triesPerCall', { method: 'questions', questions, triesPerCall: 6 }],
      ['/voiceIdentity/questions/1', { method: 'questions', questions: [questions[0], questions[0]] }],
      ['/voiceIdentity/questions/0', { method: 'questions', questions: [{}] }],
      ['/voiceIdentity/questions/0', { method: 'questions', questions: [{ dataTypeSlug: 'a' }] }],
      [
        '/voiceIdentity/questions/0/memberField',
        { method: 'questions', questions: [{ memberField: 'phone' }] },
      ],
      [
        '/voiceIdentity/questions/0/dataTypeSlug',
        { method: 'questions', questions: [{ dataTypeSlug: 'nothing', fieldSlug: 'here' }] },
      ],
    ];
    for (const [pointer, given] of wrong) {
      expect(await put(given)).toMatchObject({ status: 400, body: { errors: [{ pointer }] } });
    }
    expect((await put({ method: 'none', required: 3 })).body.voiceIdentity).toEqual({ method: 'none' });
    expect((await put(null)).body.voiceIdentity).toBeNull();
  });

  it('says who is told of waiting chats, with defaults, until it says that nobody is', async () => {
    const put = (handoffNotices: unknown) => asAdmin('PUT', '', { handoffNotices });
    expect((await asAdmin('GET', '')).body.handoffNotices).toBeNull();
    const memberRoleIds = [workspace.roles.admin.id];
    const stored = {
      channels: ['email'],
      memberRoleIds,
      memberIds: [],
      reasons: ['handoff', 'approval'],
      everyMinutes: 15,
      heldEmails: true,
      phoneNumberId: null,
      queueUrl: null,
    };
    expect(await put({ channels: ['email'], memberRoleIds })).toMatchObject({
      status: 200,
      body: { handoffNotices: stored },
    });
    expect((await asAdmin('PUT', '', { name: 'Clinic' })).body.handoffNotices).toEqual(stored);
    expect((await asAdmin('GET', '')).body.handoffNotices).toEqual(stored);
    const number = await addPhoneNumber(workspace);
    const memberIds = [workspace.admin.memberId];
    const whole = {
      channels: ['sms', 'event'],
      memberRoleIds: [],
      memberIds,
      reasons: ['handoff', 'no_model'],
      everyMinutes: 5,
      heldEmails: false,
      phoneNumberId: number.id,
      queueUrl: 'https://desk.clinic.example/waiting',
    };
    expect((await put(whole)).body.handoffNotices).toEqual(whole);
    expect((await put({ channels: ['event'] })).status).toBe(200);
    expect((await put(null)).body.handoffNotices).toBeNull();
  });

  it('has quiet hours, on every day unless it names some, until it has none', async () => {
    const put = (quietHours: unknown) => asAdmin('PUT', '', { quietHours });
    expect((await asAdmin('GET', '')).body.quietHours).toBeNull();
    const stored = { from: '21:00', to: '08:00', days: [...weekdays] };
    expect(await put({ from: '21:00', to: '08:00' })).toMatchObject({
      status: 200,
      body: { quietHours: stored },
    });
    expect((await asAdmin('PUT', '', { name: 'Clinic' })).body.quietHours).toEqual(stored);
    const weekend = { from: '12:00', to: '13:30', days: ['saturday', 'sunday'] };
    expect((await put({ ...weekend, days: ['sunday', 'saturday', 'sunday'] })).body.quietHours).toEqual(
      weekend,
    );
    expect((await asAdmin('GET', '')).body.quietHours).toEqual(weekend);
    expect((await put(null)).body.quietHours).toBeNull();
  });

  it('says where it is reached by post, on one line', async () => {
    const put = (postalAddress: unknown) => asAdmin('PUT', '', { postalAddress });
    expect((await asAdmin('GET', '')).body.postalAddress).toBeNull();
    expect((await put(' 1 Main Street\r\nSpringfield ')).body.postalAddress).toBe(
      '1 Main Street Springfield',
    );
    expect(await put(' \n ')).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '/postalAddress' }] },
    });
    expect((await put(null)).body.postalAddress).toBeNull();
  });

  it('has business hours of its numbers, until it has none', async () => {
    expect((await asAdmin('GET', '')).body.businessHours).toBeNull();
    const businessHours = {
      windows: [{ from: '08:00', to: '17:00', days: ['monday'] }],
      ...{ closedDates: ['2030-12-25'], outside: 'agent', closedText: 'We are closed.' },
    };
    expect(await asAdmin('PUT', '', { businessHours })).toMatchObject({
      status: 200,
      body: { businessHours },
    });
    expect((await asAdmin('GET', '')).body.businessHours).toEqual(businessHours);
    expect((await asAdmin('PUT', '', { businessHours: null })).body.businessHours).toBeNull();
  });

  it.each([
    ['no time of a clock', { from: '24:00', to: '08:00' }, '/quietHours/from'],
    ['an hour without minutes', { from: '21', to: '08:00' }, '/quietHours/from'],
    ['no end', { from: '21:00' }, '/quietHours/to'],
    ['an end when they begin', { from: '21:00', to: '21:00' }, '/quietHours/to'],
    ['more than 20 hours', { from: '21:00', to: '17:01' }, '/quietHours/to'],
    ['no days', { from: '21:00', to: '08:00', days: [] }, '/quietHours/days'],
    ['an unknown day', { from: '21:00', to: '08:00', days: ['Montag'] }, '/quietHours/days/0'],
  ])('refuses quiet hours with %s', async (_what, quietHours, pointer) => {
    const { status, body } = await asAdmin('PUT', '', { quietHours });
    expect([status, body.errors?.[0]?.pointer]).toEqual([400, pointer]);
  });

  it.each([
    ['nobody to write to', { channels: ['email'] }, 'memberRoleIds'],
    ['no channel', { channels: [] }, 'channels'],
    ['an unknown channel', { channels: ['pigeon'] }, 'channels/0'],
    ['an unknown role', { channels: ['email'], memberRoleIds: [987_654_321] }, 'memberRoleIds/0'],
    ['an unknown person', { channels: ['email'], memberIds: [987_654_321] }, 'memberIds/0'],
    ['nobody to text', { channels: ['sms', 'event'] }, 'memberRoleIds'],
    ['an unknown number', { channels: ['event'], phoneNumberId: 987_654_321 }, 'phoneNumberId'],
    ['an unknown reason', { channels: ['event'], reasons: ['boredom'] }, 'reasons/0'],
    ['too short an interval', { channels: ['event'], everyMinutes: 4 }, 'everyMinutes'],
    ['at an address that is no page', { channels: ['event'], queueUrl: 'javascript:alert(1)' }, 'queueUrl'],
    ['with a password', { channels: ['event'], queueUrl: 'https://a:b@desk.example/' }, 'queueUrl'],
  ])('refuses to tell %s', async (_what, setting, field) => {
    const { status, body } = await asAdmin('PUT', '', { handoffNotices: setting });
    expect([status, body.errors?.[0]?.pointer]).toEqual([400, `/handoffNotices/${field}`]);
  });

  it('refuses to tell a role that does not read chats, such as that of the people whom they are with', async () => {
    const memberRoleIds = [workspace.roles.admin.id, workspace.roles.member.id];
    const { status, body } = await asAdmin('PUT', '', {
      handoffNotices: { channels: ['email'], memberRoleIds },
    });
    expect([status, body.errors[0].pointer]).toEqual([400, '/handoffNotices/memberRoleIds/1']);
  });

  it('refuses to tell people by SMS without a number to send from', async () => {
    const memberIds = [workspace.admin.memberId];
    const { status, body } = await asAdmin('PUT', '', { handoffNotices: { channels: ['sms'], memberIds } });
    expect([status, body.errors[0].pointer]).toEqual([400, '/handoffNotices/phoneNumberId']);
  });

  it('requires the permission workspace:write', async () => {
    const apiKey = await addApiKey(workspace.database, workspace.member.accountId);
    const answer = await api.request('PUT', workspace.path(''), { apiKey, body: { name: 'Mine' } });
    expect(answer).toMatchObject({ status: 403, body: { code: 'forbidden' } });
    expect(answer.body.detail).toContain('workspace:write');
  });

  it('returns 404 in another workspace', async () => {
    const answer = await api.request('PUT', other.path(''), {
      apiKey: workspace.admin.apiKey,
      body: { name: 'Mine' },
    });
    expect(answer).toMatchObject({ status: 404, body: { detail: 'Workspace not found.' } });
  });
});

describe('settings that tell how callers are proved, and what may be reached', () => {
  const settings = [
    'voiceIdentity',
    'handoffNotices',
    'requestHosts',
    'allowedOrigins',
    'callCountries',
    'callsPerDay',
    'workspaceCallsPerDay',
    'smsCountries',
    'smsPerDay',
    'auditRetentionDays',
  ];
  const shownIn = (body: object) => settings.filter((name) => name in body);

  it('are shown to those who may change them, whatever they ask by', async () => {
    for (const answer of [await asAdmin('GET', ''), await asAdmin('PUT', '', { name: 'Clinic' })])
      expect(shownIn(answer.body)).toEqual(settings);
  });

  it('are absent for other members, for keys without the scope, and in lists', async () => {
    expect(shownIn((await asMember('GET', '')).body)).toEqual([]);
    const { accountId } = workspace.admin;
    const apiKey = await addApiKey(workspace.database, accountId, { scopes: ['workspace:read'] });
    const one = await api.request('GET', workspace.path(''), { apiKey });
    expect([one.status, shownIn(one.body)]).toEqual([200, []]);
    const list = await api.request('GET', '/workspaces', { apiKey: workspace.admin.apiKey });
    expect(list.body.items.length).toBeGreaterThan(0);
    expect(list.body.items.flatMap(shownIn)).toEqual([]);
  });
});
