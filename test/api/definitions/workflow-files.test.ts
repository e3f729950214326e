import { describe, expect, it } from 'vitest';
import { createDataType } from '../../../domain/records/data-types/create-data-type.js';
import { pointersOf } from '../../support/api/call-as.js';
import { useApi } from '../../support/api/use-api.js';

const { workspace, asAdmin, asMember } = useApi();

const visits = {
  slug: 'visits',
  name: 'Visits',
  isCollection: true,
  fields: [{ slug: 'reason', name: 'Reason', fieldType: 'text' }],
};
const rootTask = {
  name: 'Ask',
  taskType: 'conversation',
  prompt: 'Ask for the reason.',
  afterCall: 'stand',
  realtimeModelConfig: { turn_detection: 'semantic_vad', idle_seconds: 20 },
  abilities: [
    { abilityType: 'save_data', config: { dataTypeSlug: 'visits', fieldSlugs: ['reason'] } },
    { abilityType: 'conclude', enabled: false },
  ],
  children: [
    {
      name: 'End',
      taskType: 'conclude',
      required: true,
      celGuard: 'size(member.data.visits) > 0 || has(member.form_data.intake)',
      configuration: { outcome: 'asked' },
    },
  ],
};
const file = { name: 'Ask for visits', description: 'For the front desk.', dataTypes: [visits], rootTask };

const importFile = (body: object, call = asAdmin) => call('POST', '/workflows/import', body);

describe('a workflow as a file', () => {
  it('is imported, with the data types that are missing, and exported as it was', async () => {
    const imported = await importFile(file);

    expect(imported).toMatchObject({
      status: 201,
      body: {
        workflow: { name: 'Ask for visits', activeRevisionId: null },
        revision: { state: 'draft', rootTask: { name: 'Ask' } },
        createdDataTypes: ['visits'],
      },
    });
    const { workflow, revision } = imported.body;
    const exported = await asAdmin('GET', `/workflows/${workflow.id}/revisions/${revision.id}/export`);

    expect(exported.status).toBe(200);
    const { uuid, children, ...task } = exported.body.rootTask;
    expect(uuid).toBe(revision.rootTask.uuid);
    const [{ uuid: _, ...end }] = children;
    expect({ ...exported.body, rootTask: { ...task, children: [end] } }).toEqual(file);
    const again = await importFile(exported.body);
    expect(again).toMatchObject({ status: 201, body: { createdDataTypes: [] } });
    expect(again.body.revision.rootTask.uuid).toBe(uuid);
  });

  it('can be published after it was imported', async () => {
    await createDataType(workspace.context(), {
      slug: 'intake',
      name: 'Intake',
      isCollection: false,
      fields: [],
    });
    const { body } = await importFile(file);
    const path = `/workflows/${body.workflow.id}/revisions/${body.revision.id}/publish`;
    expect(await asAdmin('POST', path, {})).toMatchObject({ status: 200, body: { state: 'published' } });
  });

  it('is imported as a whole or not at all', async () => {
    const before = (await asAdmin('GET', '/data-types?pageSize=1')).body.total;
    const fresh = { ...visits, slug: 'whole' };
    const wrong = { ...rootTask, celGuard: 'a b' };

    const refused = await importFile({ ...file, dataTypes: [fresh], rootTask: wrong });

    expect(refused.status).toBe(400);
    expect(pointersOf(refused.body)).toEqual(['/rootTask/celGuard']);
    expect((await asAdmin('GET', '/data-types?pageSize=1')).body.total).toBe(before);
  });

  it.each([
    ['an unknown field', { ...file, colour: 'red' }, '/colour'],
    ['a missing tree', { name: 'A' }, '/rootTask'],
    [
      'a data type with a wrong field',
      { ...file, dataTypes: [{ ...visits, slug: 'x', fields: [{ slug: 'a' }] }] },
      '/dataTypes/0/fields/0/fieldType',
    ],
    [
      'a data type that is a collection elsewhere',
      { ...file, dataTypes: [{ ...visits, isCollection: false }] },
      '/dataTypes/0/isCollection',
    ],
    [
      'a data type with a field twice',
      { ...file, dataTypes: [{ ...visits, slug: 'twice', fields: [...visits.fields, ...visits.fields] }] },
      '/dataTypes/0/fields/1/slug',
    ],
  ])('is refused for %s, with the place', async (_, body, pointer) => {
    await importFile(file);
    const refused = await importFile(body);
    expect(refused.status).toBe(400);
    expect(pointersOf(refused.body)).toContain(pointer);
  });

  it('is not exported from a revision without tasks', async () => {
    const { body: workflow } = await asAdmin('POST', '/workflows', { name: 'Empty' });
    const { body: draft } = await asAdmin('POST', `/workflows/${workflow.id}/revisions`, {});
    const answer = await asAdmin('GET', `/workflows/${workflow.id}/revisions/${draft.id}/export`);
    expect(answer).toMatchObject({ status: 409, body: { code: 'revision_empty' } });
  });

  it('needs the permissions to read or write workflows', async () => {
    const { body } = await importFile(file);
    const path = `/workflows/${body.workflow.id}/revisions/${body.revision.id}/export`;
    expect(await asMember('GET', path)).toMatchObject({ status: 403 });
    expect(await importFile(file, asMember)).toMatchObject({ status: 403 });
  });
});
