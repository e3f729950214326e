import { randomUUID } from 'node:crypto';
import { insertHandoffNotices } from '../../../db/events/handoff-notices.js';
import { findErasureOfMember } from '../../../db/person-data/person-erasures.js';
import { disableRule } from '../../../domain/events/event-rules/disable-rule.js';
import { pokeErasureRun, startHandoffNoticeRun } from '../../../domain/kernel/runs.js';
import { getMemberImport } from '../../../domain/people/imports/follow-import.js';
import { taskQueues } from '../../../workflows/contracts/runs.js';
import { openBrowser } from '../../support/api/browser.js';
import { openInbox } from '../../support/emails/open-inbox.js';
import { addPendingFile } from '../../support/files/pending-file.js';
import { png } from '../../support/files/samples.js';
import { waitFor } from '../../support/lib/wait-for.js';
import { requestImport, signedInContext } from '../../support/people/request-import.js';
import { addEventRule } from '../../support/webhooks/event-rules.js';
import { addMemberRow, uniqueEmail } from '../../support/workspace/factories.js';
import { proveEmail } from '../../support/workspace/prove-email.js';
import { beginInHall, beginOnTheWard, doors } from '../small-trees.js';
import type { Scenario, Scenarios } from './scenario.js';

type System = Parameters<Scenario>[0];
type Workspace = Parameters<Scenario>[1];

function scheduled(type: string, prefix: string): Scenario {
  return async ({ client }) => {
    const workflowId = `${prefix}-${randomUUID()}`;
    await client.workflow.execute(type, { workflowId, taskQueue: taskQueues.runs });
    return workflowId;
  };
}

/** A notice to a new admin, whose first attempt the mail server refuses for a while. */
async function noticeOfWaitingChat(system: System, workspace: Workspace) {
  const { id: memberId } = await addMemberRow(workspace, { memberRoleId: workspace.roles.admin.id });
  const { email } = await proveEmail(workspace, memberId);
  await system.mail.plan({ to: email, reply: 451 });
  const handoffNotices = { channels: ['email'], memberIds: [memberId], reasons: ['agent_silent'] };
  await workspace.asAdmin('PUT', '', { handoffNotices });
  const chat = await workspace.asAdmin('POST', '/chats', { channel: 'web-chat', assistantEnabled: false });
  await workspace.asAdmin('POST', `/chats/${chat.body.id}/messages`, { content: 'Hello' });
  const notice = await workspace.within(async (tx) => {
    const [row] = await insertHandoffNotices(tx, [{ memberId, channel: 'email', createdAt: new Date() }]);
    if (row === undefined) throw new Error('no notice was stored');
    await startHandoffNoticeRun(tx, row);
    return row;
  });
  return { notice, email };
}

export const systemScenarios: Scenarios = {
  /** At the second attempt. */
  'send-login-code': async (system) => {
    const email = uniqueEmail();
    await system.database.identity.accounts.create({ email });
    await system.mail.plan({ to: email, reply: 451 });
    const { loginCodeUuid } = await openBrowser(system.api).askForCode({ email });
    await waitFor('it is sent', async () => (await system.mail.sentTo(email)).length === 1);
    await system.run('sendLoginCode', loginCodeUuid).result();
    return `login-code-${loginCodeUuid}`;
  },

  /** At the second attempt. */
  'send-rule-notice': async (system, workspace) => {
    const { id: memberId } = await addMemberRow(workspace, { memberRoleId: workspace.roles.admin.id });
    const { email } = await proveEmail(workspace, memberId);
    await system.mail.plan({ to: email, reply: 451 });
    const { id: eventRuleId } = await addEventRule(workspace);
    const notice = await workspace.within(async (tx) => {
      await disableRule(tx, { eventRuleId, reason: 'gone', now: new Date() });
      return tx('event_rule_notices').where({ member_id: memberId }).first('uuid');
    });
    await waitFor('it is sent', async () => (await system.mail.sentTo(email)).length === 1);
    await system.run('sendRuleNotice', notice.uuid).result();
    return `rule-notice-${notice.uuid}`;
  },

  /** At the second attempt. */
  'send-handoff-notice': async (system, workspace) => {
    const { notice, email } = await noticeOfWaitingChat(system, workspace);
    await waitFor('it is sent', async () => (await system.mail.sentTo(email)).length === 1);
    await system.run('sendHandoffNotice', notice.uuid).result();
    return `handoff-notice-${notice.uuid}`;
  },

  'wake-assignments': async (system, workspace) => {
    const definitionId = await workspace.publish(doors);
    const assignment = await beginInHall(workspace, definitionId);
    await workspace.asAdmin('POST', `/workflows/${definitionId}/hold`, {});
    await assignment.write('hello');
    await waitFor('it rests', async () => (await assignment.chat()).needsResponse);
    const { body } = await workspace.asAdmin('POST', `/workflows/${definitionId}/resume`);
    await assignment.heard('I did not get that.');
    await system.run('wakeAssignments', body.uuid).result();
    return `wake-${body.uuid}`;
  },

  /** The label of a member whose assignment waits until it is gone. */
  'apply-label-change': async (system, workspace) => {
    const { assignment, label } = await beginOnTheWard(workspace);
    await workspace.asAdmin('DELETE', `/member-labels/${label.id}`);
    await assignment.heard('Welcome to the hall.');
    await system.run('applyLabelChange', label.uuid).result();
    return `label-change-${label.uuid}`;
  },

  'index-file': async (system, workspace) => {
    const { uuid } = await addPendingFile(workspace, system.storage, 'The clinic is open on Saturdays.');
    const run = system.run('indexFile', uuid);
    await waitFor('it has begun', async () => (await run.describe().catch(() => undefined)) !== undefined);
    await run.result();
    return `index-${uuid}`;
  },

  /** At the second attempt. */
  'fetch-media': async (system, workspace) => {
    const chat = await workspace.openChat();
    await system.carrier.turn({ handset: chat.texter.phone, mediaBusy: 1 });
    await chat.write('See', [{ contentType: 'image/png', bytes: png() }]);
    const uuid = (await chat.history()).find(({ role }) => role === 'user')?.uuid ?? '';
    const run = system.run('fetchMedia', uuid);
    await waitFor('it has begun', async () => (await run.describe().catch(() => undefined)) !== undefined);
    await run.result();
    return `media-${uuid}`;
  },

  /** From a sender whom nothing vouches for. */
  'receive-email': async (system, workspace) => {
    const inbox = await openInbox(system, workspace);
    const { uuid } = await inbox.handIn('Hello', { dmarc: 'fail' });
    const run = system.run('receiveEmail', uuid);
    await waitFor('it has begun', async () => (await run.describe().catch(() => undefined)) !== undefined);
    await run.result();
    return `inbound-email-${uuid}`;
  },

  /** With the look for late writes, which the test brings forward. */
  'erase-person-data': async (system, workspace) => {
    const { id } = await addMemberRow(workspace, { memberRoleId: workspace.roles.member.id });
    const { body } = await workspace.asAdmin('POST', `/members/${id}/erase`, { confirm: String(id) });
    const erasure = () => workspace.asAdmin('GET', `/members/${id}/erase`);
    await waitFor('nothing is left', async () => (await erasure()).body.state === 'erased');
    await workspace.within(async (tx) => {
      await tx('person_erasures').where({ uuid: body.uuid }).update({ look_again_at: new Date() });
      const found = await findErasureOfMember(tx, id);
      if (found !== undefined) await pokeErasureRun(tx, found);
    });
    await system.run('erasePersonData', body.uuid).result();
    return `erasure-${body.uuid}`;
  },

  'export-person-data': async (system, workspace) => {
    const { id } = await addMemberRow(workspace, { memberRoleId: workspace.roles.member.id });
    const { body } = await workspace.asAdmin('POST', `/members/${id}/data-export`);
    const archive = () => workspace.asAdmin('GET', `/members/${id}/data-export`);
    await waitFor('the archive is ready', async () => (await archive()).body.state === 'ready');
    await system.run('exportPersonData', body.uuid).result();
    return `export-${body.uuid}`;
  },

  'import-members': async (system, workspace) => {
    const rows = Array.from({ length: 60 }, (_, at) => `Row ${at},recorded-${at}`);
    const csv = `name,external_id\n${rows.join('\n')}\n`;
    const context = signedInContext(workspace, workspace.admin);
    const { uuid } = await requestImport(context, system.storage, csv);
    const ended = async () => (await getMemberImport(context, uuid)).finishedAt !== null;
    await waitFor('the rows are imported', ended);
    await system.run('importMembers', uuid).result();
    return `member-import-${uuid}`;
  },

  'reconcile-runs': scheduled('reconcileRuns', 'reconcile'),
  'ask-for-receipts': scheduled('askForReceipts', 'receipts'),
  'forget-old-keys': scheduled('forgetOldKeys', 'keys'),
  'collect-objects': scheduled('collectObjects', 'collect'),
  'receive-missed-messages': scheduled('receiveMissedMessages', 'receive-missed'),
  'store-text-prices': scheduled('storeTextPrices', 'prices'),
  'forget-old-events': scheduled('forgetOldEvents', 'forget'),
  'tell-of-waiting-chats': scheduled('tellOfWaitingChats', 'tell'),
  'recheck-site-domains': scheduled('recheckSiteDomains', 'recheck'),
  'start-due-crawls': scheduled('startDueCrawls', 'crawls'),
  'forget-old-data': scheduled('forgetOldData', 'forget-data'),
};
