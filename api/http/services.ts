import type { CallInstruction } from '../../domain/calls/call-instructions.js';
import type { InboxPolicy } from '../../domain/channels/inboxes/inbox-address.js';
import type { MailHosts } from '../../domain/channels/inboxes/smtp-settings.js';
import type { LiveChats } from '../../domain/conversations/chat-events/live-chats.js';
import type { Calling } from '../../domain/conversations/phone-calls/calling.js';
import type { ReceiverAddresses } from '../../domain/events/event-rules/receiver.js';
import type { FileAddresses } from '../../domain/files/file-addresses.js';
import type { ObjectStore } from '../../domain/files/object-store.js';
import type { LoginSecret } from '../../domain/identity/login-codes/login-secret.js';
import type { IdentityProviders } from '../../domain/identity/single-sign-on/identity-providers.js';
import type { CheckIssuer } from '../../domain/identity/single-sign-on/sso-settings.js';
import type { InstallationPolicy } from '../../domain/kernel/installation-policy.js';
import type { ToolLister } from '../../domain/kernel/remote-tools.js';
import type { Encryption } from '../../domain/lib/encryption.js';
import type { ArchiveAddresses } from '../../domain/person-data/exports/archive-addresses.js';
import type { Simulations } from '../../domain/simulation/simulations.js';
import type { SourceAddresses } from '../../domain/sites/crawl/start-crawl.js';
import type { DomainRecords } from '../../domain/sites/domains/domain-records.js';
import type { SiteAddresses } from '../../domain/sites/site-addresses.js';
import type { RunsClient } from '../../runtime/runs-client.js';
import type { CarrierVerifier } from '../auth/check-carrier-signature.js';

/** What handlers and access checks may need beside their context. `api/main.ts` creates it. */
export interface Services {
  /** What the carrier is answered about calls. */
  calls: Calling & {
    /** @returns TwiML */
    answer: (instructions: readonly CallInstruction[]) => string;
  };
  /** Makes and checks the addresses of archives of persons' data. */
  archiveAddresses: ArchiveAddresses;
  /** Undefined without a carrier. */
  carrier: CarrierVerifier | undefined;
  /** Looks up the proofs of domains of sites. */
  domainRecords: DomainRecords;
  /** Which sites may be crawled. */
  crawledAddresses: SourceAddresses;
  encryption: Encryption;
  /** Makes and checks the addresses at which the service itself serves bytes. */
  fileAddresses: FileAddresses;
  /** Which addresses inboxes may have, and which mail servers. */
  inboxes: { policy: InboxPolicy; hosts: MailHosts };
  live: LiveChats;
  loginSecret: LoginSecret;
  /** What the operator allows accounts to do. */
  policy: InstallationPolicy;
  /** Lists the tools of remote MCP servers. */
  remoteTools: ToolLister;
  /** Identity providers of organizations. */
  signOn: { providers: IdentityProviders; check: CheckIssuer };
  runs: RunsClient;
  /** The address of the run of an assignment in the Temporal UI; undefined where there is none to link to. */
  runUrlOf: ((assignmentUuid: string) => string) | undefined;
  /** Makes the addresses of sites, and makes and checks the tokens of their files. */
  sites: SiteAddresses;
  simulations: Simulations;
  /** The bytes of files. */
  storage: ObjectStore;
  /** Where webhooks may go. */
  webhookAddresses: ReceiverAddresses;
}
