import { describe, expect, it } from 'vitest';
import { findAssignment } from '../../../db/assignments/assignments.js';
import { findChat } from '../../../db/conversations/chats.js';
import { celContextOf } from '../../../domain/assignments/machine/cel-context.js';
import { assemble } from '../../../domain/assignments/machine/machine.js';
import type { RevisionTask } from '../../../domain/definitions/revision-rules/types.js';
import type { CelContext } from '../../../domain/lib/cel.js';
import { createDataType } from '../../../domain/records/data-types/create-data-type.js';
import { type StagedAssignment, stageAssignment } from '../../support/chats/staged-assignment.js';
import { addRecords } from '../../support/records/add-records.js';
import { addMember, randomTag, type TestMember } from '../../support/workspace/factories.js';
import { useWorkspace } from '../../support/workspace/use-workspace.js';
import { call, Turn, toolResult } from '../agent/take-round.js';

const suite = useWorkspace();

/** Each json field holds at most 16 KiB. */
const texts = Array.from({ length: 16 }, (_, index) => `text_${index}`);

/** Values for the first fields that together have the given number of bytes. */
function textsOf(bytes: number): Record<string, unknown> {
  const used = texts.slice(0, Math.ceil(bytes / 16_000));
  return Object.fromEntries(used.map((text) => [text, ['x'.repeat(bytes / used.length)]]));
}

async function addType(isCollection = true) {
  const slug = `t${randomTag().replaceAll('-', '')}`;
  const fields = [
    { slug: 'place', name: 'Place', fieldType: 'integer' },
    ...texts.map((text) => ({ slug: text, name: 'Text', fieldType: 'json' })),
  ];
  const { id } = await createDataType(suite.workspace.context(), {
    name: 'Type',
    slug,
    isCollection,
    fields,
  });
  return { id, slug };
}

/** Adds records of the member, each with its place and values of the given number of bytes. */
async function fill(member: TestMember, typeId: number, count: number, bytes: number) {
  for (let from = 0; from < count; from += 10) {
    const records = Array.from({ length: Math.min(10, count - from) }, (_, index) => ({
      memberId: member.memberId,
      fieldValues: { place: from + index, ...textsOf(bytes) },
    }));
    await addRecords(suite.workspace, typeId, records);
  }
}

function naming(...expressions: string[]): RevisionTask {
  const prompt = expressions.map((expression) => `{{ ${expression} }}`).join(' ');
  return {
    name: 'Ask',
    taskType: 'conversation',
    prompt,
    abilities: [{ abilityType: 'read_data' }],
    children: [{ name: 'Done', taskType: 'conclude' }],
  };
}

function contextOf(staged: StagedAssignment): Promise<CelContext> {
  const { database, workspaceId } = suite.workspace;
  return database.inWorkspace(workspaceId, async (tx) => {
    const assignment = await findAssignment(tx, staged.assignmentId);
    const chat = await findChat(tx, staged.chatId);
    if (assignment === undefined || chat === undefined) throw new Error('the assignment is gone');
    return celContextOf(await assemble(tx, staged.clock.now(), chat, assignment));
  });
}

const places = (records: CelContext['member']['data'][string] | undefined) =>
  (records ?? []).map(({ place }) => place);

describe('the data of a member in expressions', () => {
  it('holds the 200 newest records of a type, oldest first, and names the type in partial_data', async () => {
    const member = await addMember(suite.workspace);
    const type = await addType();
    await fill(member, type.id, 210, 1);
    const staged = await stageAssignment(suite.workspace, naming(`size(member.data.${type.slug})`), {
      member,
    });

    const { data, partial_data } = (await contextOf(staged)).member;

    expect(places(data[type.slug])).toEqual(Array.from({ length: 200 }, (_, index) => index + 10));
    expect(partial_data).toEqual([type.slug]);
  });

  it('holds at most 512 KiB of records, with a share for each type', async () => {
    const member = await addMember(suite.workspace);
    const [crowded, small] = [await addType(), await addType()];
    await fill(member, small.id, 5, 1_000);
    await fill(member, crowded.id, 40, 30_000);
    const expressions = [`member.data.${crowded.slug}.size()`, `member.data["${small.slug}"].size()`];
    const staged = await stageAssignment(suite.workspace, naming(...expressions), { member });

    const { data, partial_data } = (await contextOf(staged)).member;

    expect(places(data[crowded.slug])).toEqual(Array.from({ length: 17 }, (_, index) => index + 23));
    expect(places(data[small.slug])).toEqual([0, 1, 2, 3, 4]);
    expect(partial_data).toEqual([crowded.slug]);
    expect(Buffer.byteLength(JSON.stringify(data))).toBeLessThan(512 * 1_024);
  });

  it('holds a single record of the largest size in full', async () => {
    const member = await addMember(suite.workspace);
    const type = await addType(false);
    const ones = Array.from({ length: 8_000 }, () => 1);
    const fieldValues = Object.fromEntries(texts.map((text) => [text, ones]));
    await addRecords(suite.workspace, type.id, [{ memberId: member.memberId, fieldValues }]);
    const staged = await stageAssignment(
      suite.workspace,
      naming(`has(member.form_data.${type.slug}.text_0)`),
      {
        member,
      },
    );

    const { form_data, partial_data } = (await contextOf(staged)).member;

    expect(form_data[type.slug]).toEqual(fieldValues);
    expect(partial_data).toEqual([]);
  });

  it('omits types that the definition does not name', async () => {
    const member = await addMember(suite.workspace);
    const [named, unnamed] = [await addType(), await addType()];
    await fill(member, named.id, 1, 1);
    await fill(member, unnamed.id, 1, 1);
    const staged = await stageAssignment(suite.workspace, naming(`member.data.${named.slug}.size()`), {
      member,
    });

    expect(Object.keys((await contextOf(staged)).member.data)).toEqual([named.slug]);
  });

  it('includes every type when an expression computes the name of the type', async () => {
    const member = await addMember(suite.workspace);
    const type = await addType();
    await fill(member, type.id, 1, 1);
    const staged = await stageAssignment(suite.workspace, naming('member.data[member.locale].size()'), {
      member,
    });

    expect(Object.keys((await contextOf(staged)).member.data)).toContain(type.slug);
  });
});

describe('read_data', () => {
  it('returns the newest records that fit into 64 KiB, with a note that there are more', async () => {
    const member = await addMember(suite.workspace);
    const type = await addType();
    await fill(member, type.id, 12, 20_000);
    const staged = await stageAssignment(suite.workspace, naming('member.name'), { member });

    const { toolCallIds } = await new Turn(staged).run(call(['read_data', { dataType: type.slug }]));
    const result = await toolResult(staged, toolCallIds[0] ?? '');

    expect(result).toMatchObject({ ok: true, note: 'Only the newest records are here.' });
    expect(places((result as { records: { place: number }[] }).records)).toEqual([9, 10, 11]);
  });
});
