/** A tree that can be published: asks, then ends one way or the other. */
export function sampleTasks() {
  return {
    name: 'Welcome',
    taskType: 'conversation',
    prompt: 'Greet {{ member.name }} and ask whether now is a good time.',
    abilities: [{ abilityType: 'handoff' }],
    children: [
      {
        name: 'Now',
        taskType: 'message',
        choicePrompt: 'Now is fine',
        configuration: { text: 'Thank you, {{ member.name }}.' },
        required: true,
        autoNext: true,
        children: [{ name: 'Done', taskType: 'conclude', configuration: { outcome: 'finished' } }],
      },
      {
        name: 'Later',
        taskType: 'wait',
        choicePrompt: 'Another time',
        celCondition: 'chat.channel == "phone-sms"',
        configuration: { for: 'P1D', unlessReply: true },
      },
    ],
  };
}
