import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type StartedSystem, startByNpm } from '../../readme/started-system.js';
import { installPythonTools } from '../support/python-tools.js';
import { runProgram } from '../support/run-program.js';
import { runPython } from './run-python.js';

/** The lines that both tours print: every step of docs/tour.md. */
const printedByTour = [
  '1. The workspace: Demo Clinic',
  '2. The workflow: Clinic intake',
  '3. The member: Alex Sample',
  '4. The chat: phone-sms',
  '5. assistant: ',
  '6. The member has answered.',
  '7. The current task: Your details',
  '8. The values of conditions: ',
  '9. The jump is refused: ',
  '10. The assignment: cancelled',
  'Found the assignment: Only trying it out.',
  'Wrong fields: /colour, /phone',
  'Other keys: 403 404',
  'Sent once under one key.',
  'The sample arrived.',
  'The attempts: 503, 200',
  'Delivered again.',
  'Signed in: ',
  'Signed out.',
  'Allowed an origin.',
];

let system: StartedSystem;
let devFile: string;
beforeAll(async () => {
  [system] = await Promise.all([startByNpm(), installPythonTools()]);
  devFile = join(system.folder, '.data', 'dev.json');
});
afterAll(() => system?.stop());

it.each([
  [
    'TypeScript',
    async () => {
      const { code, output } = await runProgram('node_modules/.bin/tsx', [
        'clients/typescript/examples/tour.ts',
        devFile,
      ]);
      expect(code, output).toBe(0);
      return output;
    },
  ],
  ['Python', () => runPython('clients/python/examples/tour.py', [devFile])],
])('the client in %s takes every step of the tour', async (_, run) => {
  const output = await run();
  for (const line of printedByTour) expect(output).toContain(line);
});
