import { isSupportedCountry } from 'libphonenumber-js';
import { lockHandoffTelling, removeHandoffTelling } from '../../../db/conversations/handoff-tellings.js';
import type { NoticeText, WorkspaceRow } from '../../../db/identity/models/workspace.js';
import { violatedConstraint } from '../../../db/postgres-errors.js';
import {
  type BusinessHoursInput,
  checkBusinessHours,
} from '../../channels/business-hours/check-business-hours.js';
import {
  checkVoiceIdentity,
  type VoiceIdentityInput,
} from '../../definitions/voice-identity/check-voice-identity.js';
import { givenNames, recordAudit } from '../../kernel/audit/record-audit.js';
import type { CommandContext } from '../../kernel/context.js';
import type { InstallationPolicy } from '../../kernel/installation-policy.js';
import { checkRequestHosts } from '../../kernel/validate-allowed-hosts.js';
import { type FieldError, InvalidInput, NotFound } from '../../lib/errors.js';
import { parseUrl } from '../../lib/parse-url.js';
import { checkHandoffNotices, type HandoffNoticesInput } from './check-handoff-notices.js';
import { checkQuietHours, type QuietHoursInput } from './check-quiet-hours.js';
import { checkRecordingNotice } from './check-recording-notice.js';
import { checkWorkspaceAttributes, slugTaken, type WorkspaceAttributes } from './workspace-attributes.js';

type UpdateWorkspace = WorkspaceAttributes & {
  /** Origins of web pages that may read responses of the workspace; replaces the previous list. */
  allowedOrigins?: string[];
  /** Hosts that agents may send requests to; replaces the previous list. */
  requestHosts?: string[];
  /** In days; null: forever. */
  chatRetentionDays?: number | null;
  fileRetentionDays?: number | null;
  /** Countries that are called (ISO 3166 alpha-2); null: that of the number. Replaces the previous list. */
  callCountries?: string[] | null;
  /** How often a number is called within 24 hours. */
  callsPerDay?: number;
  /** How many calls are dialled within 24 hours, to all numbers. */
  workspaceCallsPerDay?: number;
  /** Countries that texts are begun to (ISO 3166 alpha-2); null: that of the number. Replaces the previous list. */
  smsCountries?: string[] | null;
  /** How many texts are begun within 24 hours. */
  smsPerDay?: number;
  /** Whether calls that begin from now on are recorded. */
  recordCalls?: boolean;
  recordingRetentionDays?: number | null;
  auditRetentionDays?: number;
  /** What callers hear before, by locale; null: the sentences of the service. Replaces the previous ones. */
  recordingNotice?: Record<string, NoticeText> | null;
  recordingConsent?: 'notice' | 'ask';
  /** How callers prove who they are; null: they cannot. Replaces the previous setting. */
  voiceIdentity?: VoiceIdentityInput | null;
  /** What emails say of their sender; null: nothing. */
  postalAddress?: string | null;
  /** Who is told that chats wait for a person; null: no notices. Replaces the previous setting. */
  handoffNotices?: HandoffNoticesInput | null;
  /** When nothing is sent that an agent or a task begins; null: never. Replaces the previous setting. */
  quietHours?: QuietHoursInput | null;
  /** When calls are taken by numbers that do not say so; null: at any time. Replaces the previous setting. */
  businessHours?: BusinessHoursInput | null;
};

/** Changes the workspace; fields that are left out stay unchanged. @throws Forbidden, InvalidInput */
export async function updateWorkspace(
  { db, clock, actor, policy }: CommandContext & { policy: Pick<InstallationPolicy, 'localHttpOrigins'> },
  input: UpdateWorkspace,
): Promise<WorkspaceRow> {
  actor.require('workspace:write');
  const errors = [
    ...originErrors(input.allowedOrigins ?? [], { localHttp: policy.localHttpOrigins }),
    ...checkRequestHosts(input.requestHosts ?? [], '/requestHosts'),
    ...countryErrors(input.callCountries ?? [], 'callCountries'),
    ...countryErrors(input.smsCountries ?? [], 'smsCountries'),
  ];
  if (errors.length > 0) throw InvalidInput.fields(errors);
  const { handoffNotices, quietHours, recordingNotice, businessHours, voiceIdentity, ...attributes } = input;
  const { postalAddress } = input;
  const changes = {
    ...checkWorkspaceAttributes(attributes),
    ...(quietHours === undefined ? {} : { quietHours: quietHours && checkQuietHours(quietHours) }),
    ...(recordingNotice === undefined
      ? {}
      : { recordingNotice: recordingNotice && checkRecordingNotice(recordingNotice) }),
    ...(businessHours === undefined
      ? {}
      : { businessHours: businessHours && checkBusinessHours(businessHours) }),
    ...(postalAddress == null ? {} : { postalAddress: oneLine(postalAddress) }),
    updatedAt: clock.now(),
  };
  try {
    return await db.inWorkspace(actor.workspaceId, async (tx) => {
      const told = handoffNotices ? await checkHandoffNotices(tx, handoffNotices) : handoffNotices;
      const identity = voiceIdentity ? await checkVoiceIdentity(tx, voiceIdentity) : voiceIdentity;
      const given = {
        ...changes,
        ...(told === undefined ? {} : { handoffNotices: told }),
        ...(identity === undefined ? {} : { voiceIdentity: identity }),
      };
      // Chats that begin to wait from now on are news. The lock keeps passes and other changes of the setting apart.
      if (told !== undefined) await lockHandoffTelling(tx, clock.now());
      if (told === null) await removeHandoffTelling(tx);
      const updated = await db.identity.workspaces.update(actor.workspaceId, given, tx);
      if (updated === undefined) throw new NotFound('Workspace');
      recordAudit(tx, { clock, actor }, 'workspace:updated', { names: givenNames(input) });
      return updated;
    });
  } catch (error) {
    if (violatedConstraint(error) === 'workspaces_slug_key') throw slugTaken();
    throw error;
  }
}

/** @throws InvalidInput */
function oneLine(address: string): string {
  const line = address.replace(/[\s\p{Cc}]+/gu, ' ').trim();
  if (line === '') throw InvalidInput.field('/postalAddress', 'must not be empty');
  return line;
}

function countryErrors(countries: readonly string[], field: string): FieldError[] {
  return countries.flatMap((country, index) =>
    isSupportedCountry(country)
      ? []
      : [{ pointer: `/${field}/${index}`, message: 'must be a country code such as US (ISO 3166)' }],
  );
}

export const maxAllowedOrigins = 20;

const localHosts = ['localhost', '127.0.0.1', '[::1]'];

/** Validates the allowed origins of a workspace. They are exact: no path, no wildcard, no default port. */
function originErrors(origins: readonly string[], { localHttp }: { localHttp: boolean }): FieldError[] {
  const errors: FieldError[] = [];
  for (const [index, origin] of origins.entries()) {
    const pointer = `/allowedOrigins/${index}`;
    if (origins.indexOf(origin) < index) errors.push({ pointer, message: 'is listed twice' });
    else if (!isOrigin(origin, localHttp)) {
      errors.push({ pointer, message: 'must be an exact origin such as https://app.example.com' });
    }
  }
  return errors;
}

function isOrigin(text: string, localHttp: boolean): boolean {
  const url = parseUrl(text);
  if (url === undefined || text.includes('*')) return false;
  const { protocol, hostname, origin } = url;
  if (origin !== text) return false;
  return protocol === 'https:' || (localHttp && protocol === 'http:' && localHosts.includes(hostname));
}
