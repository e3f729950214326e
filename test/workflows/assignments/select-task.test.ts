import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import type { SmsAssignment } from '../../support/system/sms-workspace.js';
import { type SystemOptions, startSystem } from '../../support/system/system.js';
import { useSmsWorkspace } from '../../support/system/use-sms-workspace.js';
import { doors } from '../small-trees.js';

/** A system on which members are begun on the doors. */
function useDoors(options: SystemOptions = {}) {
  const { system, workspace } = useSmsWorkspace(() => startSystem(options));
  let definitionId: number;
  beforeAll(async () => {
    definitionId = await workspace.publish(doors);
  });
  return {
    system,
    begin: () => workspace.begin(definitionId),
    async inHall() {
      const assignment = await workspace.begin(definitionId);
      await assignment.heard('Welcome to the hall.');
      return assignment;
    },
    async select(assignment: SmsAssignment, task: string, by = workspace.admin) {
      const path = `/assignments/${assignment.assignmentId}/tasks/${await assignment.taskId(task)}/select`;
      return system.api.request('PUT', workspace.path(path), { apiKey: by.apiKey });
    },
    /** A select as the run is asked for it. */
    async asked(assignment: SmsAssignment, task: string) {
      const { assignmentId, assignmentUuid, chatId, texter } = assignment;
      const { workspaceId, workspaceUuid } = workspace;
      const ids = { workspaceId, workspaceUuid, assignmentId, assignmentUuid, chatId };
      const request = {
        requestUuid: randomUUID(),
        assignmentTaskId: await assignment.taskId(task),
        actorMemberId: workspace.admin.memberId,
        byOperator: true,
        notAfter: Date.now() + 60_000,
      };
      const run = { ...ids, memberId: texter.memberId, definitionName: 'Doors' };
      return { request, ask: () => system.runs.selectTask(run, request) };
    },
    async visits({ assignmentId }: SmsAssignment): Promise<string[]> {
      const rows = await workspace.select<{ name: string }>(
        `select t.name from assignment_timeline_entries v
           join assignment_tasks a on a.id = v.assignment_task_id join workflow_tasks t on t.id = a.task_id
         where v.assignment_id = ? and v.kind = 'entered' order by v.id`,
        [assignmentId],
      );
      return rows.map(({ name }) => name);
    },
  };
}

describe('selecting a task of a running assignment', () => {
  const { system, begin, inHall, select, asked, visits } = useDoors();

  it('enters the task, and the agent speaks there', async () => {
    const assignment = await inHall();

    const answer = await select(assignment, 'Open');

    expect(answer).toMatchObject({ status: 200, body: { taskName: 'Open' } });
    await assignment.heard('You are in the open room.');
    expect(await visits(assignment)).toEqual(['Hall', 'Open']);
  });

  it('is rejected by a guard for every caller, with task and expression in the answer', async () => {
    const assignment = await inHall();

    const answer = await select(assignment, 'Locked');

    expect(answer).toMatchObject({ status: 400, body: { code: 'task_not_allowed' } });
    expect(answer.body.detail).toContain('Locked');
    expect(answer.body.detail).toContain('"Open" in tasks.visited');
    expect(await visits(assignment)).toEqual(['Hall']);
  });

  it('is limited to the offered tasks for the member', async () => {
    const assignment = await inHall();

    expect((await select(assignment, 'Open', assignment.texter)).status).toBe(200);
    const answer = await select(assignment, 'Exit', assignment.texter);

    expect(answer).toMatchObject({ status: 400, body: { code: 'task_not_allowed' } });
    expect(answer.body.detail).toContain('The task "Exit" is not among those that the current task offers');
    expect(await visits(assignment)).toEqual(['Hall', 'Open']);
    expect((await select(assignment, 'Exit')).status).toBe(200);
  });

  it('returns a rejection as a value with task and rule', async () => {
    const assignment = await begin();

    const { ask } = await asked(assignment, 'Locked');

    const refused = { kind: 'refused', rule: 'cel_guard', taskUuid: expect.any(String) };
    expect(await ask()).toMatchObject(refused);
  });

  it('enters once for a repeated request', async () => {
    const assignment = await inHall();
    const { request, ask } = await asked(assignment, 'Open');

    const answers = await Promise.all([ask(), ask()]);
    // Bypass Temporal’s deduplication by update id: the database recognises the request too.
    const again = await system.run('runAssignment', assignment.assignmentUuid).executeUpdate('selectTask', {
      args: [request],
    });

    expect([...answers, again]).toEqual([{ kind: 'entered' }, { kind: 'entered' }, { kind: 'entered' }]);
    expect(await visits(assignment)).toEqual(['Hall', 'Open']);
  });

  it('handles a dozen concurrent requests one after the other', async () => {
    const assignment = await inHall();

    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, index) => select(assignment, index % 2 === 0 ? 'Open' : 'Hall')),
    );

    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(await visits(assignment)).toHaveLength(13);
    await assignment.heard(
      (await assignment.currentTask()) === 'Open' ? 'You are in the open room.' : 'Welcome to the hall.',
    );
  });

  it('drops the agent’s reply for the previous task', async () => {
    const assignment = await inHall();
    await system.model.script(
      [{ hold: true, content: 'still in the hall' }],
      assignment.texter.row.name ?? '',
    );
    await assignment.write('hello');
    await system.model.held();

    await select(assignment, 'Open');
    await system.model.release();

    await assignment.heard('open room');
    expect(await assignment.said('assistant')).not.toContain('still in the hall');
  });

  it('rejects a malformed update at once', async () => {
    const assignment = await inHall();
    const run = system.run('runAssignment', assignment.assignmentUuid);

    const update = run.executeUpdate('selectTask', {
      args: [{ requestUuid: 'no uuid', assignmentTaskId: 1 }],
    });

    await expect(update).rejects.toMatchObject({ cause: { type: 'malformed_request' } });
  });

  it('returns 409 for a concluded assignment', async () => {
    const assignment = await inHall();
    await select(assignment, 'Exit');
    await assignment.concluded('completed');

    const answer = await select(assignment, 'Open');
    const { ask } = await asked(assignment, 'Open');

    expect(answer).toMatchObject({ status: 409, body: { code: 'assignment_not_active' } });
    expect(await ask()).toEqual({ kind: 'not_active' });
  });
});

describe('selecting a task before the relay has started the run', () => {
  const { system, begin, select, visits } = useDoors({ relay: false });

  it('starts the run itself, and the relay finds it started', async () => {
    const assignment = await begin();

    const answer = await select(assignment, 'Open');
    system.startRelay();

    expect(answer.status).toBe(200);
    await assignment.heard('You are in the open room.');
    expect(await visits(assignment)).toEqual(['Hall', 'Open']);
  });

  it('returns 503 without a worker, and is not carried out later', async () => {
    await system.stopWorker();
    const assignment = await begin();

    const answer = await select(assignment, 'Open');
    await system.startWorker();

    expect(answer).toMatchObject({ status: 503, body: { code: 'run_unreachable' } });
    expect(answer.headers.get('Retry-After')).toBe('5');
    await assignment.heard('Welcome to the hall.');
    expect(await visits(assignment)).toEqual(['Hall']);
    expect((await select(assignment, 'Open')).status).toBe(200);
  });
});
