import { expect, it } from 'vitest';
import { statement } from '../../../db/statement.js';
import { useWorkspace } from '../../support/workspace/use-workspace.js';

const setup = useWorkspace();

it.each([
  [[]],
  [['chats:read']],
  [['chats:read', 'data:write:intake', 'nullable']],
  [['']],
  [['', 'with "quotes"', 'with, comma', 'with {braces}', 'with \\ backslash', ' with spaces ']],
  [['null', 'NULL', null]],
  [['{', '[1]', '}']],
  [[null]],
])('the driver reads the text array %j as it was written', async (values) => {
  const rows = await setup.database.database.inIdentity((tx) =>
    statement(tx, 'select ?::text[] as values', [values]),
  );
  expect(rows).toEqual([{ values }]);
});

it('the driver reads nested arrays and arrays with explicit bounds', async () => {
  const rows = await setup.database.database.inIdentity(async (tx) => {
    const answer = await tx.raw(`select '{{a,b},{c,d}}'::text[] as nested, '[5:6]={a,b}'::text[] as bounded`);
    return answer.rows;
  });
  expect(rows).toEqual([
    {
      nested: [
        ['a', 'b'],
        ['c', 'd'],
      ],
      bounded: ['a', 'b'],
    },
  ]);
});
