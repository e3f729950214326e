import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import type { RevisionTask } from '../../domain/definitions/revision-rules/types.js';
import { waitFor } from '../support/lib/wait-for.js';
import { addMember } from '../support/workspace/factories.js';
import { ConsoleTests } from './support/console.js';

const tests = new ConsoleTests();
const runs = () => `/console/w/${tests.workspace.workspaceUuid}/runs`;
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });
const item = (page: Page, name: RegExp) => page.getByRole('treeitem', { name });

/** Nothing can move who has another language. */
const triage: RevisionTask = {
  name: 'Triage',
  taskType: 'decision',
  children: [
    { name: 'In German', taskType: 'conclude', celGuard: 'member.locale == "de"' },
    { name: 'By hand', taskType: 'conclude', celCondition: 'assignment.is_test' },
  ],
};

/** A wait that goes back to itself as often as somebody selects it. */
const reminder: RevisionTask = {
  name: 'Reminder',
  taskType: 'wait',
  configuration: { for: 'P2D' },
  autoNext: true,
  children: [
    { name: 'Later', taskType: 'wait', configuration: { for: 'P9D' }, autoNext: true },
    { name: 'Only in German', taskType: 'conclude', celGuard: 'member.locale == "de"' },
    { name: 'Done', taskType: 'conclude', configuration: { outcome: 'reminded' } },
  ],
};

let standsIn: number;
let waitsIn: number;
beforeAll(async () => {
  standsIn = await tests.workspace.publish(triage);
  waitsIn = await tests.workspace.publish(reminder);
});

async function begunBy(name: string, workflowId: number, task: string) {
  const begun = await tests.workspace.begin(workflowId, await tests.workspace.addTexter(name));
  await begun.stands(task);
  return begun;
}

async function standing(name: string) {
  const begun = await begunBy(name, standsIn, 'Triage');
  const path = `/assignments/${begun.assignmentId}`;
  await waitFor('nothing can move it', async () => {
    const { body } = await tests.workspace.asAdmin('GET', path);
    return body.waits?.standingReason !== undefined;
  });
  return begun;
}

describe('the assignments', () => {
  it('tell within half a minute why a member waits', async () => {
    await standing('Robin Sample');
    await begunBy('Kim Sample', waitsIn, 'Reminder');
    const page = await tests.open(tests.workspace.admin, runs());
    await page.getByRole('link', { name: 'Robin Sample' }).waitFor();
    expect(await tests.look(page, 'runs')).toEqual([]);

    const asked = Date.now();
    await page.getByRole('searchbox', { name: 'Find a member' }).fill('Robin');
    await button(page, 'Robin Sample').click();
    await page.getByRole('link', { name: 'Robin Sample' }).click();
    await page.getByText('Stands: no condition of the next tasks holds').waitFor();
    await page.getByText('The guard of “In German” does not hold').first().waitFor();
    await page.getByText('The condition of “By hand” does not hold').first().waitFor();
    await page.getByText('member.locale == "de"').first().waitFor();
    expect(Date.now() - asked).toBeLessThan(30_000);
    expect(await tests.look(page, 'run-stands')).toEqual([]);
  });

  it('are linked from the chat, where a task that refuses is no button', async () => {
    const begun = await standing('Ash Sample');
    const page = await tests.open(tests.workspace.admin, `${tests.inbox}/${begun.chatId}`);
    await page.getByText('Not now: the guard of “In German” does not hold.').waitFor();
    expect(await button(page, 'In German').count()).toBe(0);
    await page.getByRole('link', { name: 'Triage', exact: true }).click();
    await page.getByText('Stands: no condition of the next tasks holds').waitFor();
  });

  it('are narrowed by what stands in the address', async () => {
    await standing('Lee Sample');
    await begunBy('Noa Sample', waitsIn, 'Reminder');
    const page = await tests.open(tests.workspace.admin, runs());
    await page.getByLabel('Only stuck assignments').check();
    await page.getByRole('link', { name: 'Noa Sample' }).waitFor({ state: 'detached' });
    await page.reload();
    await page.getByRole('link', { name: 'Lee Sample' }).waitFor();
    expect(await page.getByRole('link', { name: 'Noa Sample' }).count()).toBe(0);
    await page.getByLabel('Begun').selectOption('Older than a day');
    await page.getByText('No assignment is like that.').waitFor();
  });

  it('say until when one waits, follow what happens, and show the time in each task', async () => {
    const begun = await begunBy('Ida Sample', waitsIn, 'Reminder');
    const page = await tests.open(tests.workspace.admin, `${runs()}/${begun.assignmentId}`);
    await page.getByText('Waits for a time or an event').waitFor();
    await page.getByText('Goes on by itself at the latest').waitFor();

    await begun.select('Later');
    await item(page, /Later is here/).waitFor();
    await begun.select('Reminder');
    await item(page, /Reminder is here.*entered 2 times/).waitFor();
    const bars = page.getByRole('list', { name: 'Time in each task' }).getByRole('listitem');
    await expect.poll(() => bars.count()).toBe(3);
    expect(await tests.look(page, 'run-waits')).toEqual([]);
  });

  it('have a tree that is used by the keyboard', async () => {
    const begun = await begunBy('Uma Sample', waitsIn, 'Reminder');
    const page = await tests.open(tests.workspace.admin, `${runs()}/${begun.assignmentId}`);
    await item(page, /^Reminder/).focus();
    await page.keyboard.press('ArrowDown');
    expect(await item(page, /^Later/).evaluate((one) => one === one.ownerDocument.activeElement)).toBe(true);
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    await item(page, /^Later/).waitFor({ state: 'detached' });
    await page.keyboard.press('ArrowRight');
    await item(page, /^Later/).waitFor();
  });

  it('are moved to a task unless its guard refuses, and cancelled with a reason', async () => {
    tests.provoked = /status of 400/;
    const begun = await begunBy('Eli Sample', waitsIn, 'Reminder');
    const page = await tests.open(tests.workspace.admin, `${runs()}/${begun.assignmentId}`);
    const dialog = page.getByRole('dialog');
    await button(page, 'Move to another task').click();
    const choose = async (task: string) => {
      const value = String(await begun.taskId(task));
      await dialog.getByLabel('Choose a task').selectOption(value);
      await dialog.getByRole('button', { name: 'Move to another task' }).click();
    };
    await choose('Only in German');
    await dialog.getByText('The guard of the task "Only in German" does not hold').waitFor();
    await choose('Later');
    await item(page, /Later is here/).waitFor();
    expect(await begun.currentTask()).toBe('Later');

    await button(page, 'Cancel the assignment').click();
    await dialog.getByLabel('Reason').fill('The visit was moved.');
    await dialog.getByRole('button', { name: 'Cancel the assignment' }).click();
    await page.getByText('Cancelled').first().waitFor();
    expect((await begun.assignment()).status).toBe('cancelled');
    await expect.poll(() => button(page, 'Cancel the assignment').count()).toBe(0);
    // The button is gone: the keyboard goes on at the heading.
    await page.locator('h1:focus').waitFor();
  });

  it('are begun for a member, and say why not', async () => {
    tests.provoked = /status of 400/;
    await tests.workspace.addTexter('Alex Sample');
    const page = await tests.open(tests.workspace.admin, runs());
    const dialog = page.getByRole('dialog');
    await tests.workspace.asAdmin('POST', '/workflows', { name: 'A draft only' });
    const keys: (string | undefined)[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST') keys.push(request.headers()['idempotency-key']);
    });
    const { body } = await tests.workspace.asAdmin('GET', `/workflows/${waitsIn}`);
    await button(page, 'Start an assignment').click();
    const workflow = dialog.getByLabel('Workflow', { exact: true });
    const search = dialog.getByRole('searchbox', { name: 'Find a member' });
    await dialog.getByRole('button', { name: /^Member: / }).click();
    await search.fill('Alex');
    await dialog.getByRole('button', { name: 'Alex Sample', exact: true }).click();
    await workflow.selectOption('A draft only');
    await dialog.getByRole('button', { name: 'Start an assignment' }).click();
    await dialog.locator('[aria-invalid=true]').waitFor();
    await dialog.getByRole('alert').waitFor();
    expect(await tests.look(page, 'run-start')).toEqual([]);
    await dialog.getByRole('button', { name: 'Member: Alex Sample' }).click();
    await search.fill('Assist');
    await dialog.getByText('Nobody is found.').waitFor();
    await workflow.selectOption(body.name);
    await dialog.getByRole('button', { name: 'Start an assignment' }).click();
    await page.getByRole('heading', { name: `Alex Sample: ${body.name}` }).waitFor();
    expect(new Set(keys).size).toBe(2);
    expect(keys).not.toContain(undefined);
  });

  it('are left to a person', async () => {
    const begun = await begunBy('Sam Sample', waitsIn, 'Reminder');
    const page = await tests.open(tests.workspace.admin, `${runs()}/${begun.assignmentId}`);
    await button(page, 'Take it from the agent').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Take it from the agent' }).click();
    await page.getByText('Waits for a person, who has the chat').waitFor();
    expect((await begun.chat()).paused).toBe(true);
  });
});

describe('the picture of a workflow', () => {
  it('shows how many are in each task, and holds and resumes it', async () => {
    const workflowId = await tests.workspace.publish(reminder);
    const [one] = [
      await begunBy('Jo Sample', workflowId, 'Reminder'),
      await begunBy('Mo Sample', workflowId, 'Reminder'),
    ];
    await one.select('Later');
    const page = await tests.open(tests.workspace.admin, `${runs()}/workflows/${workflowId}`);
    await item(page, /Reminder 1 here.*2 of 2 entered it/).waitFor();
    await item(page, /Later 1 here.*1 of 2 entered it/).waitFor();
    expect(await tests.look(page, 'run-workflow')).toEqual([]);

    const dialog = page.getByRole('dialog');
    await button(page, 'Hold the workflow').click();
    await dialog.getByLabel('Reason').fill('The clinic is closed.');
    await dialog.getByRole('button', { name: 'Hold the workflow' }).click();
    await page.getByText('The clinic is closed.').waitFor();
    await button(page, 'Resume the workflow').click();
    await dialog.getByRole('button', { name: 'Resume the workflow' }).click();
    await button(page, 'Hold the workflow').waitFor();

    await item(page, /Later 1 here/)
      .getByRole('link')
      .click();
    await page.getByRole('link', { name: 'Jo Sample' }).waitFor();
    expect(await page.getByRole('link', { name: 'Mo Sample' }).count()).toBe(0);
  });
});

describe('who may only read', () => {
  it('is shown no act, and who may not read no assignments', async () => {
    const begun = await begunBy('Toni Sample', waitsIn, 'Reminder');
    const reader = await addMember(tests.workspace, { permissions: ['assignments:read'] });
    const page = await tests.open(reader, `${runs()}/${begun.assignmentId}`);
    await item(page, /Reminder is here/).waitFor();
    for (const name of ['Move to another task', 'Cancel the assignment', 'Take it from the agent']) {
      expect(await button(page, name).count()).toBe(0);
    }
    const member = await addMember(tests.workspace);
    const home = await tests.open(member, `/console/w/${tests.workspace.workspaceUuid}`);
    await home.getByRole('link', { name: 'Home' }).waitFor();
    expect(await home.getByRole('link', { name: 'Assignments' }).count()).toBe(0);
  });
});
