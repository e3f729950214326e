import { beforeAll, describe, expect, it } from 'vitest';
import { lockFile } from '../../../../db/files/files.js';
import { fileLimits } from '../../../../domain/files/limits.js';
import { allScopes, type Scope } from '../../../../domain/kernel/scopes.js';
import { describeAccess } from '../../../support/api/access-cases.js';
import { pointersOf } from '../../../support/api/call-as.js';
import { useApi } from '../../../support/api/use-api.js';
import { directRuns } from '../../../support/chats/direct-runs.js';
import { whenWaitedFor } from '../../../support/db/locks.js';
import { insertIndexedFile } from '../../../support/files/indexed-file.js';
import { sendFile } from '../../../support/files/send-file.js';
import { conversationTasks, publishDefinition } from '../../../support/workspace/definitions.js';
import { addApiKey, addMember } from '../../../support/workspace/factories.js';

const { api, workspace, otherWorkspace, as, asAdmin, asMember } = useApi({ runs: directRuns });
let workflowId: number;
beforeAll(async () => {
  ({ workflowId } = await publishDefinition(workspace, conversationTasks()));
});

const newAssignment = async (body = {}) =>
  (await asMember('POST', '/assignments', { workflowId, ...body })).body;
const newFile = async (by = workspace.admin) => (await sendFile(api, workspace, { by })).body;
const attach = (id: number, fileIds: unknown, by = asAdmin) =>
  by('POST', `/assignments/${id}/files`, { fileIds });
const shownIn = async (id: number, by = asMember): Promise<number[]> =>
  (await by('GET', `/assignments/${id}`)).body.files.map((file: { id: number }) => file.id);

describe('access to files of assignments', () => {
  let assignment: { id: number };
  let file: { id: number };
  beforeAll(async () => {
    assignment = (await asAdmin('POST', '/assignments', { workflowId })).body;
    file = await newFile();
    await attach(assignment.id, [file.id]);
  });

  describeAccess({ api, workspace, otherWorkspace }, ['list', 'attach', 'detach'], () => {
    const path = `/assignments/${assignment.id}/files`;
    const writing = { scope: 'assignments:write' as Scope, needsPermission: true, namesItem: true };
    return [
      { method: 'GET', path, scope: 'assignments:read', needsPermission: true, namesItem: true },
      { method: 'POST', path, body: { fileIds: [file.id] }, ...writing },
      { method: 'DELETE', path: `${path}/${file.id}`, ...writing },
    ];
  });
});

describe('files attached to an assignment', () => {
  it('are shown with it, listed, and readable for its member', async () => {
    const { id } = await newAssignment();
    const [first, second] = [await newFile(), await newFile()];
    expect((await asMember('GET', `/files/${first.id}`)).status).toBe(404);

    const answer = await attach(id, [first.id, second.id]);

    expect(answer).toMatchObject({ status: 200, body: [{ id: first.id }, { id: second.id }] });
    expect((await shownIn(id)).sort()).toEqual([first.id, second.id].sort());
    const [shown] = (await asMember('GET', `/assignments/${id}`)).body.files;
    expect(shown).toMatchObject({ permissions: 1, cdnUrl: expect.stringContaining('/files/'), data: null });
    expect((await asMember('GET', `/assignments/${id}/files`)).body).toMatchObject({ total: 2 });
    expect((await asMember('GET', `/files/${first.id}/download`)).status).toBe(200);
    const { items } = (await asMember('GET', '/assignments', undefined, { pageSize: 5 })).body;
    expect(items.find((one: { id: number }) => one.id === id).files).toHaveLength(2);
  });

  it('are attached once, however often it is asked', async () => {
    const { id } = await newAssignment();
    const file = await newFile();

    const answers = await Promise.all(Array.from({ length: 3 }, () => attach(id, [file.id])));

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    const rows = await workspace.within((tx) => tx('file_attachments').where({ assignment_id: id }));
    expect(rows).toHaveLength(1);
  });

  it('include those of messages, which cannot be detached', async () => {
    const { id, ...assignment } = await newAssignment();
    const [sent, attached] = [await newFile(workspace.member), await newFile()];
    const chatId = (await asAdmin('GET', '/chats', undefined, { assignmentId: id })).body.items?.find(
      (chat: { assignmentId: number }) => chat.assignmentId === id,
    )?.id;
    expect(assignment.files).toEqual([]);
    await asMember('POST', `/chats/${chatId}/messages`, { content: 'See', files: [sent.id] });
    await attach(id, [attached.id]);
    expect(await shownIn(id)).toEqual([attached.id, sent.id]);

    const remove = (fileId: number) => asAdmin('DELETE', `/assignments/${id}/files/${fileId}`);
    expect([(await remove(attached.id)).status, (await remove(sent.id)).status]).toEqual([204, 404]);

    expect(await shownIn(id)).toEqual([sent.id]);
    expect((await asMember('GET', `/files/${attached.id}`)).status).toBe(404);
  });

  it('are hidden from callers who may not read them, and from credentials without the scope', async () => {
    const { id } = await newAssignment();
    const file = await newFile();
    await attach(id, [file.id]);
    const colleague = await addMember(workspace, { permissions: ['assignments:read'] });
    const scopes = allScopes.filter((scope) => scope !== 'files:read');
    const apiKey = await addApiKey(workspace.database, workspace.member.accountId, { scopes });

    expect(await shownIn(id, as(colleague))).toEqual([]);
    expect((await as(colleague)('GET', `/assignments/${id}/files`)).body).toMatchObject({ total: 0 });
    expect(await shownIn(id, as({ apiKey }))).toEqual([]);
    expect((await as({ apiKey })('GET', `/assignments/${id}/files`)).status).toBe(403);
    expect((await attach(id, [file.id], as({ apiKey }))).status).toBe(403);
  });

  it('are refused where the caller may not read them', async () => {
    const { id } = await newAssignment();
    const [hidden, foreign] = [await newFile(), (await sendFile(api, otherWorkspace)).body];
    for (const fileId of [hidden.id, foreign.id, 999_999_999]) {
      const answer = await attach(id, [fileId], asMember);
      expect([answer.status, pointersOf(answer.body)]).toEqual([400, ['/fileIds/0']]);
    }
    expect((await attach(id, [])).status).toBe(400);
    expect(await shownIn(id)).toEqual([]);
  });

  it('are at most as many as allowed, and shown in part', async () => {
    const { id } = await newAssignment();
    const files: number[] = [];
    for (let count = 0; count < fileLimits.filesOfAssignment + 1; count += 1) {
      files.push((await insertIndexedFile(workspace, { pages: [] })).fileId);
    }
    for (let from = 0; from < fileLimits.filesOfAssignment; from += 20) {
      expect((await attach(id, files.slice(from, from + 20))).status).toBe(200);
    }

    const answer = await attach(id, files.slice(-1));

    expect(answer).toMatchObject({ status: 409, body: { code: 'too_many_files' } });
    const { body } = await asMember('GET', `/assignments/${id}`);
    expect(body.filesAreCut).toBe(true);
    expect(body.files.map((file: { id: number }) => file.id)).toEqual(files.slice(50, 100).reverse());
  });

  it('are refused where the file is deleted first', async () => {
    const { id } = await newAssignment();
    const file = await newFile();
    let answer: ReturnType<typeof attach> | undefined;
    await workspace.within(async (tx) => {
      await lockFile(tx, file.id, { memberId: 0, readsWorkspace: true, readsAll: true });
      await tx('files').where({ id: file.id }).delete();
      answer = attach(id, [file.id]);
      await whenWaitedFor(tx);
    });
    expect(await answer).toMatchObject({ status: 400 });
    expect(await shownIn(id)).toEqual([]);
  });
});
