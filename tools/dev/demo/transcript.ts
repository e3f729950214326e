const width = 78;

/** Prints the demo as it happens: messages on the left, the state of the run on the right. */
export class Transcript {
  line(text: string, beside = ''): void {
    const lines = wrap(text, width);
    for (const [index, part] of lines.entries()) {
      console.log(index === 0 && beside !== '' ? `${part.padEnd(width)} │ ${beside}` : part);
    }
  }

  heading(text: string): void {
    console.log(`\n${text}\n${'─'.repeat(text.length)}`);
  }
}

function wrap(text: string, limit: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + word.length + 1 > limit) {
      lines.push(line);
      line = '             ';
    }
    line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line];
}
