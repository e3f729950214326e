import { describe, expect, test } from 'vitest';
import { Conversation, plainTool, saveData, selectTask } from './conversation.js';

interface Walk {
  what: string;
  talk: Conversation;
  next: string | [string, unknown];
}
const complete = plainTool('complete_task');
const task = (...given: Parameters<Conversation['task']>) => new Conversation().task(...given);

describe('the simulated model when it speaks', () => {
  test.each<Walk>([
    {
      what: 'says the first quoted sentence of the prompt',
      talk: task('Greeting', 'Be kind. Say “Welcome to the clinic!” and "wait".'),
      next: 'Welcome to the clinic!',
    },
    {
      what: 'composes a sentence from the name and the choices without a quoted one',
      talk: task('Appointment', 'Find out.', [selectTask({ a: 'keep it', b: 'move it' })]),
      next: 'Let us talk about: Appointment. You can choose:\n1. keep it\n2. move it',
    },
    {
      what: 'ignores messages before its question',
      talk: task('Greeting', 'Say "Welcome!"', [complete]).user('Hello?'),
      next: 'Welcome!',
    },
    {
      what: 'repeats everything that was written without a task',
      talk: new Conversation().user('One', 'Two'),
      next: 'You wrote: One / Two. How can I help you?',
    },
    {
      what: 'repeats no note of a colleague, only what the person wrote',
      talk: new Conversation().user('The chair').noteOfColleague('Returned to the agent: "Settled"'),
      next: 'You wrote: The chair. How can I help you?',
    },
    {
      what: 'repeats everything that was written in a task with nothing to walk',
      talk: task('Conversation', 'Answer the member.', [plainTool('handoff')]).user('One', 'Two'),
      next: 'You wrote: One / Two. How can I help you?',
    },
    {
      what: 'says the text of a due follow-up, then its question',
      talk: task('Greeting', 'Say "Are you well?"', [complete])
        .assistant('Are you well?')
        .note('A follow-up is due: Say "I am back."'),
      next: 'I am back. Are you well?',
    },
  ])('$what', ({ talk, next }) => {
    expect(talk.next()).toBe(next);
  });
});

describe('the simulated model that suggests answers', () => {
  const prompt = 'Say "Are you well?" and use suggest_answers "Yes / No".';

  test('proposes those that the prompt names, then asks its question', () => {
    const talk = task('Greeting', prompt, [complete, plainTool('suggest_answers')]);
    expect(talk.next()).toEqual(['suggest_answers', { answers: ['Yes', 'No'] }]);
  });
});

describe('the simulated model on the phone', () => {
  const forward = {
    name: 'forward_call',
    description: 'Transfer the call.',
    parameters: { type: 'object', properties: { target: { type: 'string', enum: ['front_desk'] } } },
  };
  const wished = 'Please connect me with the front desk';
  const args = { target: 'front_desk', facts: `The caller said: ${wished}` };
  const asked = () =>
    task('Visit', 'Say "Why do you come?"', [complete, forward]).assistant('Why do you come?').user(wished);

  test('transfers the call to who is asked for, and says so', () => {
    expect(asked().next()).toEqual(['forward_call', args]);
    expect(asked().toolResult('forward_call', args, { ok: true }).next()).toBe(
      'I connect you with the front desk.',
    );
    expect(asked().toolResult('forward_call', args, { ok: false }).next()).toBe('I cannot connect you now.');
  });

  test.each([
    ['busy', 'The front desk is busy. Why do you come?'],
    ['no-answer', 'The front desk does not answer. Why do you come?'],
  ])('says that a transfer has failed (%s), and asks again', (why, next) => {
    const talk = asked().assistant('I connect you with the front desk.');
    expect(talk.note(`The transfer to front_desk did not come about (${why}): it is back.`).next()).toBe(
      next,
    );
  });
});

describe('the simulated model completing a task', () => {
  const asked = () => task('Greeting', 'Say "Are you well?"', [complete]).assistant('Are you well?');

  test.each<Walk>([
    {
      what: 'completes it after an answer to the question',
      talk: asked().user('Yes, thanks'),
      next: ['complete_task', {}],
    },
    {
      what: 'recognises a question that was sent in parts',
      talk: task('Greeting', 'Say "This is long. Are you well?"', [complete])
        .assistant('This is long.')
        .assistant('Are you well?')
        .user('Yes, thanks'),
      next: ['complete_task', {}],
    },
    {
      what: 'completes it once, and begins the next task with its own question',
      talk: new Conversation()
        .assistant('Are you well?')
        .user('Yes, thanks')
        .toolResult('complete_task', {}, { ok: true })
        .task('Next', 'Say "And your family?"', [complete]),
      next: 'And your family?',
    },
    {
      what: 'does not loop if nothing has changed',
      talk: asked().user('Yes, thanks').toolResult('complete_task', {}, { ok: true }),
      next: 'Are you well?',
    },
  ])('$what', ({ talk, next }) => {
    expect(talk.next()).toEqual(next);
  });
});

describe('the simulated model collecting data', () => {
  const fields = {
    birth: { title: 'Date of birth', type: 'string', format: 'date' },
    smoker: { title: 'Do you smoke?', type: 'boolean' },
  };
  const names = {
    name: { title: 'Name', type: 'string' },
    clinic: { title: 'Name of clinic', type: 'string' },
  };
  const askBirth = 'Please tell me: Date of birth. (as YYYY-MM-DD)';
  const askSmoker = 'Please tell me: Do you smoke? (yes or no)';
  const collecting = (...missing: string[]) => task('Intake', 'Collect.', [saveData(fields, missing)]);

  test.each<Walk>([
    {
      what: 'asks for the first missing field after the text of the prompt',
      talk: task('Intake', 'Say "A few questions."', [saveData(fields, ['birth', 'smoker'])]),
      next: `A few questions. ${askBirth}`,
    },
    {
      what: 'saves the coerced answer',
      talk: collecting('birth', 'smoker').assistant(askBirth).user('It is 12 March 1990'),
      next: ['save_data', { birth: '1990-03-12' }],
    },
    {
      what: 'continues with the next field after a save',
      talk: collecting('smoker')
        .assistant(askBirth)
        .user('1990-03-12')
        .toolResult('save_data', { birth: '1990-03-12' }, { saved: ['birth'] }),
      next: askSmoker,
    },
    {
      what: 'asks again for an answer that cannot be coerced',
      talk: collecting('birth', 'smoker').assistant(askBirth).user('in spring'),
      next: `I could not use that. ${askBirth}`,
    },
    {
      what: 'asks again if the tool refuses the value',
      talk: collecting('birth', 'smoker')
        .assistant(askBirth)
        .user('2190-03-12')
        .toolResult('save_data', { birth: '2190-03-12' }, { error: 'in the future' }),
      next: `I could not use that. ${askBirth}`,
    },
    {
      what: 'distinguishes fields whose titles contain each other',
      talk: task('Intake', 'Say "I need your name and the name of clinic."', [
        saveData(names, ['name', 'clinic']),
      ])
        .assistant('I need your name and the name of clinic. Please tell me: Name.')
        .user('Sample Person'),
      next: ['save_data', { name: 'Sample Person' }],
    },
    {
      what: 'recognises a differently worded question by the title',
      talk: collecting('birth', 'smoker').assistant('May I know your date of birth').user('1990-03-12'),
      next: ['save_data', { birth: '1990-03-12' }],
    },
    {
      what: 'uses the last matching one of several messages',
      talk: collecting('smoker').assistant(askSmoker).user('yes', 'sorry, no', 'thank you'),
      next: ['save_data', { smoker: false }],
    },
  ])('$what', ({ talk, next }) => {
    expect(talk.next()).toEqual(next);
  });
});

describe('the simulated model choosing a task', () => {
  const choices = {
    'uuid-yes': 'Yes, the member confirms',
    'uuid-no': 'No, another day',
    'uuid-move': 'Move to an earlier hour',
  };
  const asked = () =>
    task('Appointment', 'Say "Does nine suit you?"', [selectTask(choices), complete]).assistant(
      'Does nine suit you?',
    );

  test.each([
    ['yes', 'uuid-yes'],
    ['Yep!', 'uuid-yes'],
    ['nope', 'uuid-no'],
    ["I can't", 'uuid-no'],
    ['an earlier hour please', 'uuid-move'],
    ['3', 'uuid-move'],
  ])('understands "%s" as %s', (text, chosen) => {
    expect(asked().user(text).next()).toEqual(['select_task', { task: chosen }]);
  });

  test('asks again with the choices if nothing matches', () => {
    expect(asked().user('banana').next()).toBe(
      'I did not get that. Does nine suit you? You can choose:\n1. Yes, the member confirms\n2. No, another day\n3. Move to an earlier hour',
    );
  });

  test('accepts the answer to a repeated question', () => {
    const conversation = asked().user('banana');
    conversation.assistant(String(conversation.next())).user('2');
    expect(conversation.next()).toEqual(['select_task', { task: 'uuid-no' }]);
  });

  test('does not choose twice for one answer', () => {
    const answered = asked().user('yes');
    const refused = answered.toolResult('select_task', { task: 'uuid-yes' }, { refused: true });
    expect(refused.next()).toBe('Does nine suit you?');
  });

  test('chooses a single choice unless the answer says no', () => {
    const single = (text: string) =>
      task('Greeting', 'Say "Shall we begin?"', [selectTask({ only: 'the intake' })])
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
    task('Greeting', 'Say "Are you well?"', [complete, ...tools]).assistant('Are you well?');

  test.each(['I want to talk to a person', 'operator', 'Can I speak with someone?', 'a human please'])(
    'hands off for "%s"',
    (text) => {
      const reason = 'The member asked for a person.';
      expect(asked(handoff).user(text).next()).toEqual(['handoff', { reason }]);
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

describe('the simulated model that can search files', () => {
  const tools = [plainTool('search_files'), selectTask({ a: 'Yes', b: 'No' })];
  const asked = () => task('Begin', 'Say "Shall we begin?"', tools).assistant('Shall we begin?');
  const question = 'When do you answer calls?';
  const searched = (result: object) =>
    asked()
      .user(question)
      .toolResult('search_files', { query: question }, { ok: true, ...result });

  test.each<Walk>([
    {
      what: 'searches them for a question',
      talk: asked().user(question),
      next: ['search_files', { query: question }],
    },
    {
      what: 'quotes the sentence that fits, with its file and page, and asks again',
      talk: searched({
        passages: [
          { file: 'Prices', text: 'A visit is 80.' },
          { file: 'Opening', page: 2, text: 'Come in.\nWe answer calls from 8 to 18. Welcome!' },
        ],
      }),
      next: '“Opening”, page 2 says: We answer calls from 8 to 18. Shall we begin?',
    },
    {
      what: 'says that the files do not say',
      talk: searched({ passages: [] }),
      next: 'Our files do not say. Shall we begin?',
    },
    {
      what: 'says that files have yet to be read',
      talk: searched({ passages: [], filesNotIndexedYet: 1 }),
      next: 'Some of our files have yet to be read; please ask again later. Shall we begin?',
    },
    {
      what: 'goes on with the answer to its question',
      talk: searched({ passages: [] }).assistant('Our files do not say. Shall we begin?').user('yes'),
      next: ['select_task', { task: 'a' }],
    },
  ])('$what', ({ talk, next }) => {
    expect(talk.next()).toEqual(next);
  });
});

describe('the tool calls that a prompt names', () => {
  const prompt = 'Say "Here is the way." and also use send_sms with "Main entrance, second floor."';
  const directions = () => task('Directions', prompt, [complete, plainTool('send_sms')]);

  test.each<Walk>([
    {
      what: 'are made before the question',
      talk: directions(),
      next: ['send_sms', { text: 'Main entrance, second floor.' }],
    },
    {
      what: 'read the first data type that is offered',
      talk: task('Check', 'Use read_data, then say "Good."', [
        plainTool('read_data', { dataType: { type: 'string', enum: ['intake', 'visit'] } }),
      ]),
      next: ['read_data', { dataType: 'intake' }],
    },
    {
      what: 'pass a duration for a follow-up',
      talk: task('Check', 'Say "Bye." Then schedule_follow_up in PT20S: "Ask how it went."', [
        plainTool('schedule_follow_up'),
      ]),
      next: ['schedule_follow_up', { after: 'PT20S', instructions: 'Ask how it went.' }],
    },
  ])('$what', ({ talk, next }) => {
    expect(talk.next()).toEqual(next);
  });

  test('are made only once', () => {
    const text = 'Main entrance, second floor.';
    const talk = directions().toolResult('send_sms', { text }, { error: 'opted out' });
    expect(talk.next()).toBe('Here is the way.');
    expect(talk.assistant('Main entrance, second floor.').next()).toBe('Here is the way.');
    expect(talk.assistant('Here is the way.').user('Thanks').next()).toEqual(['complete_task', {}]);
  });
});
