/** A column whose values are encrypted with `ENCRYPTION_KEY`. */
export interface EncryptedColumn {
  /** With its schema. */
  table: string;
  column: string;
  /** The integer that identifies a row. */
  key: string;
  /** SQL for what a ciphertext is bound to, of the row `t`: as the code that encrypts it says. */
  context: string;
}

const ofWorkspace = `|| ' of workspace ' || t.workspace_id`;

/** All of them. `test/db/encryption/re-encrypt.test.ts` looks for columns of bytes that are neither here nor digests. */
export const encryptedColumns: readonly EncryptedColumn[] = [
  {
    table: 'public.event_rule_secrets',
    column: 'ciphertext',
    key: 'id',
    context: `'signing secret of event rule ' || t.event_rule_id ${ofWorkspace}`,
  },
  { table: 'public.secrets', column: 'ciphertext', key: 'id', context: `'secret ' || t.uuid ${ofWorkspace}` },
  {
    table: 'public.mcp_servers',
    column: 'token',
    key: 'id',
    context: `'mcp server ' || t.uuid ${ofWorkspace}`,
  },
  {
    table: 'public.inboxes',
    column: 'smtp_password',
    key: 'id',
    context: `'SMTP password of inbox ' || t.uuid ${ofWorkspace}`,
  },
  ...['inbound_secret', 'previous_secret'].map((column) => ({
    table: 'public.inboxes',
    column,
    key: 'id',
    context: `'inbound secret of inbox ' || t.uuid ${ofWorkspace}`,
  })),
  {
    table: 'identity.identity_providers',
    column: 'client_secret',
    key: 'organization_id',
    context: `'client secret of organization ' || t.organization_id`,
  },
  { table: 'identity.oauth_keys', column: 'private_key', key: 'id', context: `'OAuth key ' || t.kid` },
  {
    table: 'identity.oauth_subject_keys',
    column: 'subject_key',
    key: 'id',
    context: `'OAuth subject key'`,
  },
  {
    table: 'identity.oauth_replays',
    column: 'answer',
    key: 'id',
    context: `'OAuth refresh ' || encode(t.hash, 'hex')`,
  },
];
