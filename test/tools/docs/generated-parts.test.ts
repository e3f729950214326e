import { expect, it } from 'vitest';
import { withGeneratedParts } from '../../../tools/docs/generated-parts.js';
import { tables } from '../../../tools/docs/tables.js';

const part = (name: string, content = '') => `<!-- generated: ${name} -->\n${content}<!-- end -->\n`;
const all = Object.keys(tables).map((name) => part(name, '\noutdated\n\n'));

it('replaces what stands in the generated parts, and nothing else', () => {
  const written = withGeneratedParts(`# Page\n\n${all.join('\nBetween\n\n')}After\n`, tables);
  expect(written).not.toContain('outdated');
  expect(written.match(/^Between$/gm)).toHaveLength(all.length - 1);
  expect(written).toMatch(/^# Page\n\n<!-- generated: task types -->\n\n\| `taskType` \|/);
  expect(written).toMatch(/<!-- end -->\nAfter\n$/);
  expect(withGeneratedParts(written, tables)).toBe(written);
});

it('refuses a page that lacks a part, has it twice, or names an unknown one', () => {
  expect(() => withGeneratedParts(all.slice(1).join(''), tables)).toThrow(
    'lacks its generated parts: task types',
  );
  expect(() => withGeneratedParts([...all, all[0]].join(''), tables)).toThrow('"task types"');
  expect(() => withGeneratedParts([...all, part('toString')].join(''), tables)).toThrow('"toString"');
});
