import { expect, it } from 'vitest';
import { remoteToolName } from '../../../../domain/definitions/mcp-servers/remote-tool-names.js';

const nameOf = (tool: string, server = 'orders') => remoteToolName({ server, tool });

it('is the name of the tool after that of its server', () => {
  expect(nameOf('find_order')).toBe('orders__find_order');
});

it('is a name that models take, of which no other tool has the same', () => {
  const long = 'x'.repeat(128);
  const names = ['find.order', 'find/order', 'find_order', long, `${long.slice(1)}y`].map((tool) =>
    nameOf(tool),
  );
  for (const name of names) expect(name).toMatch(/^orders__[A-Za-z0-9_-]{1,56}$/);
  expect(new Set(names).size).toBe(names.length);
});
