import { demo } from '../../../api/http/demo.js';
import { addressOf, type View } from '../../screenshots/views.js';
import type { DevFile } from './dev-file.js';
import type { SignInLinks } from './sign-in-links.js';

export function banner(dev: DevFile, devFile: string, links?: SignInLinks): string {
  const simulated = [
    ...(dev.carrierSimulator === null ? [] : ['carrier']),
    ...(dev.modelSimulator === null ? [] : ['model']),
    ...(dev.mailSimulator === null ? [] : ['mail server']),
  ];
  const viewOf = (view: View) => (dev.temporalUi === null ? null : addressOf(view, dev.temporalUi));
  const rows: [string, string | null][] = [
    ['Console', `${dev.baseUrl}/console`],
    ['  as a colleague', links?.colleague ?? null],
    ['  as the admin', links?.admin ?? null],
    ['  as a member', links?.member ?? null],
    ['API', `${dev.baseUrl}/api/v2`],
    ['API reference', `${dev.baseUrl}/api/v2/docs`],
    ['Tools for AI clients', `${dev.baseUrl}/api/v2/mcp`],
    ['Temporal', dev.temporalAddress],
    ['Temporal UI', viewOf('Work with members')],
    ['  needs a person', viewOf('Needs a person')],
    ['Carrier simulator', dev.carrierSimulator],
    ['Model simulator', dev.modelSimulator],
    ['Simulated mail', dev.mailSimulator === null ? null : `${dev.mailSimulator}/messages`],
    ['Webhook sink', `${dev.webhookSink}/deliveries`],
    ['Sign in by SSO', `${dev.baseUrl}/api/v2/o/${demo.organizationSlug}/sso/start`],
    ['Site', dev.hasExamples ? `${dev.baseUrl}/s/${demo.siteUuid}` : null],
    ['Site to crawl', `${dev.website}/`],
    ['Workspace', dev.workspaceUuid],
    ['Admin API key', dev.adminApiKey],
    ['Member API key', dev.memberApiKey],
    ['Sign in as', dev.adminEmail],
    ['Second workspace', dev.otherWorkspaceUuid],
    ['  its admin API key', dev.otherAdminApiKey],
    ['Saved in', devFile],
  ];
  return [
    '',
    'Workspace engagement service',
    '',
    ...rows.filter(([, value]) => value !== null).map(([title, value]) => `  ${title.padEnd(20)} ${value}`),
    '',
    ...(links === undefined
      ? []
      : ['  The links sign this machine’s browser in. Each works once; the next one is printed then.', '']),
    ...(dev.temporalUi === null
      ? []
      : [
          '  Each run has a summary, and a reason if it stands: add the columns Summary and Stands to the list of the',
          '  Temporal UI, once, by the gear below it.',
          '',
        ]),
    ...(dev.hasExamples
      ? []
      : [
          '  The data folder is of an earlier version: examples of the API reference name objects that it does not',
          '  have. For them, start with npm start -- --fresh, which deletes all data.',
          '',
        ]),
    ...(simulated.length === 0
      ? []
      : [
          `  The ${simulated.join(' and the ')} ${simulated.length === 1 ? 'is' : 'are'} simulated: no message leaves this machine,`,
          `  and no language model is called. Set TWILIO_ACCOUNT_SID, OPENAI_API_KEY or SMTP_URL to use the real services.`,
          '',
        ]),
  ].join('\n');
}
