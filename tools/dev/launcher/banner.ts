import { demo } from '../../../api/http/demo.js';
import type { DevFile } from './dev-file.js';

export function banner(dev: DevFile, devFile: string): string {
  const simulated = [
    ...(dev.carrierSimulator === null ? [] : ['carrier']),
    ...(dev.modelSimulator === null ? [] : ['model']),
    ...(dev.mailSimulator === null ? [] : ['mail server']),
  ];
  const rows: [string, string | null][] = [
    ['API', `${dev.baseUrl}/api/v2`],
    ['API reference', `${dev.baseUrl}/api/v2/docs`],
    ['Temporal', dev.temporalAddress],
    ['Temporal UI', dev.temporalUi],
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
