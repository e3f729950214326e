const width = 78;

const answers: [question: RegExp, answer: string][] = [
  // Whatever the clinic answers to the question below; it then asks again.
  [/says: |do not say|ask again later|did not get/i, 'Yes, now is fine'],
  [/prepare your first visit now/i, 'When does the clinic answer calls?'],
  [/full name/i, 'Robin Sample'],
  [/date of birth/i, '1990-03-12'],
  [/reason for the visit/i, 'A sore knee after running'],
  [/pain from 0 to 10/i, '4'],
  [/do you agree/i, 'Yes, I agree'],
];

export function answerTo(question: string): string | undefined {
  return answers.find(([pattern]) => pattern.test(question))?.[1];
}

const eraseLine = '\r\x1b[2K';
let draftIsShown = false;

/** Shows what is being written, until the next line: only a terminal can take back what it shows. */
export function showDraft(text: string): void {
  const { isTTY, columns } = process.stdout;
  if (!isTTY) return;
  const oneLine = text.replaceAll('\n', ' ');
  process.stdout.write(eraseLine + oneLine.slice(-((columns ?? 80) - 1)));
  draftIsShown = true;
}

export function eraseDraft(): void {
  if (draftIsShown) process.stdout.write(eraseLine);
  draftIsShown = false;
}

/** Prints a line of the demo: messages on the left, the state of the run on the right. */
export function printLine(text: string, beside = ''): void {
  eraseDraft();
  for (const [index, part] of wrap(text).entries()) {
    console.log(index === 0 && beside !== '' ? `${part.padEnd(width)} │ ${beside}` : part);
  }
}

export function printHeading(text: string): void {
  console.log(`\n${text}\n${'─'.repeat(text.length)}`);
}

function wrap(text: string): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + word.length + 1 > width) {
      lines.push(line);
      line = '             ';
    }
    line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line];
}
