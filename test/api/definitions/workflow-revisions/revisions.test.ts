import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createWorkflowDefinition } from '../../../../domain/definitions/workflow-definitions/create-workflow-definition.js';
import { describeAccess } from '../../../support/api/access-cases.js';
import { pointersOf } from '../../../support/api/call-as.js';
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

const create = (body: object, of = workflow) => asAdmin('POST', `${of}/revisions`, body);

async function newDraft(body: object = { rootTask: sampleTasks() }, of = workflow) {
  const answer = await create(body, of);
  expect(answer.status).toBe(201);
  return { ...answer.body, path: `${of}/revisions/${answer.body.id}` };
}

const publish = ({ path }: { path: string }, body?: object) => asAdmin('POST', `${path}/publish`, body);
const end = { name: 'End', taskType: 'conclude', configuration: {} };
const refused = (code: string) => ({ status: 409, body: { code } });

describe('creating a draft', () => {
  it('is refused with null for the tree, which would silently be an empty one', async () => {
    const answer = await create({ rootTask: null });
    expect(answer.status).toBe(400);
    expect(pointersOf(answer.body)).toEqual(['/rootTask']);
  });

  it('stores the given tree and adds defaults', async () => {
    const answer = await create({ name: 'First', rootTask: sampleTasks() });

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
    const { id } = await newDraft({}, await newWorkflow());

    expectRefused(await create({ fromRevisionId: id }), ['/fromRevisionId']);
  });

  it('refuses tasks and a source together', async () => {
    const { id } = await newDraft();

    expectRefused(await create({ fromRevisionId: id, rootTask: sampleTasks() }), ['/fromRevisionId']);
  });

  it('numbers twenty concurrent drafts from 1 to 20', async () => {
    const drafts = await Promise.all(Array.from({ length: 20 }, () => newDraft({})));

    const numbers = drafts.map((draft) => draft.number).sort((a, b) => a - b);
    expect(numbers).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
  });
});

describe('saving tasks', () => {
  const conversation = { name: 'Talk', taskType: 'conversation' };
  const uuid = '0b5c2b4e-1f57-4f0a-9a5e-6d3a1c9f7e21';

  it('reports all errors at once, with task and position', async () => {
    const rootTask = {
      ...conversation,
      prompt: '{{ member. }}',
      configuration: { surprise: true },
      children: [{ ...conversation, name: 'Ask', celGuard: 'member.name ==', celCondition: '1 +' }],
    };

    const answer = await create({ rootTask });

    expectRefused(answer, [
      '/rootTask/prompt',
      '/rootTask/configuration/surprise',
      '/rootTask/children/0/celGuard',
      '/rootTask/children/0/celCondition',
    ]);
    expect(answer.body.errors[2].message).toMatch(/Task "Ask".*position \d+/);
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
    [
      'two tasks with one uuid',
      { ...conversation, uuid, children: [{ ...conversation, uuid: uuid.toUpperCase() }] },
      ['/rootTask/children/0/uuid'],
    ],
    ['a tree of more than 20 levels', nested(21), [`/rootTask${'/children/0'.repeat(19)}/children`]],
  ])('refuses %s', async (_, rootTask, pointers) => {
    expectRefused(await create({ rootTask }), pointers);
  });

  it('says where the fields of a task belong that stand beside rootTask', async () => {
    const answer = await create({ ...conversation, colour: 'red' });

    expectRefused(answer, ['/taskType', '/colour']);
    expect(answer.body.errors.map(({ message }: { message: string }) => message)).toEqual([
      'is not a known field; it belongs into rootTask',
      'is not a known field',
    ]);
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

    const body = { name: 'First', rootTask: { ...rootTask, children: [], abilities: [] } };
    expect(answer).toMatchObject({ status: 200, body });
  });

  it('changes the name alone, and refuses an empty change', async () => {
    const draft = await newDraft();

    const answer = await asAdmin('PUT', draft.path, { name: 'Renamed' });

    expect(answer.body).toMatchObject({ name: 'Renamed', rootTask: draft.rootTask });
    expect((await asAdmin('PUT', draft.path, {})).status).toBe(400);
  });

  it('changes nothing when the new tasks are refused', async () => {
    const draft = await newDraft();

    const rootTask = { name: 'x', taskType: 'y' };
    const answer = await asAdmin('PUT', draft.path, { name: 'Other', rootTask });

    expectRefused(answer, ['/rootTask/taskType']);
    expect((await asAdmin('GET', draft.path)).body.name).toBe(draft.name);
  });
});

describe('publishing a revision', () => {
  it('freezes the draft and activates it', async () => {
    const draft = await newDraft();

    const answer = await publish(draft);

    const { memberId } = workspace.admin;
    const body = { state: 'published', active: true, publishedAt: expect.any(String) };
    expect(answer).toMatchObject({ status: 200, body: { ...body, publishedByMemberId: memberId } });
    expect((await asAdmin('GET', workflow)).body).toMatchObject({
      activeRevisionId: draft.id,
      activeRevisionNumber: 1,
    });
    for (const change of [
      await asAdmin('PUT', draft.path, { name: 'Other' }),
      await asAdmin('PUT', draft.path, { rootTask: sampleTasks() }),
      await asAdmin('DELETE', draft.path),
    ]) {
      expect(change).toMatchObject(refused('revision_published'));
    }
    expect((await asAdmin('GET', draft.path)).body).toEqual(revisionOf(answer.body));
  });

  it('keeps the active revision if activate is false', async () => {
    const draft = await newDraft();

    const answer = await publish(draft, { activate: false });

    expect(answer.body).toMatchObject({ state: 'published', active: false });
    expect((await asAdmin('GET', workflow)).body.activeRevisionId).toBeNull();
  });

  it('returns a published revision unchanged and does not activate it again', async () => {
    const first = await newDraft();
    const second = await newDraft();
    const published = await publish(first);
    await publish(second);

    const again = await publish(first);

    const { warnings } = published.body;
    const body = { ...revisionOf(published.body), active: false, warnings };
    expect(again).toMatchObject({ status: 200, body });
    expect(again.body.assignments.newAssignments.revisionId).toBe(second.id);
    expect((await asAdmin('GET', workflow)).body.activeRevisionId).toBe(second.id);
  });

  it('refuses an empty revision', async () => {
    expectRefused(await publish(await newDraft({})), ['/rootTask'], 'revision_not_publishable');
  });

  it('refuses an inconsistent revision and reports every reason at once', async () => {
    const configuration = { dataTypeSlug: 'nowhere', fieldSlugs: ['a'] };
    const children = [
      { name: 'Gather', taskType: 'collect', configuration, autoNext: true },
      { name: 'Pause', taskType: 'wait', celCondition: 'true', autoNext: true },
    ];
    const abilities = [{ abilityType: 'read_data', config: { dataTypeSlug: 'nowhere' } }];
    const draft = await newDraft({ rootTask: { name: 'Choose', taskType: 'decision', abilities, children } });

    expectRefused(
      await publish(draft),
      [
        '/rootTask/children/1',
        '/rootTask/abilities/0/config/dataTypeSlug',
        '/rootTask/children/0/configuration/dataTypeSlug',
        '/rootTask/children/1/configuration',
      ],
      'revision_not_publishable',
    );
    expect((await asAdmin('GET', draft.path)).body.state).toBe('draft');
  });

  it('answers what is probably wrong, and publishes all the same', async () => {
    const rootTask = { name: 'Hello', taskType: 'message', configuration: { text: 'Hi' }, children: [end] };

    const answer = await publish(await newDraft({ rootTask }));

    expect(answer).toMatchObject({ status: 200, body: { state: 'published', active: true } });
    expect(answer.body.warnings).toEqual([
      {
        code: 'waits_for_member',
        task: 'Hello',
        taskUuid: answer.body.rootTask.uuid,
        field: '/rootTask/autoNext',
        message: expect.stringContaining('Task "Hello": once the text is sent, nothing happens until'),
      },
    ]);
    expect((await publish({ path: `${workflow}/revisions/${answer.body.id}` })).body).toEqual(answer.body);
  });

  it('names what is known instead of what an expression names', async () => {
    const rootTask = { ...sampleTasks(), name: 'Ask' };
    const guarded = { ...end, celGuard: "'Asc' in tasks.visited", required: true };

    const answer = await publish(await newDraft({ rootTask: { ...rootTask, children: [guarded] } }));

    expectRefused(answer, ['/rootTask/children/0/celGuard'], 'revision_not_publishable');
    expect(answer.body.detail).toBe(
      'Task "End": celGuard names the task "Asc", which does not exist; did you mean "Ask"?',
    );
  });

  describe('with dryRun', () => {
    it('tells what publishing would mean, and changes nothing', async () => {
      const active = await newDraft();
      await publish(active);
      const { memberId } = workspace.member;
      const workflowId = Number(workflow.split('/')[2]);
      await asAdmin('POST', '/assignments', { workflowId, memberId });
      const draft = await newDraft({ rootTask: { ...end, celCondition: 'chat.paused' } });

      const answer = await publish(draft, { dryRun: true });

      expect(answer).toMatchObject({
        status: 200,
        body: {
          state: 'draft',
          active: false,
          warnings: [{ code: 'condition_without_effect', field: '/rootTask/celCondition' }],
          assignments: {
            newAssignments: { revisionId: draft.id, revisionNumber: 2 },
            total: 1,
            totalIsExact: true,
            groups: [{ revisionNumber: 1, taskName: 'Welcome', count: 1, effect: 'task_removed' }],
          },
        },
      });
      expect((await asAdmin('GET', draft.path)).body).toEqual(revisionOf(answer.body));
      expect((await asAdmin('GET', workflow)).body.activeRevisionId).toBe(active.id);
      expect((await asAdmin('PUT', draft.path, { name: 'Still a draft' })).status).toBe(200);
    });

    it('refuses what publishing refuses', async () => {
      const draft = await newDraft({
        rootTask: { ...end, taskType: 'message', configuration: { text: 'Hi' } },
      });

      expectRefused(await publish(draft, { dryRun: true }), ['/rootTask'], 'revision_not_publishable');
      await asAdmin('DELETE', workflow);
      expect(await publish(draft, { dryRun: true })).toMatchObject(refused('workflow_archived'));
    });

    it('does not activate a published revision either', async () => {
      const first = await newDraft();
      const second = await newDraft();
      await publish(first);
      await publish(second);

      const answer = await publish(first, { dryRun: true });

      const { newAssignments } = answer.body.assignments;
      expect(newAssignments).toMatchObject({ revisionId: second.id, revisionNumber: 2 });
      expect((await asAdmin('GET', workflow)).body.activeRevisionId).toBe(second.id);
    });

    it('tells that no assignment can begin, if nothing is active', async () => {
      const answer = await publish(await newDraft(), { dryRun: true, activate: false });

      expect(answer.body.assignments.newAssignments).toEqual({
        revisionId: null,
        revisionNumber: null,
        message: 'No assignment can begin: the workflow has no active revision.',
      });
    });
  });

  it('accepts or rejects each concurrent edit as a whole and freezes the returned tasks', async () => {
    for (let round = 0; round < 5; round++) {
      const draft = await newDraft();
      const edits = Array.from({ length: 4 }, (_, index) =>
        asAdmin('PUT', draft.path, { rootTask: { ...sampleTasks(), name: `Edit ${index}` } }),
      );
      const [published, ...edited] = await Promise.all([publish(draft), ...edits]);

      expect(published.status).toBe(200);
      for (const { status } of edited) expect([200, 409]).toContain(status);
      expect((await asAdmin('GET', draft.path)).body).toEqual(revisionOf(published.body));
    }
  });
});

describe('activating a revision', () => {
  it('rolls back to an older published revision', async () => {
    const first = await newDraft();
    const second = await newDraft();
    await publish(first);
    await publish(second);

    const answer = await asAdmin('POST', `${first.path}/activate`);

    expect(answer).toMatchObject({
      status: 200,
      body: { id: first.id, active: true, assignments: { newAssignments: { revisionNumber: 1 } } },
    });
    expect((await asAdmin('GET', workflow)).body.activeRevisionNumber).toBe(1);
    expect((await asAdmin('GET', second.path)).body.active).toBe(false);
  });

  it('rejects a draft', async () => {
    const { path } = await newDraft();

    expect(await asAdmin('POST', `${path}/activate`)).toMatchObject(refused('revision_not_published'));
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
  expect((await publish({ path })).status).toBe(404);
});

it('rejects every change in an archived workflow', async () => {
  const draft = await newDraft();
  await asAdmin('DELETE', workflow);

  for (const answer of [
    await create({}),
    await asAdmin('PUT', draft.path, { name: 'Other' }),
    await publish(draft),
    await asAdmin('DELETE', draft.path),
  ]) {
    expect(answer).toMatchObject(refused('workflow_archived'));
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
  const read = { scope: 'workflows:read', needsPermission: true, namesItem: true } as const;
  const write = { scope: 'workflows:write', needsPermission: true, namesItem: true } as const;

  describeAccess(
    { api, workspace, otherWorkspace },
    ['list', 'create', 'get', 'update', 'delete', 'publish', 'activate', 'export'],
    () => [
      { ...read, method: 'GET', path: collection },
      { ...write, method: 'POST', path: collection, body: {} },
      { ...read, method: 'GET', path },
      { ...write, method: 'PUT', path, body: { name: 'x' } },
      { ...write, method: 'DELETE', path },
      { ...write, method: 'POST', path: `${path}/publish` },
      { ...write, method: 'POST', path: `${path}/activate` },
      { ...read, method: 'GET', path: `${path}/export` },
    ],
  );
});

function expectRefused(
  answer: Awaited<ReturnType<typeof create>>,
  pointers: string[],
  code = 'validation_failed',
): void {
  expect(pointersOf(answer.body)).toEqual(pointers);
  expect(answer).toMatchObject({ status: 400, body: { code } });
}

/** What the GET of the revision answers. */
function revisionOf({ warnings: _, assignments: __, ...revision }: Record<string, unknown>) {
  return revision;
}

function withoutIds(task: Record<string, unknown>): unknown {
  const text = JSON.stringify(task, (key, value) => (key === 'id' ? undefined : value));
  const { abilities: _, ...rest } = JSON.parse(text);
  return rest;
}
