import type { Entry } from './entry.js';
import { beyondTarget } from './relation.js';

const rowHeight = 28;
const nameWidth = 230;
const chartWidth = 480;
const valueWidth = 120;
const top = 40;
/** Of a result to its target; what is beyond is drawn at the edge. */
const most = 4;

/**
 * An SVG with a line for each figure, over the benches in which it was measured: higher is better, and the grey line in
 * the middle is the target.
 */
export function drawFigures(entries: readonly Entry[]): string {
  const names = [...new Set(entries.flatMap(({ results }) => results.map(({ name }) => name)))];
  const first = entries[0];
  const last = entries.at(-1);
  const height = top + names.length * rowHeight + 10;
  const width = nameWidth + chartWidth + valueWidth;
  const when = first && last && `${first.date} (${first.commit}) to ${last.date} (${last.commit})`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="12">
<title>Figures of the bench beside their targets</title>
<rect width="${width}" height="${height}" fill="white"/>
<text x="10" y="22" font-size="14">Beside the target (grey), up to ${most} times as good or bad: ${when ?? 'nothing yet'}</text>
${names.map((name, row) => drawRow(entries, name, top + row * rowHeight)).join('\n')}
</svg>
`;
}

function drawRow(entries: readonly Entry[], name: string, y: number): string {
  const middle = y + rowHeight / 2;
  const step = chartWidth / Math.max(1, entries.length - 1);
  const points = entries.flatMap(({ results }, at) => {
    const result = results.find((one) => one.name === name);
    return result === undefined ? [] : [{ x: nameWidth + at * step, beyond: beyondTarget(result) }];
  });
  const drawn = points.map(({ x, beyond }) => `${x.toFixed(1)},${(middle - heightOf(beyond)).toFixed(1)}`);
  const last = points.at(-1)?.beyond ?? 1;
  const colour = last >= 1 ? '#1a7f37' : '#cf222e';
  const [x, at] = drawn.at(-1)?.split(',') ?? [];
  return `<text x="10" y="${middle + 4}">${name}</text>
<line x1="${nameWidth}" x2="${nameWidth + chartWidth}" y1="${middle}" y2="${middle}" stroke="#bbb"/>
<polyline points="${drawn.join(' ')}" fill="none" stroke="${colour}" stroke-width="1.5"/>
<circle cx="${x}" cy="${at}" r="2.5" fill="${colour}"/>
<text x="${nameWidth + chartWidth + 12}" y="${middle + 4}" fill="${colour}">${Number.isFinite(last) ? `${last.toFixed(2)} ×` : 'none'}</text>`;
}

/** Above the line of the target, by the logarithm: twice as good is as far from it as half as good. */
function heightOf(beyond: number): number {
  const bounded = Math.min(most, Math.max(1 / most, beyond));
  return (Math.log(bounded) / Math.log(most)) * (rowHeight / 2 - 3);
}
