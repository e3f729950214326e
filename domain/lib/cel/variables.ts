/** A value that an expression can read: JSON values, and dates for timestamps. */
export type CelValue =
  | null
  | boolean
  | number
  | string
  | Date
  | readonly CelValue[]
  | { readonly [key: string]: CelValue | undefined };

export type CelRecord = { readonly [fieldSlug: string]: CelValue | undefined };

/** The TypeScript types of the fields that expressions see. */
interface CelTypes {
  number: number;
  text: string;
  boolean: boolean;
  moment: Date;
  /** A list of texts. */
  texts: readonly string[];
  /** The single records of a member, by data type slug. */
  records: { readonly [dataTypeSlug: string]: CelRecord };
  /** The records of collections, by data type slug. */
  collections: { readonly [dataTypeSlug: string]: readonly CelRecord[] };
  /** A map whose fields are not fixed. */
  open: { readonly [key: string]: CelValue | undefined };
}

/** A value that expressions see, with one sentence for the documents. */
export interface CelField {
  type: keyof CelTypes;
  description: string;
  nullable?: true;
  /** All values that a text can have. */
  values?: readonly string[];
  /** What the elements of `texts`, or a text, are the names of. */
  names?: 'task' | 'label';
}
type CelGroup = { description: string; fields: Record<string, CelField> };

/**
 * Everything that expressions see, by variable and field. The type of their context, the checks of definitions, the
 * estimate of their cost and the documents follow from this table.
 */
export const celVariables = {
  member: {
    description: 'The member whose assignment it is.',
    fields: {
      id: { type: 'number', description: 'The id of the member.' },
      name: { type: 'text', nullable: true, description: 'The name of the member.' },
      locale: {
        type: 'text',
        nullable: true,
        description: 'The language of the member, such as `en-US`; of a visitor of a site, that of the page.',
      },
      labels: { type: 'texts', names: 'label', description: "The slugs of the member's labels." },
      form_data: {
        type: 'records',
        description:
          'The record of the member in data types that have one record per member: `member.form_data.<data type slug>.<field slug>`.',
      },
      data: {
        type: 'collections',
        description:
          'The records of the member in collections, a list with the oldest first: `member.data.<data type slug>[0].<field slug>`.',
      },
      partial_data: {
        type: 'texts',
        description:
          'The slugs of the data types of which the member has more records than are loaded. The newest are loaded.',
      },
    },
  },
  assignment: {
    description: 'The assignment itself.',
    fields: {
      id: { type: 'number', nullable: true, description: 'The id of the assignment.' },
      status: {
        type: 'text',
        values: ['active', 'completed', 'cancelled', 'failed'],
        description: 'The status of the assignment.',
      },
      outcome: {
        type: 'text',
        nullable: true,
        description: 'The outcome of the assignment; null until it is concluded.',
      },
      is_test: { type: 'boolean', description: 'Whether the assignment is a test.' },
      created_at: { type: 'moment', description: 'When the assignment was created.' },
    },
  },
  chat: {
    description: 'The chat of the assignment.',
    fields: {
      id: { type: 'number', nullable: true, description: 'The id of the chat.' },
      channel: {
        type: 'text',
        values: ['web-chat', 'phone-sms', 'phone-voice', 'email'],
        description: 'The channel of the chat.',
      },
      paused: { type: 'boolean', description: 'Whether the agent is paused in the chat.' },
      message_count: { type: 'number', description: 'How many messages the chat has.' },
    },
  },
  tasks: {
    description: 'The tasks of the assignment, by name.',
    fields: {
      visited: {
        type: 'texts',
        names: 'task',
        description: 'The names of the tasks that were entered.',
      },
      completed: {
        type: 'texts',
        names: 'task',
        description: 'The names of the tasks that are complete.',
      },
      timed_out: {
        type: 'texts',
        names: 'task',
        description: 'The names of the waits and collects whose time limit came before what they waited for.',
      },
      current: { type: 'text', names: 'task', nullable: true, description: 'The name of the current task.' },
    },
  },
  call: {
    description: 'The latest call of the chat. Its fields are null before the first one.',
    fields: {
      direction: {
        type: 'text',
        nullable: true,
        values: ['inbound', 'outbound'],
        description: 'Who called: the member (`inbound`) or the workspace (`outbound`).',
      },
      status: {
        type: 'text',
        nullable: true,
        values: ['pending', 'ringing', 'in-progress', 'completed', 'busy', 'no-answer', 'failed', 'canceled'],
        description: 'The status of the call; the last five are final.',
      },
      outcome: {
        type: 'text',
        nullable: true,
        description: 'How it ended, such as `completed` or `voicemail`; null until then.',
      },
      attempts: { type: 'number', description: 'How many calls the workspace has made in the chat.' },
    },
  },
  now: { type: 'moment', description: 'The time of the evaluation.' },
} as const satisfies Record<string, CelGroup | CelField>;

type Base<F> = F extends { values: readonly (infer Value)[] }
  ? Value
  : F extends { type: infer Type extends keyof CelTypes }
    ? CelTypes[Type]
    : never;
type ValueOf<F> = F extends { nullable: true } ? Base<F> | null : Base<F>;

/** The values of all variables. They must not change after their first use, because copies and results are cached. */
export type CelContext = {
  readonly [Name in keyof typeof celVariables]: (typeof celVariables)[Name] extends { fields: infer Fields }
    ? { readonly [Field in keyof Fields]: ValueOf<Fields[Field]> }
    : ValueOf<(typeof celVariables)[Name]>;
};

/** What a text sees that belongs to no assignment. */
export type SeenContext = Pick<CelContext, 'member'> & Partial<CelContext>;

export const celVariableNames = Object.keys(celVariables) as (keyof CelContext)[];

/** The fields of a variable; undefined if it is unknown or has no fixed fields. */
export function fieldsOf(variable: string): ReadonlyMap<string, CelField> | undefined {
  return fieldsByVariable.get(variable);
}

const fieldsByVariable = new Map(
  Object.entries<CelGroup | CelField>(celVariables).flatMap(([name, variable]) =>
    'fields' in variable ? [[name, new Map(Object.entries(variable.fields))] as const] : [],
  ),
);
