import { PassThrough, Readable } from 'node:stream';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { RevisionTask } from '../../../../domain/definitions/revision-rules/types.js';
import { runChat } from '../../../../tools/dev/chat/run-chat.js';
import { adminClient } from '../../../../tools/dev/demo/api-client.js';
import { giveBack, listWaitingChats } from '../../../../tools/dev/desk/waiting-chats.js';
import type { DevFile } from '../../../../tools/dev/launcher/dev-file.js';
import { waitFor } from '../../../support/lib/wait-for.js';
import { startSystem } from '../../../support/system/system.js';
import { useSmsWorkspace } from '../../../support/system/use-sms-workspace.js';

const { system, workspace } = useSmsWorkspace(startSystem);

afterEach(() => vi.restoreAllMocks());

const handOver: RevisionTask = {
  name: 'Bad',
  taskType: 'handoff',
  autoNext: true,
  configuration: { reason: 'A bad visit', message: 'I am sorry. A colleague will write to you here.' },
};

const dev = () =>
  ({
    baseUrl: system.api.baseUrl,
    workspaceUuid: workspace.workspaceUuid,
    adminApiKey: workspace.admin.apiKey,
    temporalUi: null,
  }) as DevFile;

/** A chat in the terminal about a workflow with this tree, and what it has printed. */
async function chatAbout(rootTask: RevisionTask, input: Parameters<typeof runChat>[2]) {
  const log = vi.spyOn(console, 'log').mockImplementation(() => undefined);
  const workflow = String(await workspace.publish(rootTask));
  return {
    ended: runChat(dev(), workflow, input),
    printed: () => log.mock.calls.map(([line]) => String(line)).join('\n'),
  };
}

describe('a chat in the terminal', () => {
  it('ends at a hand-over when its input is used up, and says that a colleague has it', async () => {
    const { ended, printed } = await chatAbout(handOver, Readable.from([]));
    await ended;
    expect(printed()).toContain('I am sorry. A colleague will write to you here.');
    expect(printed()).toContain('the assignment is in “Bad”: a colleague has it (npm run desk)');
  }, 30_000);

  it('ends with the outcome when a colleague has given it back', async () => {
    const terminal = Object.assign(new PassThrough(), { isTTY: true });
    const colleague = adminClient(dev());
    const before = (await listWaitingChats(colleague)).map(({ id }) => id);
    const { ended, printed } = await chatAbout(handOver, terminal);
    const { id } = await waitFor('a chat waits for a person', async () =>
      (await listWaitingChats(colleague)).find((waiting) => !before.includes(waiting.id)),
    );
    await giveBack(colleague, id);
    await ended;
    expect(printed()).toMatch(/assignment \d+: completed/);
  }, 30_000);

  it('says what the assignment waits for when its input is used up', async () => {
    const nobody = 'member.name == "Nobody"';
    const child: RevisionTask = {
      name: 'Closed',
      taskType: 'conclude',
      celCondition: nobody,
      configuration: {},
    };
    const choose: RevisionTask = { name: 'Choose', taskType: 'decision', autoNext: true, children: [child] };
    const { ended, printed } = await chatAbout(choose, Readable.from([]));
    await ended;
    expect(printed()).toContain('the assignment is in “Choose”: the conditions of all tasks');
    expect(printed()).not.toContain('goes on');
  }, 30_000);
});
