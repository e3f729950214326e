import type { InboxRow, SmtpSecurity } from '../../../db/channels/inboxes.js';
import type { Encryption } from '../../lib/encryption.js';
import type { ErrorCode } from '../../lib/error-codes.js';
import { InvalidInput } from '../../lib/errors.js';
import type { InboxPolicy } from './inbox-address.js';

/** The mail server of an inbox, as it is given. */
export interface SmtpServer {
  host: string;
  port: number;
  security: SmtpSecurity;
  user?: string | undefined;
  /** Omitted in a change: the stored one stays, if host, port, security and user stay as well. */
  password?: string | undefined;
}

type HostProblem = { code: ErrorCode<'invalid'>; detail: string };

/** Checks whether the service may connect to a mail server. Implemented by the provider that sends. */
export interface MailHosts {
  /** Resolves to the problem, if there is one. Makes a DNS query, with a timeout of some seconds. */
  checkHost(host: string): Promise<HostProblem | undefined>;
}

/** A mail server, and the problem with its host, if any. */
export interface SeenServer extends SmtpServer {
  problem?: HostProblem | undefined;
}

/** Takes seconds: call it before the transaction that stores the server (decision 55). */
export async function checkServer(hosts: MailHosts, server: SmtpServer): Promise<SeenServer> {
  const host = server.host.trim().toLowerCase();
  return { ...server, host, problem: await hosts.checkHost(host) };
}

/** The columns of an inbox without a server of its own. */
export const noServer = {
  smtpHost: null,
  smtpPort: null,
  smtpSecurity: null,
  smtpUser: null,
  smtpPassword: null,
} as const;

/** Ports of mail servers. Others could be used to look for what else a host runs. */
const ports: ReadonlySet<number> = new Set([25, 465, 587, 2525]);

/**
 * Returns the columns of a server.
 * @param stored the inbox as it is, whose password may stay
 * @throws InvalidInput
 */
export function columnsOfServer(
  server: SeenServer,
  policy: InboxPolicy,
  seal: (password: string) => Buffer,
  stored?: InboxRow,
): Pick<InboxRow, keyof typeof noServer> {
  const { host, port, security, user, password, problem } = server;
  if (problem !== undefined) throw InvalidInput.field('/smtp/host', problem.detail, problem.code);
  if (!policy.allowsUnencrypted) {
    if (security === 'none') throw InvalidInput.field('/smtp/security', 'has to be tls or starttls');
    if (!ports.has(port)) {
      throw InvalidInput.field('/smtp/port', 'has to be a port of mail servers: 25, 465, 587 or 2525');
    }
  }
  const place = { smtpHost: host, smtpPort: port, smtpSecurity: security, smtpUser: user ?? null };
  if (user === undefined) {
    if (password !== undefined) throw InvalidInput.field('/smtp/user', 'is required with a password');
    return { ...place, smtpPassword: null };
  }
  if (password !== undefined) return { ...place, smtpPassword: seal(password) };
  // A password must not go to another server than the one that it was given for.
  const keys = ['smtpHost', 'smtpPort', 'smtpSecurity', 'smtpUser'] as const;
  const isSame = stored !== undefined && keys.every((key) => stored[key] === place[key]);
  if (!isSame) throw InvalidInput.field('/smtp/password', 'is required with a new server or user');
  return { ...place, smtpPassword: stored.smtpPassword };
}

type Sealed = Pick<InboxRow, 'uuid' | 'workspaceId'>;

/** Binds a ciphertext to its inbox and workspace: a copy elsewhere cannot be decrypted. */
function contextOf({ uuid, workspaceId }: Sealed): string {
  return `SMTP password of inbox ${uuid} of workspace ${workspaceId}`;
}

export function sealPassword(encryption: Encryption, inbox: Sealed, password: string): Buffer {
  return encryption.encrypt(password, contextOf(inbox));
}

/** @throws Undecipherable */
export function readPassword(encryption: Encryption, inbox: Sealed, sealed: Buffer): string {
  return encryption.decrypt(sealed, contextOf(inbox));
}
