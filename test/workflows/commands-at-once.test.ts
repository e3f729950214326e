import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { beginOnWeb, type WebAssignment } from '../support/chats/web-chat.js';
import { createSmsWorkspace, type SmsWorkspace } from '../support/system/sms-workspace.js';
import { startSystem, type TestSystem } from '../support/system/system.js';
import { doors } from './small-trees.js';

/** The number of commands in total; the project’s full trial has 2,000. */
const commands = Number(process.env.COMMANDS_AT_ONCE ?? 320);
const walksAtOnce = 8;

let system: TestSystem;
let workspace: SmsWorkspace;

beforeAll(async () => {
  system = await startSystem();
  workspace = await createSmsWorkspace(system);
});
afterAll(() => system.stop());

interface Answer {
  command: string;
  status: number;
  code?: string;
}

async function ask(command: string, method: string, path: string, body?: object): Promise<Answer> {
  const answer = await system.api.request(method, workspace.path(path), {
    apiKey: workspace.admin.apiKey,
    ...(body === undefined ? {} : { body }),
  });
  const { code } = answer.body as { code?: string };
  return { command, status: answer.status, ...(code === undefined ? {} : { code }) };
}

function commandsOf(assignment: WebAssignment) {
  const path = `/assignments/${assignment.assignmentId}`;
  return {
    select: async (task: string) =>
      ask('select', 'PUT', `${path}/tasks/${(await assignment.task(task)).id}/select`),
    cancel: () => ask('cancel', 'POST', `${path}/cancel`, { reason: 'Only trying.' }),
    complete: () => ask('complete', 'PUT', path, { status: 'completed' }),
  };
}

type Commands = ReturnType<typeof commandsOf>;

/** Each walk runs concurrently with the agent’s first turn, which begins with the assignment. */
const walks: Record<string, (given: Commands) => Promise<Answer[]>> = {
  'cancelled at once': async ({ cancel }) => [await cancel()],
  'cancelled twice at once': ({ cancel }) => Promise.all([cancel(), cancel()]),
  'selected, then cancelled': async ({ select, cancel }) => [await select('Open'), await cancel()],
  'selected and cancelled together': ({ select, cancel }) => Promise.all([select('Open'), cancel()]),
  'selected and completed together': ({ select, complete }) =>
    Promise.all([select('Open'), complete(), select('Hall')]),
  'led to its end while it is selected and cancelled': ({ select, cancel }) =>
    Promise.all([select('Exit'), select('Open'), cancel()]),
  'selected again and again, then cancelled': async ({ select, cancel }) => [
    ...(await Promise.all([select('Open'), select('Hall'), select('Open')])),
    await cancel(),
  ],
};

function isTrue({ status, code }: Answer): boolean {
  return status === 200 || (status === 409 && code === 'assignment_not_active');
}

describe('commands during a turn', () => {
  it(`are carried out or rejected as not active, and never reported as unreachable (${commands} of them)`, async () => {
    const kinds = Object.entries(walks);
    const untrue: (Answer & { kind: string })[] = [];
    let given = 0;
    let begun = 0;
    const walk = async () => {
      while (given < commands) {
        const [kind, take] = kinds[begun++ % kinds.length] as (typeof kinds)[number];
        const assignment = await beginOnWeb({ system, workspace }, doors);
        const answers = await take(commandsOf(assignment));
        given += answers.length;
        for (const answer of answers) if (!isTrue(answer)) untrue.push({ kind, ...answer });
        expect((await assignment.assignment()).status, kind).not.toBe('active');
      }
    };
    await Promise.all(Array.from({ length: walksAtOnce }, walk));

    expect(untrue).toEqual([]);
  }, 600_000);
});
