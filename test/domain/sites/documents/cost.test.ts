import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { checkDocument } from '../../../../domain/sites/documents/check-document.js';
import { documentLimits } from '../../../../domain/sites/documents/limits.js';
import { renderDocument } from '../../../../domain/sites/documents/render-document.js';
import { processorMsOf } from '../../../support/lib/processor-ms.js';
import { doc, marked, node, p, type TestNode } from './build.js';

const allMarks = ['bold', 'italic', 'strike', 'underline', 'highlight', 'subscript', 'superscript'];

/** As many of a node as fit into `bytes`. */
function filled(one: TestNode, bytes: number): TestNode[] {
  return Array(Math.floor(bytes / (JSON.stringify(one).length + 1))).fill(one);
}

const nodesOf = (block: number) => documentLimits.blockBytes - block;
const cell = node('tableCell', { colspan: 50 }, p('a'));
let quotes: TestNode = p('x');
for (let at = 0; at < documentLimits.levels - 3; at += 1) quotes = node('blockquote', {}, quotes);

/** Blocks of the largest size, each expensive in another way. */
const expensive: [string, TestNode][] = [
  ['spaces', p(`a${' '.repeat(nodesOf(200))}b`)],
  ['signs of Markdown', p('*_[]`<>&~|'.repeat(nodesOf(200) / 10))],
  ['signs of headings', node('heading', { level: 1 }, { type: 'text', text: '#'.repeat(nodesOf(200)) })],
  ['signs of lists', p('1.'.repeat(nodesOf(200) / 2))],
  ['ampersands', p('&'.repeat(nodesOf(200)))],
  ['quotation marks', node('image', { src: '/a.png', alt: '"'.repeat(500), title: '"'.repeat(500) })],
  ['short texts with marks', p(...filled(marked('a', ...allMarks), nodesOf(200)))],
  [
    'marks in turn',
    p(...filled(marked('a ', 'bold'), nodesOf(200) / 3).flatMap((a) => [a, marked(' b', 'italic')])),
  ],
  ['line breaks', p(...filled({ type: 'hardBreak' }, nodesOf(200)))],
  ['cells', node('table', {}, ...filled(node('tableRow', {}, cell), nodesOf(200)))],
  ['one row', node('table', {}, node('tableRow', {}, ...filled(cell, nodesOf(400))))],
  [
    'deep quotes',
    node(
      'blockquote',
      {},
      ...filled(quotes.content ? ((quotes.content as TestNode[])[0] ?? p()) : p(), nodesOf(200)),
    ),
  ],
  ['backticks', p(marked('`'.repeat(nodesOf(400)), 'code'))],
  ['lines of code', node('codeBlock', {}, { type: 'text', text: '\n'.repeat(nodesOf(400) / 2) })],
];

describe('the rendering of the largest blocks is bounded', () => {
  test.each(expensive)('%s', async (_, block) => {
    const document = checkDocument(doc(block));
    const rendered = await renderDocument(document);
    const source = JSON.stringify(block).length;
    for (const [format, text] of Object.entries(rendered)) {
      expect.soft(text.length, format).toBeLessThan(10 * source + 2_000);
    }
  });

  test('no block keeps the event loop for long, also while the whole document is rendered', async () => {
    const times = new Map<string, number>();
    for (const [name, block] of expensive) {
      const document = checkDocument(doc(block));
      times.set(name, await processorMsOf(() => renderDocument(document)));
    }
    // Generous, for slow machines; a quadratic rule takes seconds.
    expect([...times].filter(([, ms]) => ms > 500)).toEqual([]);
  });

  test('other work is done between the blocks once they have taken their time', async () => {
    const document = checkDocument(doc(...Array(12).fill(p('a'))));
    let turns = 0;
    let isDone = false;
    const others = (async () => {
      while (!isDone) {
        await turn();
        turns += 1;
      }
    })();
    await renderDocument(document, 0);
    isDone = true;
    await others;
    expect(turns).toBeGreaterThanOrEqual(10);
  });
});
