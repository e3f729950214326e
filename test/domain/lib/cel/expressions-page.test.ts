import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { celLimits, environment } from '../../../../domain/lib/cel/environment.js';
import { checkExpression, evaluate } from '../../../../domain/lib/cel.js';
import { celContext } from '../../cel-context.js';

const page = readFileSync(new URL('../../../../docs/expressions.md', import.meta.url), 'utf8');
const rows = [...page.matchAll(/^\| `(\w+)` \| `(.+)` \| `(.+)` \|$/gm)].map(
  ([, name = '', example = '', result = '']) => ({ name, example, result }),
);

describe('the page about expressions', () => {
  it('lists the functions that the service knows', () => {
    // These belong to namespaces that expressions cannot name.
    const hidden = /^(?:OptionalNamespace|CelNamespace|optional)/;
    const known = environment
      .getDefinitions()
      .functions.filter(({ receiverType }) => !hidden.test(receiverType ?? ''))
      .map(({ name }) => name);
    expect(rows.map(({ name }) => name).toSorted()).toEqual([...new Set(known)].toSorted());
  });

  it.each(rows)('has an example of $name: $example', ({ name, example, result }) => {
    expect(example).toContain(`${name}(`);
    expect(checkExpression(example)).toMatchObject({ ok: true });
    expect(evaluate(example, celContext())).toEqual({ ok: true, value: JSON.parse(result) });
  });

  it('has the limits of the service', () => {
    expect(page).toContain(`| length | ${celLimits.maxLength.toLocaleString('en-US')} characters |`);
    expect(page).toContain(`| ${celLimits.maxMacros}, nested ${celLimits.maxMacroNesting} deep |`);
    for (const [limit, words] of [
      ['maxDepth', 'nested 40 deep'],
      ['maxListElements', '| 100, 50 |'],
    ] as const) {
      expect(environment).toHaveProperty(`opts.limits.${limit}`, Number(/\d+/.exec(words)?.[0]));
      expect(page).toContain(words);
    }
  });

  it('begins with expressions that can be saved', () => {
    const block = /```text\n([\s\S]+?)```/.exec(page)?.[1] ?? '';
    for (const expression of block.trim().split('\n')) {
      expect(checkExpression(expression), expression).toMatchObject({ ok: true });
    }
  });
});
