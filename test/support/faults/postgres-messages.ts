/** A message of PostgreSQL's protocol, on its way to the server. */
export interface Message {
  bytes: Buffer;
  /** Whether the server carries a statement out because of it: a simple query, or parameters for a parsed one. */
  isStatement: boolean;
  /** Another statement in its place; `halfway`: after the first of several that it consists of. */
  replacedBy(statement: string, halfway: boolean): Buffer;
}

/** Cuts what one client sends into messages. */
export function statementMessages(): { take(data: Buffer): Message[] } {
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
