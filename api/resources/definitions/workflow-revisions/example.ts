/** The tree of the examples, which is also the workflow "Visit reminder" of the demo workspace. */
export const visitReminder = {
  name: 'Reminder',
  taskType: 'conversation' as const,
  prompt:
    'Remind the member of the visit: "You have a visit tomorrow at ten. Will you come? Please answer yes or no."',
  children: [
    {
      name: 'Coming',
      taskType: 'conclude' as const,
      choicePrompt: 'Yes, the member comes',
      configuration: { outcome: 'coming' },
    },
    {
      name: 'Another day',
      taskType: 'conversation' as const,
      choicePrompt: 'No, the member needs another day',
      prompt: 'Ask for the day: "Which day would suit you?"',
      children: [
        {
          name: 'Call back',
          taskType: 'conclude' as const,
          choicePrompt: 'The member has named a day',
          configuration: { outcome: 'call_back', outcomeReason: 'The member needs another day.' },
        },
      ],
    },
  ],
};
