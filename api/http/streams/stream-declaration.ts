import Type, { type Static, type TSchema } from 'typebox';

/** An answer that comes in pieces: values, one a line (`application/x-ndjson`). */
export interface LinesDeclaration {
  status: 200;
  stream: 'application/x-ndjson';
  /** One line. `StreamFailure` may be the last one, and is not declared. */
  schema: TSchema;
  description: string;
  events?: never;
}

/** An answer that comes in pieces: a table (`text/csv`, RFC 4180), to be kept as a file. */
export interface TableDeclaration {
  status: 200;
  stream: 'text/csv';
  description: string;
  schema?: never;
  events?: never;
}

export type StreamDeclaration = LinesDeclaration | TableDeclaration;

/** What the handler of a table returns. */
export interface Table {
  /** What the file is proposed to be called; whatever a name of a file should not have is taken out. */
  fileName: string;
  /** Its text, header included. */
  text: AsyncIterable<string>;
}

/** What the handler of a stream returns. It begins with the first piece; what is thrown before is an ordinary problem. */
export type StreamAnswer<Declared extends StreamDeclaration> = Declared extends {
  schema: infer Line extends TSchema;
}
  ? AsyncIterable<Static<Line>>
  : Table;

/** The last line of what could not be told to its end. */
export const StreamFailure = Type.Object(
  {
    type: Type.Literal('error'),
    code: Type.String({ description: 'Machine readable and stable, as in Problem' }),
    requestId: Type.String(),
  },
  { $id: 'StreamFailure', description: 'The last line where something went wrong after the first' },
);
export type StreamFailure = Static<typeof StreamFailure>;
