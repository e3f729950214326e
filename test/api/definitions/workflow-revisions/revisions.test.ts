import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createWorkflowDefinition } from '../../../../domain/definitions/workflow-definitions/create-workflow-definition.js';
import { describeAccess } from '../../../support/api/access-cases.js';
import { useApi } from '../../../support/api/use-api.js';
import { sampleTasks } from './sample-tasks.js';

const { api, workspace, otherWorkspace, asAdmin } = useApi();
let workflow: string;
beforeEach(async () => {
  workflow = await newWorkflow();
});

async function newWorkflow(): Promise<string> {
  const { id } = await createWorkflowDefinition(workspace.context(), { name: 'Intake' });
  return `/workflows/${id}`;
}

async function newDraft(body: object = { rootTask: sampleTasks() }, of = workflow) {
  const answer = await asAdmin('POST', `${of}/revisions`, body);
  expect(answer.status).toBe(201);
  return { ...answer.body, path: `${of}/revisions/${answer.body.id}` };
}

describe('creating a draft', () => {
  it('stores the given tree and adds defaults', async () => {
    const answer = await asAdmin('POST', `${workflow}/revisions`, {
      name: 'First',
      rootTask: sampleTasks(),
    });

    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({
      workflowId: Number(workflow.split('/')[2]),
      number: 1,
      name: 'First',
      state: 'draft',
      active: false,
      rootTask: {
        ...sampleTasks(),
        order: 0,
        autoNext: false,
        required: false,
        configuration: {},
        abilities: [{ abilityType: 'handoff', config: {}, enabled: true }],
        children: [
          { name: 'Now', order: 0, required: true, children: [{ name: 'Done', order: 0, children: [] }] },
          { name: 'Later', order: 1, celCondition: 'chat.channel == "phone-sms"', children: [] },
        ],
      },
    });
    expect(answer.body).not.toHaveProperty('publishedAt');
    expect(answer.body.rootTask).not.toHaveProperty('celGuard');
    expect((await asAdmin('GET', `${workflow}/revisions/${answer.body.id}`)).body).toEqual(answer.body);
  });

  it('accepts an empty draft and names it by its number', async () => {
    await newDraft({});

    expect(await newDraft({})).toMatchObject({ number: 2, name: 'Revision 2', rootTask: null });
  });

  it('copies the tasks of another revision with their uuids', async () => {
    const first = await newDraft();

    const copy = await newDraft({ fromRevisionId: first.id });

    expect(withoutIds(copy.rootTask)).toEqual(withoutIds(first.rootTask));
    expect(copy.rootTask.uuid).toBe(first.rootTask.uuid);
    expect(copy.rootTask.id).not.toBe(first.rootTask.id);
  });

  it('refuses a revision of another workflow as the source', async () => {
    const foreign = await newDraft({}, await newWorkflow());

    const answer = await asAdmin('POST', `${workflow}/revisions`, { fromRevisionId: foreign.id });

    expectRefused(answer, ['/fromRevisionId']);
  });

  it('refuses tasks and a source together', async () => {
    const { id } = await newDraft();

    const answer = await asAdmin('POST', `${workflow}/revisions`, {
      fromRevisionId: id,
      rootTask: sampleTasks(),
    });

    expectRefused(answer, ['/fromRevisionId']);
  });

  it('numbers twenty concurrent drafts from 1 to 20', async () => {
    const drafts = await Promise.all(Array.from({ length: 20 }, () => newDraft({})));

    const numbers = drafts.map((draft) => draft.number).sort((a, b) => a - b);
    expect(numbers).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
  });
});

describe('saving tasks', () => {
  const conversation = { name: 'Talk', taskType: 'conversation' };

  it('refuses an unparsable expression and reports task and position', async () => {
    const rootTask = {
      ...conversation,
      children: [{ ...conversation, name: 'Ask', celGuard: 'member.name ==' }],
    };

    const answer = await asAdmin('POST', `${workflow}/revisions`, { rootTask });

    expectRefused(answer, ['/rootTask/children/0/celGuard']);
    expect(answer.body.errors[0].message).toMatch(/Task "Ask".*position \d+/);
  });

  it('reports all errors at once', async () => {
    const rootTask = {
      ...conversation,
      prompt: '{{ member. }}',
      configuration: { surprise: true },
      children: [{ ...conversation, celCondition: '1 +' }],
    };

    const answer = await asAdmin('POST', `${workflow}/revisions`, { rootTask });

    expectRefused(answer, [
      '/rootTask/prompt',
      '/rootTask/configuration/surprise',
      '/rootTask/children/0/celCondition',
    ]);
  });

  it.each([
    ['a task without a name', { taskType: 'message' }, ['/rootTask/name']],
    ['an unknown type', { ...conversation, taskType: 'dance' }, ['/rootTask/taskType']],
    ['an unknown field deep down', nested(3, { colour: 'red' }), ['/rootTask/children/0/children/0/colour']],
    [
      'an unknown ability',
      { ...conversation, abilities: [{ abilityType: 'teleport' }] },
      ['/rootTask/abilities/0/abilityType'],
    ],
    ['children that are no list', { ...conversation, children: {} }, ['/rootTask/children']],
  ])('refuses %s', async (_, rootTask, pointers) => {
    expectRefused(await asAdmin('POST', `${workflow}/revisions`, { rootTask }), pointers);
  });

  it('refuses two tasks with one uuid', async () => {
    const uuid = '0b5c2b4e-1f57-4f0a-9a5e-6d3a1c9f7e21';
    const rootTask = { ...conversation, uuid, children: [{ ...conversation, uuid: uuid.toUpperCase() }] };

    expectRefused(await asAdmin('POST', `${workflow}/revisions`, { rootTask }), [
      '/rootTask/children/0/uuid',
    ]);
  });

  it('refuses a tree of more than 20 levels', async () => {
    const pointer = `/rootTask${'/children/0'.repeat(19)}/children`;

    expectRefused(await asAdmin('POST', `${workflow}/revisions`, { rootTask: nested(21) }), [pointer]);
  });

  it('refuses a tree of thousands of levels', async () => {
    const open = '{"name":"Talk","taskType":"conversation","children":[';
    const rootTask = `${open.repeat(15_000)}${']}'.repeat(15_000)}`;

    const response = await fetch(`${api.baseUrl}/api/v2${workspace.path(`${workflow}/revisions`)}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${workspace.admin.apiKey}`, 'Content-Type': 'application/json' },
      body: `{"rootTask":${rootTask}}`,
    });

    expect(response.status).toBe(400);
  });

  function nested(levels: number, innermost: object = {}): object {
    let task: object = { ...conversation, ...innermost };
    for (let level = 1; level < levels; level++) task = { ...conversation, children: [task] };
    return task;
  }
});

describe('changing a draft', () => {
  it('replaces all tasks and keeps the name', async () => {
    const draft = await newDraft({ name: 'First', rootTask: sampleTasks() });
    const rootTask = { uuid: draft.rootTask.uuid, name: 'Only', taskType: 'conclude' };

    const answer = await asAdmin('PUT', draft.path, { rootTask });

    expect(answer).toMatchObject({
      status: 200,
      body: { name: 'First', rootTask: { ...rootTask, children: [], abilities: [] } },
    });
  });

  it('changes the name alone', async () => {
    const draft = await newDraft();

    const answer = await asAdmin('PUT', draft.path, { name: 'Renamed' });

    expect(answer.body).toMatchObject({ name: 'Renamed', rootTask: draft.rootTask });
  });

  it('refuses an empty change', async () => {
    const draft = await newDraft();

    expect((await asAdmin('PUT', draft.path, {})).status).toBe(400);
  });

  it('changes nothing when the new tasks are refused', async () => {
    const draft = await newDraft();

    const answer = await asAdmin('PUT', draft.path, {
      name: 'Other',
      rootTask: { name: 'x', taskType: 'y' },
    });

    expectRefused(answer, ['/rootTask/taskType']);
    expect((await asAdmin('GET', draft.path)).body.name).toBe(draft.name);
  });
});

describe('publishing a revision', () => {
  it('freezes the draft and activates it', async () => {
    const draft = await newDraft();

    const answer = await asAdmin('POST', `${draft.path}/publish`);

    expect(answer).toMatchObject({
      status: 200,
      body: {
        state: 'published',
        active: true,
        publishedAt: expect.any(String),
        publishedByMemberId: workspace.admin.memberId,
      },
    });
    expect((await asAdmin('GET', workflow)).body).toMatchObject({
      activeRevisionId: draft.id,
      activeRevisionNumber: 1,
    });
    for (const change of [
      await asAdmin('PUT', draft.path, { name: 'Other' }),
      await asAdmin('PUT', draft.path, { rootTask: sampleTasks() }),
      await asAdmin('DELETE', draft.path),
    ]) {
      expect(change).toMatchObject({ status: 409, body: { code: 'revision_published' } });
    }
    expect((await asAdmin('GET', draft.path)).body).toEqual(answer.body);
  });

  it('keeps the active revision if activate is false', async () => {
    const draft = await newDraft();

    const answer = await asAdmin('POST', `${draft.path}/publish`, { activate: false });

    expect(answer.body).toMatchObject({ state: 'published', active: false });
    expect((await asAdmin('GET', workflow)).body.activeRevisionId).toBeNull();
  });

  it('returns a published revision unchanged and does not activate it again', async () => {
    const first = await newDraft();
    const second = await newDraft();
    const published = await asAdmin('POST', `${first.path}/publish`);
    await asAdmin('POST', `${second.path}/publish`);

    const again = await asAdmin('POST', `${first.path}/publish`);

    expect(again).toMatchObject({ status: 200, body: { ...published.body, active: false } });
    expect((await asAdmin('GET', workflow)).body.activeRevisionId).toBe(second.id);
  });

  it('refuses an empty revision', async () => {
    const draft = await newDraft({});

    const answer = await asAdmin('POST', `${draft.path}/publish`);

    expectRefused(answer, ['/rootTask'], 'revision_not_publishable');
  });

  it('refuses an inconsistent revision and reports every reason at once', async () => {
    const draft = await newDraft({
      rootTask: {
        name: 'Choose',
        taskType: 'decision',
        abilities: [{ abilityType: 'send_email' }],
        children: [
          {
            name: 'Gather',
            taskType: 'collect',
            configuration: { dataTypeSlug: 'nowhere', fieldSlugs: ['a'] },
          },
          { name: 'Pause', taskType: 'wait', celCondition: 'true' },
        ],
      },
    });

    const answer = await asAdmin('POST', `${draft.path}/publish`);

    expectRefused(
      answer,
      [
        '/rootTask/children/1',
        '/rootTask/abilities/0/abilityType',
        '/rootTask/children/0/configuration/dataTypeSlug',
        '/rootTask/children/1/configuration',
      ],
      'revision_not_publishable',
    );
    expect((await asAdmin('GET', draft.path)).body.state).toBe('draft');
  });

  it('accepts or rejects each concurrent edit as a whole and freezes the returned tasks', async () => {
    for (let round = 0; round < 5; round++) {
      const draft = await newDraft();
      const edits = Array.from({ length: 4 }, (_, index) =>
        asAdmin('PUT', draft.path, { rootTask: { ...sampleTasks(), name: `Edit ${index}` } }),
      );
      const [published, ...edited] = await Promise.all([asAdmin('POST', `${draft.path}/publish`), ...edits]);

      expect(published.status).toBe(200);
      for (const { status } of edited) expect([200, 409]).toContain(status);
      expect((await asAdmin('GET', draft.path)).body).toEqual(published.body);
    }
  });
});

describe('activating a revision', () => {
  it('rolls back to an older published revision', async () => {
    const first = await newDraft();
    const second = await newDraft();
    await asAdmin('POST', `${first.path}/publish`);
    await asAdmin('POST', `${second.path}/publish`);

    const answer = await asAdmin('POST', `${first.path}/activate`);

    expect(answer).toMatchObject({ status: 200, body: { id: first.id, active: true } });
    expect((await asAdmin('GET', workflow)).body.activeRevisionNumber).toBe(1);
    expect((await asAdmin('GET', second.path)).body.active).toBe(false);
  });

  it('rejects a draft', async () => {
    const draft = await newDraft();

    const answer = await asAdmin('POST', `${draft.path}/activate`);

    expect(answer).toMatchObject({ status: 409, body: { code: 'revision_not_published' } });
  });
});

describe('listing revisions', () => {
  it('shows the newest first, without tasks', async () => {
    for (let count = 0; count < 3; count++) await newDraft();

    const answer = await asAdmin('GET', `${workflow}/revisions?pageSize=2`);

    expect(answer.body).toMatchObject({ total: 3, page: 1, pageSize: 2, totalPages: 2 });
    expect(answer.body.items.map((item: { number: number }) => item.number)).toEqual([3, 2]);
    expect(answer.body.items[0]).not.toHaveProperty('rootTask');
  });

  it('refuses an unknown order', async () => {
    expectRefused(await asAdmin('GET', `${workflow}/revisions?sortBy=name`), ['/sortBy']);
  });
});

it('deletes a draft and reuses its number', async () => {
  const draft = await newDraft();

  expect((await asAdmin('DELETE', draft.path)).status).toBe(204);

  expect((await asAdmin('GET', draft.path)).status).toBe(404);
  expect((await newDraft()).number).toBe(1);
});

it('returns 404 for a revision of another workflow', async () => {
  const draft = await newDraft();
  const path = `${await newWorkflow()}/revisions/${draft.id}`;

  expect((await asAdmin('GET', path)).status).toBe(404);
  expect((await asAdmin('PUT', path, { name: 'Other' })).status).toBe(404);
  expect((await asAdmin('POST', `${path}/publish`)).status).toBe(404);
});

it('rejects every change in an archived workflow', async () => {
  const draft = await newDraft();
  await asAdmin('DELETE', workflow);

  for (const answer of [
    await asAdmin('POST', `${workflow}/revisions`, {}),
    await asAdmin('PUT', draft.path, { name: 'Other' }),
    await asAdmin('POST', `${draft.path}/publish`),
    await asAdmin('DELETE', draft.path),
  ]) {
    expect(answer).toMatchObject({ status: 409, body: { code: 'workflow_archived' } });
  }
  expect((await asAdmin('GET', draft.path)).status).toBe(200);
});

describe('access to revisions', () => {
  let path: string;
  let collection: string;
  beforeAll(async () => {
    const own = await newWorkflow();
    collection = `${own}/revisions`;
    path = (await newDraft({}, own)).path;
  });
  const read = { scope: 'workflows:read', writes: true, namesItem: true } as const;
  const write = { scope: 'workflows:write', writes: true, namesItem: true } as const;

  describeAccess(
    () => ({ api, workspace, otherWorkspace }),
    ['list', 'create', 'get', 'update', 'delete', 'publish', 'activate'],
    () => [
      { ...read, method: 'GET', path: collection },
      { ...write, method: 'POST', path: collection, body: {} },
      { ...read, method: 'GET', path },
      { ...write, method: 'PUT', path, body: { name: 'x' } },
      { ...write, method: 'DELETE', path },
      { ...write, method: 'POST', path: `${path}/publish` },
      { ...write, method: 'POST', path: `${path}/activate` },
    ],
  );
});

interface Answer {
  status: number;
  body: { code: string; errors: { pointer: string }[] };
}

function expectRefused(answer: Answer, pointers: string[], code = 'validation_failed'): void {
  expect(answer.body.errors?.map((error) => error.pointer)).toEqual(pointers);
  expect(answer).toMatchObject({ status: 400, body: { code } });
}

function withoutIds(task: Record<string, unknown>): unknown {
  const text = JSON.stringify(task, (key, value) => (key === 'id' ? undefined : value));
  const { abilities: _, ...rest } = JSON.parse(text);
  return rest;
}
