import type { RevisionTask } from '../../../domain/definitions/revision-rules/types.js';

const talk: RevisionTask = {
  name: 'Talk',
  taskType: 'conversation',
  prompt: 'Find a time for the visit.',
  abilities: [{ abilityType: 'conclude' }],
};

/** Asks, and reminds a member that has not answered within a day. */
export const reminder: RevisionTask = {
  name: 'Ask',
  taskType: 'message',
  configuration: { text: 'When can you come, {{ member.name }}?' },
  autoNext: true,
  children: [
    {
      name: 'Answer',
      taskType: 'wait',
      configuration: { event: 'chat:replied', atMost: 'P1D' },
      autoNext: true,
      children: [
        {
          name: 'Remind',
          taskType: 'message',
          celCondition: '"Answer" in tasks.timed_out',
          configuration: { text: 'We are still looking for a time for you.' },
          autoNext: true,
        },
      ],
    },
    talk,
  ],
};

/** Asks, reminds after a day, and hands over to a person after two more. */
export const escalation: RevisionTask = {
  name: 'Ask',
  taskType: 'message',
  configuration: { text: 'When can you come, {{ member.name }}?' },
  autoNext: true,
  children: [
    {
      name: 'Answer',
      taskType: 'wait',
      configuration: { event: 'chat:replied', atMost: 'P1D' },
      autoNext: true,
      children: [
        {
          name: 'Remind',
          taskType: 'message',
          celCondition: '"Answer" in tasks.timed_out',
          configuration: { text: 'We are still looking for a time for you.' },
          autoNext: true,
          children: [
            {
              name: 'Late answer',
              taskType: 'wait',
              configuration: { event: 'chat:replied', atMost: 'P2D' },
              autoNext: true,
              children: [
                {
                  name: 'Call the member',
                  taskType: 'handoff',
                  celCondition: '"Late answer" in tasks.timed_out',
                  configuration: { reason: 'The member has not answered for three days.' },
                  autoNext: true,
                },
              ],
            },
          ],
        },
      ],
    },
    talk,
  ],
};

/** Waits until a colleague gives the member the label `approved` or `declined`. */
export const approval: RevisionTask = {
  name: 'Received',
  taskType: 'message',
  configuration: { text: 'Thank you. A colleague looks at it.' },
  autoNext: true,
  children: [
    {
      name: 'Approval',
      taskType: 'wait',
      configuration: {
        condition: '"approved" in member.labels || "declined" in member.labels',
        atMost: 'P7D',
      },
      autoNext: true,
      children: [
        {
          name: 'Decide',
          taskType: 'decision',
          children: [
            {
              name: 'Approved',
              taskType: 'message',
              celCondition: '"approved" in member.labels',
              configuration: { text: 'Good news: it is approved.' },
              autoNext: true,
            },
            {
              name: 'Declined',
              taskType: 'message',
              celCondition: '"declined" in member.labels',
              configuration: { text: 'We are sorry: it is declined.' },
              autoNext: true,
            },
            {
              name: 'Nobody decided',
              taskType: 'handoff',
              configuration: { reason: 'Nobody has decided within a week.' },
              autoNext: true,
            },
          ],
        },
      ],
    },
  ],
};

/** Waits for a value that another system writes, and tells it. The data type `lab` has one record per member. */
export const waitForData: RevisionTask = {
  name: 'Result',
  taskType: 'wait',
  configuration: { condition: 'member.form_data.lab.result != ""', atMost: 'P3D' },
  autoNext: true,
  children: [
    {
      name: 'No result',
      taskType: 'handoff',
      celCondition: '"Result" in tasks.timed_out',
      configuration: { reason: 'The result is not there after three days.' },
      autoNext: true,
    },
    {
      name: 'Tell',
      taskType: 'message',
      configuration: { text: 'Your result: {{ member.form_data.lab.result }}.' },
      autoNext: true,
    },
  ],
};
