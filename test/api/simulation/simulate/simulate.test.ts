import { beforeEach, describe, expect, it } from 'vitest';
import { liveChannel } from '../../../../db/live/notices.js';
import { outboxChannel } from '../../../../db/notifier.js';
import { estimateTokens } from '../../../../domain/agent/model-calls.js';
import type { Asked } from '../../../../domain/agent/prepare-round.js';
import { createAssistant } from '../../../../domain/conversations/assistants/create-assistant.js';
import type { RevisionTask } from '../../../../domain/definitions/revision-rules/types.js';
import { createWorkflowDefinition } from '../../../../domain/definitions/workflow-definitions/create-workflow-definition.js';
import { createRevision } from '../../../../domain/definitions/workflow-revisions/create-revision.js';
import { createFolder } from '../../../../domain/files/folders/create-folder.js';
import { observeAlerts } from '../../../../domain/kernel/alert-colleague.js';
import { observeOccurrences } from '../../../../domain/kernel/occurrences.js';
import { createDataType } from '../../../../domain/records/data-types/create-data-type.js';
import { NoAnswer, type SimulatedAnswer } from '../../../../domain/simulation/model.js';
import { describeAccess } from '../../../support/api/access-cases.js';
import { pointersOf } from '../../../support/api/call-as.js';
import { useApi } from '../../../support/api/use-api.js';
import { connect } from '../../../support/db/connect.js';
import { useConnection } from '../../../support/db/use-database.js';
import { catalogueWith } from '../../../support/lib/models.js';
import { publishDefinition } from '../../../support/workspace/definitions.js';
import { addMember } from '../../../support/workspace/factories.js';

let answers: SimulatedAnswer[] = [];
/** Whether an answer that does not come may have cost something. */
let isLost = false;
const asked: Asked[] = [];
const usage = { promptTokens: 8, completionTokens: 2, cachedTokens: 0, totalTokens: 10 };

const { api, database, workspace, otherWorkspace, as, asAdmin } = useApi({
  models: catalogueWith(),
  askModel: async (request) => {
    asked.push(request);
    const answer = answers[asked.length - 1];
    if (answer === undefined) throw new NoAnswer(5, isLost);
    return answer;
  },
});
const query = useConnection(() => database.superuserUrl);

const end: RevisionTask = { name: 'End', taskType: 'conclude', configuration: { outcome: 'done' } };
const intake: RevisionTask = {
  name: 'Greet',
  taskType: 'message',
  autoNext: true,
  configuration: { text: 'Hello {{ member.name }}' },
  children: [
    {
      name: 'Town',
      taskType: 'collect',
      autoNext: true,
      prompt: 'Ask for the town.',
      configuration: { dataTypeSlug: 'home', fieldSlugs: ['town'] },
      abilities: [{ abilityType: 'handoff' }, { abilityType: 'schedule_follow_up' }],
      children: [end],
    },
  ],
};
const script = [
  { agent: { say: 'Where do you live?' } },
  { member: 'In Lyon' },
  { agent: { calls: [{ name: 'save_data', arguments: { town: 'Lyon' } }] } },
];

let path: string;

beforeEach(async () => {
  answers = [];
  isLost = false;
  asked.length = 0;
  const fields = [{ slug: 'town', name: 'Town', fieldType: 'text', required: true, unique: true }];
  const home = { name: 'Home', slug: 'home', isCollection: false, fields };
  await createDataType(workspace.context(), home).catch(() => {});
  const { workflowId, revisionId } = await publishDefinition(workspace, intake);
  path = `/workflows/${workflowId}/revisions/${revisionId}/simulate`;
});

const simulate = (body: object, of = path) => asAdmin('POST', of, body);

describeAccess({ api, workspace, otherWorkspace }, ['simulate'], () => [
  { method: 'POST', path, scope: 'workflows:read', needsPermission: true, body: {}, namesItem: true },
]);

describe('simulating a revision', () => {
  it('answers with the walk', async () => {
    const { status, body } = await simulate({
      startsAt: '2030-01-07T09:00:00Z',
      member: { name: 'Robin Sample' },
      script,
    });

    expect(status).toBe(200);
    expect(body).toMatchObject({
      status: 'completed',
      outcome: 'done',
      currentTask: 'End',
      needsResponse: false,
      endsAt: '2030-01-07T09:00:00.000Z',
    });
    expect(body.entries[1]).toEqual({
      at: '2030-01-07T09:00:00.000Z',
      kind: 'message',
      task: 'Greet',
      from: 'task',
      text: 'Hello Robin Sample',
    });
    expect(body.entries.find(({ kind }: { kind: string }) => kind === 'tool')).toMatchObject({
      step: 2,
      task: 'Town',
      tool: 'save_data',
      arguments: '{"town":"Lyon"}',
    });
  });

  it('sends a member who says yes what belongs to yes, and nothing of no', async () => {
    const answer = (name: string, text: string) => ({
      name,
      taskType: 'message',
      autoNext: true,
      configuration: { text },
    });
    const children = [answer('Yes', 'See you on Friday!'), answer('No', 'Pity. We cancel your place.')];
    const { id } = await createWorkflowDefinition(workspace.context(), { name: 'Friday' });
    const draft = await createRevision(workspace.context(), id, {
      rootTask: { name: 'Q', taskType: 'conversation', prompt: 'Ask whether the member comes.', children },
    });
    const revision = `/workflows/${id}/revisions/${draft.id}`;
    const talk = [
      { agent: { say: 'Do you come?' } },
      { member: 'Yes, I will come' },
      { agent: { select: 'Yes' } },
    ];

    const { body } = await simulate({ script: talk }, `${revision}/simulate`);

    const entries: { from?: string; text: string }[] = body.entries;
    expect(entries.filter(({ from }) => from === 'task').map(({ text }) => text)).toEqual([
      'See you on Friday!',
    ]);
    expect(body.status).toBe('completed');
    expect((await asAdmin('POST', `${revision}/publish`)).body.warnings).toEqual([]);
  });

  it('alerts a colleague where no way of a decision holds, of which publishing warns', async () => {
    const ill = 'member.form_data.home.town == "illness"';
    const decision: RevisionTask = {
      name: 'D',
      taskType: 'decision',
      children: [{ ...end, celCondition: ill }],
    };
    const { id } = await createWorkflowDefinition(workspace.context(), { name: 'Absence' });
    const draft = await createRevision(workspace.context(), id, {
      rootTask: {
        name: 'Hi',
        taskType: 'message',
        autoNext: true,
        configuration: { text: 'Hi' },
        children: [decision],
      },
    });
    const revision = `/workflows/${id}/revisions/${draft.id}`;

    expect((await simulate({}, `${revision}/simulate`)).body).toMatchObject({
      status: 'active',
      currentTask: 'D',
      needsResponseReason: 'no_choice_holds',
      waitsFor: { task: 'D' },
    });
    const warning = { code: 'every_way_conditional', task: 'D', field: '/rootTask/children/0/children' };
    expect((await asAdmin('POST', `${revision}/publish`)).body.warnings).toEqual([
      expect.objectContaining(warning),
    ]);
  });

  it('walks through a draft that could be published, and refuses another with every reason', async () => {
    const { id } = await createWorkflowDefinition(workspace.context(), { name: 'Drafted' });
    const draft = await createRevision(workspace.context(), id, { rootTask: intake });
    const place = `/workflows/${id}/revisions`;
    expect(await simulate({ script }, `${place}/${draft.id}/simulate`)).toMatchObject({ status: 200 });

    const ended = await createRevision(workspace.context(), id, {
      rootTask: { name: 'Call', taskType: 'call' },
    });
    const refused = { status: 400, body: { code: 'revision_not_publishable' } };
    expect(await simulate({}, `${place}/${ended.id}/simulate`)).toMatchObject(refused);
    const empty = await createRevision(workspace.context(), id, {});
    expect(await simulate({}, `${place}/${empty.id}/simulate`)).toMatchObject(refused);
  });

  it('has the folders that abilities name, without files, and refuses a draft that names one that is not there', async () => {
    await createFolder(workspace.context(), { name: 'Leaflets', slug: 'leaflets' });
    const { id } = await createWorkflowDefinition(workspace.context(), { name: 'With leaflets' });
    const naming = async (folderPath: string) => {
      const abilities = [{ abilityType: 'send_files', config: { folderPath } }];
      const rootTask = { name: 'Talk', taskType: 'conversation', abilities, children: [end] };
      const draft = await createRevision(workspace.context(), id, { rootTask });
      const call = { name: 'send_files', arguments: { files: [1], text: 'Here it is.' } };
      return simulate(
        { script: [{ agent: { calls: [call] } }] },
        `/workflows/${id}/revisions/${draft.id}/simulate`,
      );
    };

    const walked = await naming('leaflets');
    expect(walked).toMatchObject({ status: 200 });
    expect(walked.body.entries).toContainEqual(
      expect.objectContaining({
        kind: 'tool',
        tool: 'send_files',
        result: '{"ok":false,"error":"not_found"}',
      }),
    );
    const { body } = await naming('leaflets/lost');
    expect(body).toMatchObject({ code: 'revision_not_publishable' });
    expect(pointersOf(body)).toEqual(['/rootTask/abilities/0/config/folderPath']);
  });

  it('refuses a bad script with the field', async () => {
    const pointers = async (body: object) => {
      const answer = await simulate(body);
      expect(answer.status).toBe(400);
      return pointersOf(answer.body);
    };
    expect(await pointers({ script: [{}] })).toEqual(['/script/0']);
    expect(await pointers({ script: [{ member: 'Hi', clock: 'next' }] })).toEqual(['/script/0']);
    expect(await pointers({ script: [{ shout: 'Hi' }] })).toEqual(['/script/0/shout']);
    expect(await pointers({ script: Array.from({ length: 201 }, () => ({ member: 'Hi' })) })).toEqual([
      '/script',
    ]);
    expect(await pointers({ script: [{ member: 'Hi' }, { agent: { select: 'Nowhere' } }] })).toEqual([
      '/script/1/agent/select',
    ]);
    expect(await pointers({ startsAt: '0001-01-01T00:00:00Z' })).toEqual(['/startsAt']);
    expect(await pointers({ channel: 'email' })).toEqual(['/channel']);
  });
});

describe('nothing of a simulation escapes', () => {
  /** The content of every table, without sequences. */
  async function contents(): Promise<Record<string, unknown>> {
    const { rows } = await query<{ name: string }>(
      `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname in ('public', 'identity')`,
    );
    const found: Record<string, unknown> = {};
    for (const { name } of rows) {
      const { rows: hashes } = await query(
        `select count(*), md5(string_agg(md5(t::text), '' order by md5(t::text))) from ${name} t`,
      );
      found[name] = hashes[0];
    }
    // The credential's last use is noted with every request.
    delete found['identity.api_keys'];
    return found;
  }

  it.each(['web-chat', 'phone-sms'])('in a %s chat: no row, no notice, no alert', async (channel) => {
    const told: unknown[] = [];
    const ends = [observeAlerts((call) => told.push(call)), observeOccurrences((one) => told.push(one))];
    const listener = await connect(database.superuserUrl);
    listener.on('notification', (notice) => told.push(notice));
    await listener.query(`listen ${outboxChannel}; listen ${liveChannel}`);
    const before = await contents();

    const first = channel === 'phone-sms' ? [{ carrier: { outcome: 'failed', errorCode: '30006' } }] : [];
    const { status, body } = await simulate({
      channel,
      member: { name: 'Robin' },
      script: [...first, { member: 'Hello?' }, { operator: 'A colleague writes' }, { resume: true }],
    });

    expect(status).toBe(200);
    expect(body.entries.length).toBeGreaterThan(5);
    expect(await contents()).toEqual(before);
    // A notice would arrive with the answer of a later statement at the latest.
    await listener.query('select 1');
    await listener.end();
    expect(told).toEqual([]);
    for (const stop of ends) stop();
  });

  it('and it collides with no real data: a value that is unique is free in the simulation', async () => {
    const [type] = (await asAdmin('GET', '/data-types?slug=home')).body.items;
    const record = { memberId: workspace.member.memberId, fieldValues: { town: 'Lyon' } };
    expect((await asAdmin('POST', `/data-types/${type.id}/records`, record)).status).toBeLessThan(300);
    expect((await simulate({ script })).body).toMatchObject({ status: 'completed' });
  });
});

describe('simulating with the configured model', () => {
  const model = 'configured';

  async function spent(): Promise<number> {
    const { rows } = await query<{ sum: string | null }>('select sum(total_tokens) from token_usage_days');
    return Number(rows[0]?.sum ?? 0);
  }

  it('asks it for each answer, and counts its tokens for the workspace', async () => {
    await createAssistant(workspace.context(), { name: 'Ada', instructions: 'Be kind.', isDefault: true });
    const before = await spent();
    answers = [
      { content: 'Where do you live?', toolCalls: [], usage },
      { content: null, toolCalls: [{ id: '1', name: 'save_data', arguments: '{"town":"Lyon"}' }], usage },
    ];

    const { status, body } = await simulate({ model, script: [{ member: 'In Lyon' }] });

    expect({ status, ended: body.status }).toEqual({ status: 200, ended: 'completed' });
    expect(asked).toHaveLength(2);
    expect(asked[0]?.messages[0]?.content).toContain('Be kind.');
    expect(asked[1]?.messages.at(-1)).toEqual({ role: 'user', content: 'In Lyon' });
    expect((await spent()) - before).toBe(20);
  });

  it('counts an estimate for an answer that was lost, and nothing for a refusal', async () => {
    const before = await spent();
    expect(await simulate({ model })).toMatchObject({ status: 503 });
    expect((await spent()) - before).toBe(0);

    isLost = true;
    expect(await simulate({ model })).toMatchObject({ status: 503, body: { code: 'model_unavailable' } });

    const request = asked.at(-1);
    expect((await spent()) - before).toBe(estimateTokens([request?.messages, request?.tools]));
  });

  it('says that the model does not answer', async () => {
    const answer = await simulate({ model });
    expect(answer).toMatchObject({ status: 503, body: { code: 'model_unavailable' } });
    expect(answer.headers.get('retry-after')).toBe('5');
  });

  it('goes on from its script, and asks the model only for what is new', async () => {
    answers = [
      { content: 'Where do you live?', toolCalls: [], usage },
      { content: null, toolCalls: [{ id: '1', name: 'save_data', arguments: '{"town":"Lyon"}' }], usage },
    ];
    const begun = await simulate({ model });
    expect(begun.body.script).toEqual([{ agent: { say: 'Where do you live?' } }]);
    expect(asked).toHaveLength(1);

    const { body } = await simulate({ model, script: [...begun.body.script, { member: 'In Lyon' }] });
    expect(body).toMatchObject({ status: 'completed' });
    expect(asked).toHaveLength(2);
    expect(body.script.slice(1)).toEqual([
      { member: 'In Lyon' },
      { agent: { calls: [{ name: 'save_data', arguments: { town: 'Lyon' } }] } },
    ]);

    const again = await simulate({ script: body.script });
    expect(again.body).toMatchObject({ status: 'completed', script: body.script });
    expect(asked).toHaveLength(2);
  });

  it('needs the permission to change workflows', async () => {
    const reader = await addMember(workspace, { permissions: ['workflows:read'] });
    expect(await as(reader)('POST', path, { script })).toMatchObject({ status: 200 });
    expect(await as(reader)('POST', path, { model })).toMatchObject({ status: 403 });
  });
});

describe('many simulations at once', () => {
  it('take turns in their workspace, and too many are refused', async () => {
    const all = await Promise.all(Array.from({ length: 12 }, () => simulate({ script })));
    const statuses = all.map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([200, 429]));
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(4);
    expect(all.find(({ status }) => status === 429)?.headers.get('retry-after')).toBe('1');
  });
});
