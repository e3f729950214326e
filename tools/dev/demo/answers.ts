/** The answers of the demo's member, by question. */
const answers: [question: RegExp, answer: string][] = [
  [/prepare your first visit now/i, 'Yes, now is fine'],
  [/full name/i, 'Robin Sample'],
  [/date of birth/i, '1990-03-12'],
  [/reason for the visit/i, 'A sore knee after running'],
  [/pain from 0 to 10/i, '4'],
  [/do you agree/i, 'Yes, I agree'],
];

export function answerTo(question: string): string | undefined {
  return answers.find(([pattern]) => pattern.test(question))?.[1];
}
