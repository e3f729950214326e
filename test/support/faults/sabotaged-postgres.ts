import net, { type AddressInfo } from 'node:net';

/** PostgreSQL cancels a statement before or in the middle of it, or the connection is lost before or after it. */
export const sabotages = ['cancelled', 'cancelled halfway', 'lost before', 'lost after'] as const;
export type Sabotage = (typeof sabotages)[number];

/** A PostgreSQL server behind a proxy that spoils statements, whoever sends them. */
export interface SabotagedPostgres {
  throughIt(url: string): string;
  /** Spoils the statement `first`, from 1, counted from now over all connections, and each `period` later. */
  spoil(which: { first: number; period?: number; sabotage: Sabotage }): void;
  readonly spoiled: number;
  close(): Promise<void>;
}

const cancelled = `do $$ begin raise exception 'cancelled' using errcode = 'query_canceled'; end $$`;

export async function sabotagePostgres(port: number): Promise<SabotagedPostgres> {
  let sabotage: Sabotage = 'cancelled';
  /** Statements to come before the next is spoiled. */
  let left = Number.POSITIVE_INFINITY;
  let period = Number.POSITIVE_INFINITY;
  let spoiled = 0;
  const isNext = () => {
    left -= 1;
    if (left > 0) return false;
    left = period;
    spoiled += 1;
    return true;
  };

  const server = net.createServer((client) => {
    const upstream = net.connect(port, '127.0.0.1');
    let deaf = false;
    const end = () => {
      client.destroy();
      upstream.destroy();
    };
    const messages = statementMessages();
    client.on('data', (data) => {
      for (const message of messages.take(data)) {
        if (!message.isStatement || deaf || !isNext()) upstream.write(message.bytes);
        else if (sabotage === 'lost before') end();
        else if (sabotage === 'lost after') {
          deaf = true;
          upstream.write(message.bytes);
        } else upstream.write(message.replacedBy(cancelled, sabotage === 'cancelled halfway'));
      }
    });
    // The server has answered: it has carried the statement out.
    upstream.on('data', (data) => (deaf ? end() : client.write(data)));
    for (const socket of [client, upstream]) socket.on('close', end).on('error', end);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address() as AddressInfo;

  return {
    throughIt(url) {
      const through = new URL(url);
      through.port = String(address.port);
      return through.toString();
    },
    spoil(which) {
      left = which.first;
      period = which.period ?? Number.POSITIVE_INFINITY;
      sabotage = which.sabotage;
      spoiled = 0;
    },
    get spoiled() {
      return spoiled;
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** A message of PostgreSQL's protocol, on its way to the server. */
interface Message {
  bytes: Buffer;
  /** Whether the server carries a statement out because of it: a simple query, or parameters for a parsed one. */
  isStatement: boolean;
  /** Another statement in its place; `halfway`: after the first of several that it consists of. */
  replacedBy(statement: string, halfway: boolean): Buffer;
}

function statementMessages(): { take(data: Buffer): Message[] } {
  let rest: Buffer = Buffer.alloc(0);
  let started = false;

  return {
    take(data) {
      rest = Buffer.concat([rest, data]);
      const messages: Message[] = [];
      for (;;) {
        // The first message has no type.
        const offset = started ? 1 : 0;
        if (rest.length < offset + 4) return messages;
        const length = offset + rest.readInt32BE(offset);
        if (rest.length < length) return messages;
        const bytes = rest.subarray(0, length);
        rest = rest.subarray(length);
        const type = started ? String.fromCharCode(bytes.readUInt8(0)) : '';
        started = true;
        messages.push({
          bytes,
          isStatement: type === 'Q' || type === 'B',
          replacedBy: (statement, halfway) =>
            type === 'Q' ? simpleQuery(bytes, statement, halfway) : unparsable(),
        });
      }
    },
  };
}

function simpleQuery(bytes: Buffer, statement: string, halfway: boolean): Buffer {
  const [first, ...others] = bytes.toString('utf8', 5, bytes.length - 1).split(';');
  const text = halfway && others.length > 0 ? `${first}; ${statement}` : statement;
  return encoded('Q', `${text}\0`);
}

/** The server answers it with an error and passes over what was sent with it, as when it cancels the statement. */
function unparsable(): Buffer {
  return encoded('P', '\0cancelled\0\0\0');
}

function encoded(type: string, body: string): Buffer {
  const message = Buffer.alloc(5 + Buffer.byteLength(body));
  message.write(type, 0);
  message.writeInt32BE(4 + Buffer.byteLength(body), 1);
  message.write(body, 5);
  return message;
}
