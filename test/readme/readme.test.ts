import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adminClient } from '../../tools/dev/demo/api-client.js';
import { cacheFolder } from '../../tools/dev/provision/find-temporal.js';
import { isOfVersions, linesOf, pagesOfRequests, ranBy, ranByNothing, sentByCron } from './commands.js';
import { blocksIn, type Page, projectFolder, readPage } from './markdown.js';
import { type BlockOutcome, type Outcome, run, runBlocks } from './shell.js';
import { type StartedSystem, startByNpm } from './started-system.js';

const readme = await readPage('README.md');
const tour = await readPage('docs/tour.md');
const guide = await readPage('docs/workflows.md');
const containers = await readPage('docs/containers.md');

const [variables = ''] = blocksIn(tour, 'sh');

/** Of a page whose other blocks run: what needs more than the system, or has a test of its own. */
const isRunElsewhere = (block: string) =>
  isOfVersions(block) ||
  linesOf(block).every((line) => [...ranBy, ...ranByNothing].some(([command]) => command.test(line)));
const isForPrograms = (block: string) => /^(npm|docker) /.test(block);
const callsIn = (page: Page) => blocksIn(page, 'sh').filter((block) => !isForPrograms(block));
const programs = [readme, tour, guide, containers]
  .flatMap((page) => blocksIn(page, 'sh'))
  .filter(isForPrograms)
  .flatMap((block) => block.split(/\n(?! )/));

describe('the commands of README, tour and guide, on a system that npm start has started', () => {
  let system: StartedSystem;
  let firstCalls: BlockOutcome[];
  let outcomes: BlockOutcome[];
  let guided: BlockOutcome[];
  let printed: Outcome;

  beforeAll(async () => {
    system = await startByNpm();
    const shell = { cwd: system.folder, env: system.environment };
    firstCalls = await runBlocks(callsIn(readme), shell);
    // Printing compiles first, which takes as long as the tour waits for runs.
    [outcomes, printed] = await Promise.all([
      runBlocks(callsIn(tour), shell),
      run('npm', ['run', '--silent', 'openapi'], { cwd: projectFolder }),
    ]);
    guided = await runBlocks(callsIn(guide), shell);
  }, 600_000);
  afterAll(() => system?.stop());

  /** The outcome of the block that contains this text. */
  function outcomeOf(text: string): BlockOutcome {
    const found = outcomes.filter((outcome) => outcome.code.includes(text));
    expect(found, text).toHaveLength(1);
    return found[0] as BlockOutcome;
  }

  /** The printed response bodies of a block, with the statuses of its last requests. */
  function answersOf(text: string): { status: number | undefined; body: unknown }[] {
    const { output, statuses } = outcomeOf(text);
    const bodies = output.split('\n').filter((line) => line !== '');
    const last = statuses.slice(-bodies.length);
    return bodies.map((line, index) => ({ status: last[index], body: JSON.parse(line) }));
  }

  it('contain ten calls, and every block succeeds', () => {
    expect(tour.text.match(/^\d+\. .*\n(?: {3}.*\n)*\n```sh$/gm)).toHaveLength(10);
    expect(outcomes.filter((outcome) => outcome.exitCode !== 0)).toEqual([]);
  });

  it('find the addresses saved once the api answers', () => {
    expect(system.answeredWhenSaved).toBe(true);
  });

  it('are three calls in the README, all answered with 200', () => {
    expect(firstCalls.filter((outcome) => outcome.exitCode !== 0)).toEqual([]);
    expect(firstCalls.flatMap((outcome) => outcome.statuses)).toEqual([200, 200, 200]);
  });

  it('show the workspace', () => {
    const workspace = { uuid: system.dev.workspaceUuid, name: 'Demo Clinic' };
    expect(answersOf('"$AUTH" "$W"')).toMatchObject([{ status: 200, body: workspace }]);
  });

  it.each([
    {
      what: 'list the workflows',
      call: '/workflows?search',
      body: { items: [{ name: 'Clinic intake', activeRevisionNumber: 1, canUse: true }], total: 1 },
    },
    {
      what: 'create a member',
      call: 'Alex Sample',
      status: 201,
      body: { name: 'Alex Sample', phone: expect.stringMatching(/^\+1555\d{7}$/) },
    },
    {
      what: 'create an SMS chat with the workflow and thereby an assignment',
      call: '"channel\\": \\"phone-sms',
      status: 201,
      body: { channel: 'phone-sms', assignmentId: expect.any(Number), currentTaskName: 'Welcome' },
    },
    {
      what: 'read the message of the agent',
      call: 'messages?limit=5',
      body: [
        {
          role: 'assistant',
          content: expect.stringContaining('Shall we prepare your first visit now?'),
          smsDeliveryStatus: expect.stringMatching(/^(sent|delivered)$/),
        },
      ],
    },
    {
      what: 'answer as the member',
      call: '/simulator/handsets/',
      status: 201,
      body: {
        direction: 'inbound',
        to: '+15550100100',
        status: 'received',
        webhook: [{ outcome: 'answered', httpStatus: 200 }],
      },
    },
    {
      what: 'see the current task',
      call: '/current-task-detail',
      body: { taskName: 'Your details', taskType: 'collect', parentTaskName: 'Begin' },
    },
    {
      what: 'read the condition context without the member’s records',
      call: '/cel-context',
      body: {
        member: { name: 'Alex Sample', form_data: {}, data: {} },
        tasks: { visited: ['Welcome', 'Begin', 'Your details'], current: 'Your details' },
      },
    },
    {
      what: 'get a jump rejected by the guard',
      call: '/select',
      status: 400,
      body: { code: 'task_not_allowed', detail: expect.stringContaining('"Agreed" in tasks.visited') },
    },
    {
      what: 'cancel the assignment',
      call: '/cancel"',
      body: { status: 'cancelled', outcomeReason: 'Only trying it out.' },
    },
    {
      what: 'list assignments',
      call: '/assignments?memberId',
      body: { items: [{ status: 'cancelled' }], total: 1, page: 1, pageSize: 5, totalPages: 1 },
    },
  ])('$what', ({ call, status = 200, body }) => {
    expect(answersOf(call)).toMatchObject([{ status, body }]);
  });

  it('get every wrong field reported', () => {
    const errors = ['/colour', '/phone'].map((pointer) => expect.objectContaining({ pointer }));
    const problem = { code: 'validation_failed', errors: expect.arrayContaining(errors) };
    expect(answersOf('"colour"')).toMatchObject([{ status: 400, body: problem }]);
  });

  it('show a member only its own data, and nothing of another workspace', () => {
    expect(answersOf('otherAdminApiKey')).toMatchObject([
      { status: 403, body: { code: 'forbidden' } },
      { status: 404, body: { code: 'not_found' } },
    ]);
  });

  it('send a message once under an Idempotency-Key', () => {
    const [first, again] = answersOf('We are open until six');
    expect(first).toMatchObject({ status: 201, body: { success: true, message: { role: 'assistant' } } });
    expect(again).toEqual(first);
  });

  it('make a change once with the ETag that was read', () => {
    expect(answersOf('If-Match')).toMatchObject([
      { status: 200, body: { name: 'Clinic intake' } },
      { status: 412, body: { code: 'precondition_failed' } },
    ]);
  });

  it('deliver signed events to a receiver, with a retry after a failure', () => {
    const [sample, received] = answersOf('"$RULES/test"');
    expect(sample?.body).toMatchObject({ trigger: 'test', status: 'pending' });
    expect(received).toMatchObject({
      status: 200,
      body: [{ name: expect.stringMatching(/^members-\d+$/), signature: 'valid' }],
    });
    expect(outcomeOf('hooks/$HOOK/secret').statuses).toEqual([201, 204]);

    const attempts = [
      { number: 1, statusCode: 503 },
      { number: 2, statusCode: 200 },
    ];
    expect(answersOf('/attempts"').at(-1)).toMatchObject({ status: 200, body: { items: attempts } });

    const [redelivery, summary] = answersOf('/redeliver"');
    expect(redelivery?.body).toMatchObject({ trigger: 'redelivery' });
    const twice = { came: 3, taken: 2, answers: { 200: 2, 503: 1 }, sameBody: true };
    expect(summary).toMatchObject({ body: { came: 4, taken: 3, webhooks: [{ came: 1 }, twice] } });
  });

  it('delete the rule at the end, so that the calls can be repeated', () => {
    expect(outcomeOf('-X DELETE "$RULES"').statuses).toEqual([204]);
  });

  it('sign in with a code and sign out', () => {
    expect(answersOf('-c .data/cookies')).toMatchObject([{ status: 201, body: { current: true } }]);
    const { output, statuses } = outcomeOf('-b .data/cookies');
    expect(JSON.parse(output)).toMatchObject({ loggedIn: true, email: system.dev.adminEmail });
    expect(statuses.slice(-2)).toEqual([200, 204]);
  });

  it('read the OpenAPI document that the script prints too', () => {
    const [served] = answersOf('openapi.json');
    expect(served).toMatchObject({ status: 200, body: { openapi: '3.1.0' } });
    expect(JSON.parse(printed.stdout)).toEqual(served?.body);
  });

  it('lead from nothing to a workflow that a member has answered in a web chat', () => {
    const [, fromNothing] = guide.text.split(/^## From nothing.*$/m);
    const [steps] = fromNothing?.split(/^## /m) ?? [];
    expect(steps?.match(/^\d+\. .*\n(?:.*\n)*?\n```sh$/gm)).toHaveLength(10);
    expect(guided.filter(({ exitCode }) => exitCode !== 0)).toEqual([]);
    expect(guided.flatMap(({ statuses }) => statuses).filter((status) => status >= 300)).toEqual([]);
    const outputOf = (text: string) => guided.find(({ code }) => code.includes(text))?.output ?? '';
    const walked = { status: 'completed', outcome: 'good' };
    expect(JSON.parse(outputOf('/simulate'))).toMatchObject(walked);
    expect(JSON.parse(outputOf('"status":"completed"').split('\n').at(-1) ?? '')).toMatchObject(walked);
    expect(outputOf('temporalUi')).toMatch(/^http:.*\/namespaces\/default\/workflows\/assignment-[\w-]{36}$/);
  });

  it('find the run by workspace, member and id', () => {
    const { output } = outcomeOf('temporal workflow list');
    expect(output.match(/Canceled +assignment-[\w-]+ +runAssignment/g)).toHaveLength(2);
    expect(output).toMatch(/deliveries-[\w-]+ +deliverMessages/);
    expect(output).toMatch(/StaticSummary +"Clinic intake: assignment \d+ of member \d+"/);
  });

  it('play the example workflow, and check its walks', async () => {
    const options = { cwd: projectFolder, env: system.environment };
    const checked = await run('npm', ['run', 'play', '--', 'docs/example-workflows'], options);
    expect(checked.stdout).toContain('3 passed, 0 failed');
    const file = 'docs/example-workflows/after-the-visit.yaml';
    const played = await run('bash', ['-c', `echo /quit | npm run --silent play -- ${file}`], options);
    expect(played).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('Hello Robin Sample') });
  }, 150_000);

  it('run the demo to its end', async () => {
    const demo = await run('npm', ['run', 'demo'], { cwd: projectFolder, env: system.environment });
    expect(demo.stdout.replace(/\s+/g, ' ')).toContain(
      '"After your visit" says: The clinic answers calls on weekdays',
    );
    expect(demo.stdout).toContain('refused: task_not_allowed');
    const webhook = /webhook +data_record:changed: record \d+ was created; signature valid, answered 200/;
    expect(demo.stdout).toMatch(webhook);
    expect(demo.stdout).toMatch(/status +completed/);
    expect(demo.exitCode).toBe(0);
  }, 150_000);

  it('run the demo by voice: an interruption, a transfer that is busy, the cost and the recording', async () => {
    const options = { cwd: projectFolder, env: system.environment };
    const demo = await run('npm', ['run', 'demo', '--', '--channel', 'voice'], options);
    const shown = demo.stdout.replace(/\s+/g, ' ');
    expect(shown).toContain('… (interrupted: “When does the clinic answer calls?”)');
    expect(shown).toContain('member ← Please connect me with the front desk');
    expect(shown).toContain('clinic → I connect you with the front desk.');
    expect(shown).toContain('clinic → The front desk is busy.');
    expect(shown).toContain('status completed: forward, busy');
    expect(shown).toMatch(/lasted \d+ seconds, \d*\.?\d+ credits/);
    const [, bytes, command = ''] = /recording (\d{5,}) bytes, [^:]+: (curl .+? -o \S+)/.exec(shown) ?? [];
    expect(await run('sh', ['-c', command], { ...options, cwd: system.folder })).toMatchObject({
      exitCode: 0,
    });
    const recording = await readFile(join(system.folder, command.split(' ').at(-1) ?? ''));
    expect([recording.subarray(0, 4).toString(), recording.length]).toEqual(['RIFF', Number(bytes)]);
    expect(shown).toMatch(/outcome intake_complete/);
    expect(demo.exitCode).toBe(0);
  }, 150_000);

  it('run the demo of an AI client: from the 401 to a token, a jump that a guard refuses, and the outcome', async () => {
    const options = { cwd: projectFolder, env: system.environment };
    const demo = await run('npm', ['run', 'demo', '--', '--mcp'], options);
    const shown = demo.stdout.replace(/\s+/g, ' ');
    expect(shown).toMatch(/no token 401: see http\S+oauth-protected-resource\/api\/v2\/mcp/);
    expect(shown).toMatch(/token for http\S+\/api\/v2\/mcp, valid for \d+ seconds/);
    expect(shown).toMatch(/tools \d+: get_own_member, list_members/);
    expect(shown).toMatch(/member ← Yes, now is fine │ select_task/);
    expect(shown).toContain('to “Done” by select_task │ refused');
    expect(shown.match(/member ← A sore knee after running/g)).toHaveLength(1);
    expect(shown).toContain('completed: intake_complete');
    expect(demo.exitCode).toBe(0);
  }, 150_000);

  it('run the demo by email', async () => {
    const options = { cwd: projectFolder, env: system.environment };
    const demo = await run('npm', ['run', 'demo', '--', '--channel', 'email'], options);
    expect(demo.stdout).toMatch(/status +completed/);
    expect(demo.exitCode).toBe(0);
  }, 150_000);

  it.each(['the first time', 'again'])(
    'run the demo in a web chat with streamed replies, %s',
    async () => {
      const options = { cwd: projectFolder, env: system.environment };
      const demo = await run('npm', ['run', 'demo', '--', '--channel', 'web-chat'], options);
      expect(demo.stdout).toContain('the clinic is typing');
      expect(demo.stdout.match(/member +← +A sore knee after running/g)).toHaveLength(1);
      expect(demo.stdout).toContain('Your visit is prepared.');
      const inOrder = /← +4\n.*task: Routine\n.*A regular appointment will do/s;
      expect(demo.stdout).toMatch(inOrder);
      expect(demo.stdout).toMatch(/status +completed/);
      expect(demo.stdout.match(/webhook +data_record:changed/g)).toHaveLength(4);
      expect(demo.exitCode).toBe(0);
    },
    150_000,
  );

  it('run the demo of a colleague who answers a chat that waits, and gives it back', async () => {
    const options = { cwd: projectFolder, env: system.environment };
    const demo = await run('npm', ['run', 'demo', '--', '--handoff'], options);
    expect(demo.stdout).toMatch(
      /colleague sees that the chat waits.*in “Nurse”.*claims it.*nurse on duty.*I come at three.*gives it back.*Do you agree/s,
    );
    expect(demo.stdout).toMatch(/status +completed/);
    expect(demo.exitCode).toBe(0);
  }, 150_000);

  it('answer a chat that waits with what is written to npm run desk', async () => {
    const options = { cwd: projectFolder, env: system.environment };
    const answers = ['Yes', 'Robin Sample', '1990-03-12', 'A sore knee after running', '9'];
    const script = `printf '%s\\n' ${answers.map((answer) => `'${answer}'`).join(' ')} | npm run --silent chat -- 'Clinic intake'`;
    const chat = await run('bash', ['-c', script], options);
    expect(chat.stdout).toContain('the assignment is in “Nurse”: a colleague has it (npm run desk)');

    const listed = await run('bash', ['-c', 'echo /quit | npm run --silent desk'], options);
    const waiting = /^(\d+) .*│ web-chat: the task “Nurse” handed/m.exec(listed.stdout)?.[1];
    const work = `printf '%s\\n' /list ${waiting} 'Please come today' /back /quit | npm run --silent desk`;
    const desk = await run('bash', ['-c', work], options);
    expect(desk.stdout).toMatch(
      /is open.*“Nurse”.*member {2}← {2}9.*clinic {2}→ {2}Please come today.*agent's again/s,
    );
    expect(desk.exitCode).toBe(0);
  }, 150_000);

  it('go through a workflow in a web chat with what is written to npm run chat', async () => {
    const answers = ['Yes', 'Robin Sample', '1990-03-12', 'A sore knee after running', '4', 'Yes, I agree'];
    const script = `printf '%s\\n' ${answers.map((answer) => `'${answer}'`).join(' ')} | npm run chat -- 'Clinic intake'`;
    const chat = await run('bash', ['-c', script], { cwd: projectFolder, env: system.environment });
    expect(chat.stdout, chat.stderr).toContain('Your visit is prepared.');
    expect(chat.stdout, chat.stderr).toMatch(/assignment \d+: completed/);
    expect(chat.exitCode).toBe(0);
  }, 150_000);

  it('say how long a wait lasts, and let its time pass, in npm run chat', async () => {
    const rootTask = {
      name: 'Two days',
      taskType: 'wait',
      autoNext: true,
      configuration: { for: 'P2D', unlessReply: true },
      children: [
        { name: 'Remind', taskType: 'message', autoNext: true, configuration: { text: 'We ask once more.' } },
      ],
    };
    const api = adminClient(system.dev);
    const { id } = await api<{ id: number }>('POST', '/workflows', { name: 'Waits' });
    const draft = await api<{ id: number }>('POST', `/workflows/${id}/revisions`, { rootTask });
    await api('POST', `/workflows/${id}/revisions/${draft.id}/publish`);
    for (const line of ['/go Remind', 'Yes']) {
      const options = { cwd: projectFolder, env: system.environment };
      const chat = await run('bash', ['-c', `echo '${line}' | npm run --silent chat -- Waits`], options);
      expect(chat.stdout).toMatch(
        /waits for a reply of the member, or for the time to come, until .*once more.*completed/s,
      );
    }
  }, 150_000);

  it('go through the workflow of the guide in npm run chat', async () => {
    const script = `echo 'It was good' | npm run chat -- "After the visit"`;
    const chat = await run('bash', ['-c', script], { cwd: projectFolder, env: system.environment });
    expect(chat.stdout).toContain('Thank you, Robin Sample. See you next time.');
    expect(chat.stdout).toMatch(/assignment \d+: completed, good/);
    expect(chat.exitCode).toBe(0);
  }, 150_000);

  it('name the workflows that there are if npm run chat gets another name', async () => {
    const options = { cwd: projectFolder, env: system.environment };
    const chat = await run('npm', ['run', '--silent', 'chat', '--', 'Intake of nobody'], options);
    expect(chat).toMatchObject({ exitCode: 1, stdout: '' });
    expect(chat.stderr).toMatch(/no workflow “Intake of nobody”. It has .*\d+ “Clinic intake”/);
  }, 150_000);

  it('show the usage of the demo for an option that it has not', async () => {
    const options = { cwd: projectFolder, env: system.environment };
    const demo = await run('npm', ['run', '--silent', 'demo', '--', '--channel'], options);
    expect(demo).toMatchObject({ exitCode: 2, stdout: '' });
    expect(demo.stderr).toContain('Usage: npm run demo');
  }, 150_000);

  it('create a first workspace with a working key', async () => {
    const [, script = '', flags = ''] =
      /^docker compose exec api node (\S+) (.+)$/m.exec(containers.text) ?? [];

    const made = await run('sh', ['-c', `"${process.execPath}" ${script} ${flags}`], {
      cwd: projectFolder,
      env: { ...system.environment, DATABASE_URL: system.databaseUrl },
    });

    expect(made.exitCode).toBe(0);
    const { workspaceUuid, apiKey } = JSON.parse(made.stdout) as { workspaceUuid: string; apiKey: string };
    const answer = await fetch(`${system.dev.baseUrl}/api/v2/w/${workspaceUuid}`, {
      headers: { Authorization: `Bearer ${apiKey}` },
    });
    expect(answer.status).toBe(200);
  });

  it('are known to the program temporal, where they need workers with versions', async () => {
    const lines = blocksIn(await readPage('docs/upgrades.md'), 'sh')
      .filter(isOfVersions)
      .flatMap(linesOf);
    expect(lines.length).toBeGreaterThan(5);
    for (const line of lines) {
      const [words = '', ...options] = line.split(/ (?=--\w)/);
      const help = await run('bash', ['-c', `${words} --help`], { env: withTemporal(system) });
      expect(help.stdout, line).toContain(`${words} [flags]`);
      for (const option of options) {
        expect(help.stdout, line).toMatch(new RegExp(`^ +(-\\w, )?${option.split(' ')[0]}\\b`, 'm'));
      }
    }
  }, 150_000);

  it.each(pagesOfRequests)(
    'succeed on %s, with the variables of the tour',
    async (path) => {
      const page = await readPage(path);
      const blocks = [...callsIn(page), ...sentByCron(page)].filter((block) => !isRunElsewhere(block));
      const done = await runBlocks([variables, ...blocks], { cwd: system.folder, env: withTemporal(system) });
      expect(done.filter(({ exitCode }) => exitCode !== 0)).toEqual([]);
      expect(done.filter(({ statuses }) => statuses.some((status) => status >= 400))).toEqual([]);
      expect(done.flatMap(({ statuses }) => statuses)).not.toEqual([]);
    },
    150_000,
  );

  it('are all covered by this test: installation, start, demo and compose', () => {
    const known = ['npm ci', 'npm start', 'npm run chat -- "After the visit"', 'npm run --silent openapi'];
    for (const line of programs) {
      if (known.includes(line) || line.startsWith('docker compose exec ')) continue;
      const [, file] = /^docker compose (?:--env-file (\S+) )?up --build$/.exec(line) ?? ['', 'unknown'];
      expect(existsSync(join(projectFolder, file ?? 'docker-compose.yml')), line).toBe(true);
    }
    expect(known.every((line) => programs.includes(line))).toBe(true);
    expect(existsSync(join(projectFolder, 'package-lock.json'))).toBe(true);
  });
});

/** With the program that was provisioned, and the server of this system. */
function withTemporal({ environment, dev }: StartedSystem): NodeJS.ProcessEnv {
  const PATH = [environment.PATH, cacheFolder(environment)].join(delimiter);
  return { ...environment, PATH, TEMPORAL_ADDRESS: dev.temporalAddress };
}
