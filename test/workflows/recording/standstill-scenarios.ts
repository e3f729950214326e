import { stoodStill } from '../../support/faults/faulty-release.js';
import { talk } from '../small-trees.js';
import type { Scenarios } from './scenario.js';

/** Runs whose step fails each time, until a release mends it. */
export const standstillScenarios: Scenarios = {
  'run-assignment-stood-still': async (system, workspace, release) => {
    const definitionId = await workspace.publish({
      name: 'Wait',
      taskType: 'wait',
      configuration: { for: 'PT5S' },
      autoNext: true,
      children: [talk('Hall', 'Welcome to the hall.')],
    });
    const assignment = await workspace.begin(definitionId);
    const run = system.run('runAssignment', assignment.assignmentUuid);
    await release.breakWriting('assignment_timeline_entries');
    await stoodStill(run);
    await release.repair();
    await run.signal('poke');
    await assignment.heard('Welcome to the hall.');
    return `assignment-${assignment.assignmentUuid}`;
  },

  'answer-chat-stood-still': async (system, workspace, release) => {
    const chat = await workspace.openChat();
    const run = system.run('answerChat', chat.chatUuid);
    await release.breakReading('token_usage_days');
    await chat.write('hello');
    await stoodStill(run);
    await release.repair();
    await chat.write('still there?');
    await chat.heard('hello / still there?');
    await run.result();
    return `chat-${chat.chatUuid}`;
  },

  'deliver-messages-stood-still': async (system, workspace, release) => {
    const chat = await workspace.openChat();
    const run = system.run('deliverMessages', chat.chatUuid);
    await system.stopWorker();
    await chat.post('one');
    await release.breakReading('deliveries');
    await system.startWorker();
    await stoodStill(run);
    await release.repair();
    await chat.post('two');
    await run.result();
    return `deliveries-${chat.chatUuid}`;
  },
};
