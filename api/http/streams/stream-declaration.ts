import Type, { type Static, type TSchema } from 'typebox';

/** A streamed answer with one value per line (`application/x-ndjson`). */
export interface LinesDeclaration {
  status: 200;
  stream: 'application/x-ndjson';
  /** The schema of one line. `StreamFailure` may be the last line and is not declared. */
  schema: TSchema;
  description: string;
  events?: never;
}

/** A streamed answer with a table (`text/csv`, RFC 4180), to be saved as a file. */
export interface TableDeclaration {
  status: 200;
  stream: 'text/csv';
  description: string;
  schema?: never;
  events?: never;
}

export type StreamDeclaration = LinesDeclaration | TableDeclaration;

/** The result of a handler that streams a table. */
export interface Table {
  /** The proposed file name; unsafe characters are replaced. */
  fileName: string;
  /** Its text, including the header. */
  text: AsyncIterable<string>;
}

/**
 * The result of a handler that streams. The answer begins with the first piece; errors before it are ordinary problems.
 */
export type StreamAnswer<Declared extends StreamDeclaration> = Declared extends {
  schema: infer Line extends TSchema;
}
  ? AsyncIterable<Static<Line>>
  : Table;

/** The last line of a stream that failed before its end. */
export const StreamFailure = Type.Object(
  {
    type: Type.Literal('error'),
    code: Type.String({ description: 'Machine readable and stable, as in Problem' }),
    requestId: Type.String(),
  },
  { $id: 'StreamFailure', description: 'The last line where something went wrong after the first' },
);
export type StreamFailure = Static<typeof StreamFailure>;
