import { describe, expect, test } from 'vitest';
import { Conversation, plainTool, saveData, selectTask } from './conversation.js';

const complete = plainTool('complete_task');
const birth = { title: 'Date of birth', type: 'string', format: 'date' };
const smoker = { title: 'Do you smoke?', type: 'boolean' };
const both = { birth, smoker };

describe('the simulated model when it speaks', () => {
  test('says the first quoted sentence of the prompt', () => {
    const conversation = new Conversation().task(
      'Greeting',
      'Be kind. Say “Welcome to the clinic!” and "wait".',
    );

    expect(conversation.next()).toBe('Welcome to the clinic!');
  });

  test('composes a sentence from the name and the choices without a quoted one', () => {
    const conversation = new Conversation().task('Appointment', 'Find out.', [
      selectTask({ a: 'keep it', b: 'move it' }),
    ]);

    expect(conversation.next()).toBe(
      'Let us talk about: Appointment. You can choose: (1) keep it, (2) move it.',
    );
  });

  test('ignores messages before its question', () => {
    const conversation = new Conversation().task('Greeting', 'Say "Welcome!"', [complete]).user('Hello?');

    expect(conversation.next()).toBe('Welcome!');
  });

  test.each([
    ['without a task', new Conversation()],
    [
      'in a task with nothing to walk',
      new Conversation().task('Conversation', 'Answer the member.', [plainTool('handoff')]),
    ],
  ])('%s repeats everything that was written', (_, conversation) => {
    expect(conversation.user('One', 'Two').next()).toBe('You wrote: One / Two. How can I help you?');
  });

  test('says the text of a due follow-up, then its question', () => {
    const conversation = new Conversation()
      .task('Greeting', 'Say "Are you well?"', [complete])
      .assistant('Are you well?')
      .note('A follow-up is due: Say "I am back."');

    expect(conversation.next()).toBe('I am back. Are you well?');
  });
});

describe('the simulated model completing a task', () => {
  test('completes it after an answer to the question', () => {
    const conversation = new Conversation()
      .task('Greeting', 'Say "Are you well?"', [complete])
      .assistant('Are you well?')
      .user('Yes, thanks');

    expect(conversation.next()).toEqual(['complete_task', {}]);
  });

  test('recognises a question that was sent in parts', () => {
    const conversation = new Conversation()
      .task('Greeting', 'Say "This is long. Are you well?"', [complete])
      .assistant('This is long.')
      .assistant('Are you well?')
      .user('Yes, thanks');

    expect(conversation.next()).toEqual(['complete_task', {}]);
  });

  test('completes it once, and begins the next task with its own question', () => {
    const conversation = new Conversation()
      .assistant('Are you well?')
      .user('Yes, thanks')
      .toolResult('complete_task', {}, { ok: true })
      .task('Next', 'Say "And your family?"', [complete]);

    expect(conversation.next()).toBe('And your family?');
  });

  test('does not loop if nothing has changed', () => {
    const conversation = new Conversation()
      .task('Greeting', 'Say "Are you well?"', [complete])
      .assistant('Are you well?')
      .user('Yes, thanks')
      .toolResult('complete_task', {}, { ok: true });

    expect(conversation.next()).toBe('Are you well?');
  });
});

describe('the simulated model collecting data', () => {
  test('asks for the first missing field after the text of the prompt', () => {
    const conversation = new Conversation().task('Intake', 'Say "A few questions."', [
      saveData(both, ['birth', 'smoker']),
    ]);

    expect(conversation.next()).toBe('A few questions. Please tell me: Date of birth. (as YYYY-MM-DD)');
  });

  test('saves the coerced answer', () => {
    const conversation = new Conversation()
      .task('Intake', 'Collect.', [saveData(both, ['birth', 'smoker'])])
      .assistant('Please tell me: Date of birth. (as YYYY-MM-DD)')
      .user('It is 12 March 1990');

    expect(conversation.next()).toEqual(['save_data', { birth: '1990-03-12' }]);
  });

  test('continues with the next field after a save', () => {
    const conversation = new Conversation()
      .task('Intake', 'Collect.', [saveData(both, ['smoker'])])
      .assistant('Please tell me: Date of birth. (as YYYY-MM-DD)')
      .user('1990-03-12')
      .toolResult('save_data', { birth: '1990-03-12' }, { saved: ['birth'] });

    expect(conversation.next()).toBe('Please tell me: Do you smoke? (yes or no)');
  });

  test('asks again for an answer that cannot be coerced', () => {
    const conversation = new Conversation()
      .task('Intake', 'Collect.', [saveData(both, ['birth', 'smoker'])])
      .assistant('Please tell me: Date of birth. (as YYYY-MM-DD)')
      .user('in spring');

    expect(conversation.next()).toBe('I could not use that. Please tell me: Date of birth. (as YYYY-MM-DD)');
  });

  test('asks again if the tool refuses the value', () => {
    const conversation = new Conversation()
      .task('Intake', 'Collect.', [saveData(both, ['birth', 'smoker'])])
      .assistant('Please tell me: Date of birth. (as YYYY-MM-DD)')
      .user('2190-03-12')
      .toolResult('save_data', { birth: '2190-03-12' }, { error: 'in the future' });

    expect(conversation.next()).toBe('I could not use that. Please tell me: Date of birth. (as YYYY-MM-DD)');
  });

  test('distinguishes fields whose titles contain each other', () => {
    const properties = {
      name: { title: 'Name', type: 'string' },
      clinic: { title: 'Name of clinic', type: 'string' },
    };
    const conversation = new Conversation()
      .task('Intake', 'Say "I need your name and the name of clinic."', [
        saveData(properties, ['name', 'clinic']),
      ])
      .assistant('I need your name and the name of clinic. Please tell me: Name.')
      .user('Sample Person');

    expect(conversation.next()).toEqual(['save_data', { name: 'Sample Person' }]);
  });

  test('recognises a differently worded question by the title', () => {
    const conversation = new Conversation()
      .task('Intake', 'Collect.', [saveData(both, ['birth', 'smoker'])])
      .assistant('May I know your date of birth')
      .user('1990-03-12');

    expect(conversation.next()).toEqual(['save_data', { birth: '1990-03-12' }]);
  });

  test('uses the last matching one of several messages', () => {
    const conversation = new Conversation()
      .task('Intake', 'Collect.', [saveData(both, ['smoker'])])
      .assistant('Please tell me: Do you smoke? (yes or no)')
      .user('yes', 'sorry, no', 'thank you');

    expect(conversation.next()).toEqual(['save_data', { smoker: false }]);
  });
});

describe('the simulated model choosing a task', () => {
  const choices = {
    'uuid-yes': 'Yes, the member confirms',
    'uuid-no': 'No, another day',
    'uuid-move': 'Move to an earlier hour',
  };
  const asked = () =>
    new Conversation()
      .task('Appointment', 'Say "Does nine suit you?"', [selectTask(choices), complete])
      .assistant('Does nine suit you?');

  test.each([
    ['yes', 'uuid-yes'],
    ['Yep!', 'uuid-yes'],
    ['nope', 'uuid-no'],
    ["I can't", 'uuid-no'],
    ['an earlier hour please', 'uuid-move'],
    ['3', 'uuid-move'],
  ])('understands "%s" as %s', (text, task) => {
    expect(asked().user(text).next()).toEqual(['select_task', { task }]);
  });

  test('asks again with the choices if nothing matches', () => {
    expect(asked().user('banana').next()).toBe(
      'I did not get that. Does nine suit you? You can choose: (1) Yes, the member confirms, (2) No, another day, (3) Move to an earlier hour.',
    );
  });

  test('accepts the answer to a repeated question', () => {
    const conversation = asked().user('banana');
    conversation.assistant(String(conversation.next())).user('2');

    expect(conversation.next()).toEqual(['select_task', { task: 'uuid-no' }]);
  });

  test('does not choose twice for one answer', () => {
    const conversation = asked()
      .user('yes')
      .toolResult('select_task', { task: 'uuid-yes' }, { refused: true });

    expect(conversation.next()).toBe('Does nine suit you?');
  });

  test('chooses a single choice unless the answer says no', () => {
    const single = (text: string) =>
      new Conversation()
        .task('Greeting', 'Say "Shall we begin?"', [selectTask({ only: 'the intake' })])
        .assistant('Shall we begin?')
        .user(text)
        .next();

    expect(single('go ahead')).toEqual(['select_task', { task: 'only' }]);
    expect(single('not now')).toContain('I did not get that.');
  });
});

describe('the simulated model and requests for a person', () => {
  const handoff = plainTool('handoff');
  const asked = (...tools: ReturnType<typeof plainTool>[]) =>
    new Conversation()
      .task('Greeting', 'Say "Are you well?"', [complete, ...tools])
      .assistant('Are you well?');

  test.each(['I want to talk to a person', 'operator', 'Can I speak with someone?', 'a human please'])(
    'hands off for "%s"',
    (text) => {
      expect(asked(handoff).user(text).next()).toEqual([
        'handoff',
        { reason: 'The member asked for a person.' },
      ]);
    },
  );

  test.each(['I work as a crane operator in town', 'I am a happy person'])(
    'does not hand off for "%s"',
    (text) => {
      expect(asked(handoff).user(text).next()).toEqual(['complete_task', {}]);
    },
  );

  test('does not hand off if no handoff is offered', () => {
    expect(asked().user('operator').next()).toEqual(['complete_task', {}]);
  });

  test('confirms the handoff', () => {
    const conversation = asked(handoff).user('operator').toolResult('handoff', {}, { ok: true });

    expect(conversation.next()).toBe('A colleague will answer you here.');
  });
});

describe('the tool calls that a prompt names', () => {
  const sendSms = plainTool('send_sms');
  const prompt = 'Say "Here is the way." and also use send_sms with "Main entrance, second floor."';

  test('are made before the question', () => {
    const conversation = new Conversation().task('Directions', prompt, [complete, sendSms]);

    expect(conversation.next()).toEqual(['send_sms', { text: 'Main entrance, second floor.' }]);
  });

  test('are made only once', () => {
    const conversation = new Conversation()
      .task('Directions', prompt, [complete, sendSms])
      .toolResult('send_sms', { text: 'Main entrance, second floor.' }, { error: 'opted out' });

    expect(conversation.next()).toBe('Here is the way.');
    expect(conversation.assistant('Main entrance, second floor.').next()).toBe('Here is the way.');
    expect(conversation.assistant('Here is the way.').user('Thanks').next()).toEqual(['complete_task', {}]);
  });

  test('read the first data type that is offered', () => {
    const readData = plainTool('read_data', { dataType: { type: 'string', enum: ['intake', 'visit'] } });
    const conversation = new Conversation().task('Check', 'Use read_data, then say "Good."', [readData]);

    expect(conversation.next()).toEqual(['read_data', { dataType: 'intake' }]);
  });

  test('pass a duration for a follow-up', () => {
    const conversation = new Conversation().task(
      'Check',
      'Say "Bye." Then schedule_follow_up in PT20S: "Ask how it went."',
      [plainTool('schedule_follow_up')],
    );

    expect(conversation.next()).toEqual([
      'schedule_follow_up',
      { after: 'PT20S', instructions: 'Ask how it went.' },
    ]);
  });
});
