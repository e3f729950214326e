import { expect, test } from 'vitest';
import { patchCallBridge } from '../../../db/calls/call-bridges.js';
import { findPhoneCall } from '../../../db/calls/phone-calls.js';
import { openCallBackend } from '../../../domain/agent/voice/call-backend.js';
import { CallStates } from '../../../domain/agent/voice/call-states.js';
import type { RevisionTask } from '../../../domain/definitions/revision-rules/types.js';
import { runBridge } from '../../../media/bridge/bridge.js';
import { systemClock } from '../../../media/bridge/system-clock.js';
import { OpenAiRealtime } from '../../../providers/realtime/openai-realtime.js';
import { startModelSimulator } from '../../../tools/simulators/model/start-model-simulator.js';
import { silence } from '../../../tools/simulators/support/spoken.js';
import { answeredCall } from '../../support/calls/answered-call.js';
import { stageAssignment } from '../../support/chats/staged-assignment.js';
import { useWorkspace } from '../../support/workspace/use-workspace.js';
import { Handset } from './handset.js';

const suite = useWorkspace();

const root: RevisionTask = {
  name: 'Ask',
  taskType: 'conversation',
  prompt: 'Ask "Are you well?"',
  children: [
    {
      name: 'Well',
      taskType: 'conversation',
      prompt: 'Ask "Shall we end, yes?"',
      choicePrompt: 'The member is well: yes.',
      children: [
        {
          name: 'End',
          taskType: 'conclude',
          configuration: { outcome: 'well' },
          choicePrompt: 'The member wants to end: yes.',
        },
      ],
    },
  ],
};

test('a workflow is walked on the phone: transcript, tasks, cost, and the end by the agent', async () => {
  const { workspace } = suite;
  const simulator = await startModelSimulator({ port: 0 });
  try {
    const staged = await stageAssignment(workspace, root);
    await staged.advance();
    const { chatId, context } = staged;
    const call = await answeredCall(workspace, { chatId });
    const [bridge] = await call.bridges();
    await workspace.within((tx) => patchCallBridge(tx, bridge?.id ?? 0, { beganAt: new Date() }));
    const { callId } = call;
    const ref = { workspaceId: workspace.workspaceId, chatId, callId, attempt: 1, recordingUuid: null };
    const backend = openCallBackend(
      {
        ...context,
        sendRequest: () => Promise.reject(new Error('no request is made')),
        callStates: new CallStates(context.db),
      },
      ref,
    );
    const handset = new Handset();
    const ended = runBridge({
      stream: handset,
      call: { ...ref, beganAt: systemClock.now(), streamBeganMs: 0 },
      backend,
      model: new OpenAiRealtime({ apiKey: 'key', baseUrl: `${simulator.url}/v1` }),
      recorder: {
        heard: () => undefined,
        spoke: () => undefined,
        cleared: () => undefined,
        finish: async () => undefined,
      },
      clock: systemClock,
      log: { info: () => undefined, warn: (fields, message) => expect.fail(`${message} ${fields.code}`) },
      signal: new AbortController().signal,
    });
    handset.send(silence(20));
    await handset.until(({ heard }) => heard.includes('Are you well?'));
    handset.say('Yes');
    await handset.until(({ heard }) => heard.includes('Shall we end, yes?'));
    handset.say('Yes please');
    expect(await ended).toEqual({ reason: 'agent_ended' });

    const spoken = (await staged.messages()).filter(
      (message) => message.callId === callId && message.content !== null,
    );
    expect(spoken.slice(0, 4).map(({ role, content }) => `${role}: ${content}`)).toEqual([
      'assistant: Are you well?',
      'user: Yes',
      'assistant: Shall we end, yes?',
      'user: Yes please',
    ]);
    expect(spoken.every(({ audioMetadata }) => audioMetadata?.phoneCallId === callId)).toBe(true);
    expect((await staged.assignment()).outcome).toBe('well');
    const row = await workspace.within((tx) => findPhoneCall(tx, callId));
    expect(row?.endedBy).toBe('agent');
    expect(row?.credits).toBeGreaterThan(0);
    const sessions = (await (await fetch(`${simulator.url}/realtime/sessions`)).json()) as {
      sessions: { refusals: string[] }[];
    };
    expect(sessions.sessions.flatMap(({ refusals }) => refusals)).toEqual([]);
  } finally {
    await simulator.close();
  }
});
