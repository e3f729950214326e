/** Where data of a person may be outside of the tables, for a moment or for good. */
export interface OtherStore {
  holds: string;
  exported: string;
  erased: string;
  /** The files of the code that write there, or open the connection over which it is sent. */
  writtenBy: readonly string[];
}

/**
 * What `tablesByArea` cannot name. `test/db/person-data/other-stores.test.ts` looks for code that writes to files, opens
 * connections or logs, and fails for what is not here.
 */
export const otherStores: Readonly<Record<string, OtherStore>> = {
  'object storage': {
    holds:
      'bytes of files, archives, recordings of calls, and files of members while they are imported, for a day at most',
    exported: 'files of the member, by their bytes; archives are not in archives',
    erased:
      'rows of their versions, exports, imports and segments of recordings doom the objects, and the collector deletes them',
    writtenBy: ['providers/storage/disk-storage.ts', 'providers/storage/s3-client.ts'],
  },
  'spool folder of the storage': {
    holds: 'bytes for minutes, under random names, also of archives that are being built',
    exported: 'not: it has copies of what is stored',
    erased: 'the collector deletes what is left after a day',
    writtenBy: ['providers/storage/spool.ts', 'activities/channels/read-mail/content.ts'],
  },
  'folders of requests': {
    holds: 'an uploaded CSV file, while it is imported',
    exported: 'not: its rows are stored as members and records',
    erased: 'deleted at the end of the request; they are in the folder for temporary files of the system',
    writtenBy: ['api/http/uploads/uploaded-file.ts'],
  },
  'live events and drafts of replies': {
    holds:
      'in memory of readers, for seconds; notifications of the database carry ids, and drafts while they are written',
    exported: 'not: what is kept of them is in messages',
    erased: 'they end with the connection',
    writtenBy: ['db/live/live-publisher.ts'],
  },
  Temporal: {
    holds: 'ids, counts and codes, also as search attributes; never text or identity',
    exported: 'not: the rows that they are about have more',
    erased: 'kept for the retention of the namespace',
    writtenBy: [
      'runtime/temporal/connect.ts',
      'runtime/temporal/namespace.ts',
      'runtime/worker/worker-process.ts',
    ],
  },
  'logs and metrics': {
    holds: 'ids and codes',
    exported: 'not: the rows that they are about have more',
    erased: 'kept for the retention that the operator sets',
    writtenBy: [
      'runtime/logger.ts',
      'runtime/media-metrics.ts',
      'runtime/metrics.ts',
      'runtime/serve-health.ts',
    ],
  },
  'the carrier, the mail server and the model service': {
    holds: 'what was sent to them, under their own terms',
    exported: 'not: the messages are stored here as well',
    erased: 'by the operator, at the provider',
    writtenBy: [
      'providers/carrier/carrier-request-client.ts',
      'providers/carrier/fetch-media.ts',
      'providers/connection-agents.ts',
      'providers/mail/smtp-mail.ts',
      'providers/mail/smtp-relay.ts',
      'providers/model/openai-chat-model.ts',
      'providers/realtime/openai-realtime.ts',
    ],
  },
  'receivers of webhooks': {
    holds: 'events about the member',
    exported: 'not: the events are in the archive of an admin',
    erased: '`member:erased` tells them which member to erase',
    writtenBy: ['providers/webhook/exchange.ts', 'providers/webhook/keep-alive-agents.ts'],
  },
  'remote MCP servers': {
    holds: 'what agents give to their tools, which may be about the member',
    exported: 'not: the calls are among the messages of the chat',
    erased: 'only by those who run them, whom the organisation has to ask',
    writtenBy: ['providers/mcp/guarded-fetch.ts'],
  },
  backups: {
    holds: 'everything, as of their time',
    exported: 'not',
    erased:
      'they end with the retention that the operator sets; after restoring one, repeat the erasures since: `person_erasures` of the newer database lists them',
    writtenBy: [],
  },
};

/** Code that matches and holds nothing of a person: servers, and what is written when the service is built. */
export const notStores: Readonly<Record<string, string>> = {
  'api/http/server.ts': 'the server of the API',
  'providers/identity-provider/openid-providers.ts':
    'asks identity providers by `public-fetch`, with a code and no word about a person',
  'providers/public-fetch/public-fetch.ts': 'reads what others have published',
  'providers/source-site/source-site.ts': 'reads sites that are crawled',
  'db/calls/bridge-notices.ts': 'notifications with ids of processes',
  'media/streams/stream-server.ts': 'the server of the streams of calls',
  'runtime/bundle-workflows.ts': 'writes the code of workflows at build time',
};
