import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sendAssistantMessage } from '../../../../domain/conversations/chats/send-assistant-message.js';
import type { RevisionTask } from '../../../../domain/definitions/revision-rules/types.js';
import { createDataType } from '../../../../domain/records/data-types/create-data-type.js';
import { type StagedAssignment, stageAssignment } from '../../../support/chats/staged-assignment.js';
import { addFile } from '../../../support/files/add-file.js';
import { createMemoryStore } from '../../../support/files/memory-store.js';
import { recordsOfMember } from '../../../support/records/records-of-member.js';
import { addMember, randomTag, type TestMember } from '../../../support/workspace/factories.js';
import { useWorkspace } from '../../../support/workspace/use-workspace.js';
import { call, Turn, toolResult } from '../take-round.js';

const suite = useWorkspace();
const store = createMemoryStore();
afterAll(() => store.close());
const slug = `intake_${randomTag()}`;
beforeAll(async () => {
  await createDataType(suite.workspace.context(), {
    name: 'Intake',
    slug,
    isCollection: false,
    fields: [
      { slug: 'scan', name: 'Scan', fieldType: 'file', required: true },
      { slug: 'photos', name: 'Photos', fieldType: 'files', required: true, max: 2 },
    ],
  });
});

const rootTask: RevisionTask = {
  name: 'Gather',
  taskType: 'collect',
  configuration: { dataTypeSlug: slug, fieldSlugs: ['scan', 'photos'] },
  autoNext: true,
  children: [{ name: 'Thank', taskType: 'conversation', abilities: [{ abilityType: 'conclude' }] }],
};

async function stage() {
  // A member who reads all files by a permission, which its agent does not use.
  const member = await addMember(suite.workspace, { permissions: ['files:read'] });
  const staged = await stageAssignment(suite.workspace, rootTask, { member });
  const inWorkspace = suite.workspace.database.inWorkspace.bind(suite.workspace.database);
  return {
    member,
    staged,
    fileOf: async (owner: TestMember = member) => (await addFile(suite.workspace, store, { owner })).id,
    records: () => inWorkspace(suite.workspace.workspaceId, (tx) => recordsOfMember(tx, member.memberId)),
    held: () =>
      inWorkspace(suite.workspace.workspaceId, async (tx) => {
        const ofMember = tx('data_records').where({ member_id: member.memberId }).select('id');
        const rows = await tx('file_attachments').whereIn('record_id', ofMember).orderBy('file_id');
        return rows.map(({ file_id, member_id }) => [file_id, member_id]);
      }),
  };
}

async function save(staged: StagedAssignment, input: object) {
  const { toolCallIds } = await new Turn(staged).run(call(['save_data', input]));
  return toolResult(staged, toolCallIds[0] ?? '');
}

describe('a collect task with fields of files', () => {
  it('tells the model where the ids of files are', async () => {
    const { staged } = await stage();
    const { tools } = await new Turn(staged).ask();
    const { properties, required } = (tools.find(({ name }) => name === 'save_data')?.parameters ?? {}) as {
      properties: Record<string, object>;
      required: string[];
    };
    expect(required).toEqual(['scan', 'photos']);
    expect(properties.scan).toMatchObject({
      type: 'integer',
      description: expect.stringContaining('fileId'),
    });
    expect(properties.photos).toMatchObject({ type: 'array', minItems: 1, maxItems: 2 });
  });

  it('is complete once the member has sent the files, which stay its own', async () => {
    const { staged, fileOf, held, records } = await stage();
    const [scan, photo] = [await fileOf(), await fileOf()];

    expect(await save(staged, { scan })).toMatchObject({
      ok: true,
      missing: ['photos'],
      currentTask: 'Gather',
    });
    expect(await save(staged, { photos: [photo] })).toMatchObject({
      ok: true,
      missing: [],
      currentTask: 'Thank',
    });

    expect(await records()).toMatchObject([{ fieldValues: { scan, photos: [photo] } }]);
    expect(await held()).toEqual([
      [scan, null],
      [photo, null],
    ]);
  });

  it('refuses files that the member does not see as any member, with one error', async () => {
    const { staged, fileOf, held } = await stage();
    const secret = await fileOf(suite.workspace.admin);
    for (const scan of [secret, 2 ** 50]) {
      expect(await save(staged, { scan })).toEqual({
        ok: false,
        error: 'validation_failed',
        errors: [{ pointer: '/fieldValues/scan', message: 'Scan names no file that the caller may read' }],
      });
    }
    expect(await save(staged, { scan: 'scan.pdf' })).toMatchObject({ ok: false, error: 'invalid_arguments' });
    expect(await save(staged, { photos: [] })).toMatchObject({ ok: false, error: 'invalid_arguments' });
    expect(await held()).toEqual([]);
  });

  it('takes files from a colleague that this colleague may read without a permission', async () => {
    const { staged, member, fileOf, held } = await stage();
    const { admin } = suite.workspace;
    const send = (scan: number) =>
      sendAssistantMessage(suite.workspace.context(admin, staged.clock), {
        chatId: staged.chatId,
        message: 'Filed.',
        toolCalls: [{ name: 'save_data', arguments: JSON.stringify({ scan }) }],
      });

    await expect(send(await fileOf())).rejects.toMatchObject({ code: 'validation_failed' });
    const leaflet = await fileOf(admin);
    await send(leaflet);
    expect(await held()).toEqual([[leaflet, member.memberId]]);
  });
});
