import {
  type ComparedType,
  type ExpressionFacts,
  inspectExpression,
  type RecordField,
  unreadableTimesIn,
} from '../../lib/cel.js';
import { suggestion } from '../../lib/closest.js';
import type { FieldDefinition } from '../../records/field-values.js';
import { expressionsOfTask } from './expressions-of-task.js';
import type { Finding } from './findings.js';
import type { RevisionTask } from './types.js';

export interface DataTypeInUse {
  slug: string;
  isCollection: boolean;
  fields: readonly Pick<FieldDefinition, 'slug' | 'fieldType' | 'options'>[];
}

/** What the expressions of a revision can name. */
export interface Nameable {
  tasks: ReadonlyMap<string, readonly RevisionTask[]>;
  dataTypes: readonly DataTypeInUse[];
  /** The slugs that exist of the labels that are named. */
  labelSlugs: ReadonlySet<string>;
}

/**
 * Finds what the expressions of a task name and does not exist, one after the other: each suggestion takes time, so a
 * caller stops once it has enough.
 */
export function* checkExpressions(task: RevisionTask, known: Nameable): Generator<Finding> {
  for (const { pointer, text } of expressionsOfTask(task)) {
    for (const found of checkFacts(inspectExpression(text), known)) yield { ...found, pointer };
    for (const { call, text: time } of unreadableTimesIn(text)) {
      const form = call === 'timestamp' ? '2030-01-31T10:00:00Z' : '1h30m';
      yield { pointer, message: `names ${call}("${time}"), which is no ${call} such as "${form}"` };
    }
  }
}

type Found = Omit<Finding, 'pointer'>;

function* checkFacts(facts: ExpressionFacts, known: Nameable): Generator<Found> {
  for (const { path, field, known: fields } of facts.unknownFields) {
    yield {
      message: `names ${path}, which does not exist${fields.length > 0 ? suggestion(field, fields) : ''}`,
    };
  }
  for (const { path, value, known: values } of facts.unknownValues) {
    yield { message: `compares ${path} with "${value}", which it never is${suggestion(value, values)}` };
  }
  for (const named of facts.taskNames) yield* checkTaskName(named, known.tasks);
  for (const { name } of facts.labelSlugs) {
    if (known.labelSlugs.has(name)) continue;
    yield { code: 'unknown_label', message: `names the label "${name}", which does not exist` };
  }
  for (const named of facts.dataTypes) yield* checkDataType(named, known.dataTypes);
  for (const named of facts.recordFields) yield* checkField(named, known.dataTypes);
  for (const compared of facts.recordComparisons) yield* checkComparison(compared, known.dataTypes);
  for (const { path, is, ...used } of facts.typeMismatches) yield mismatch(path, `a ${is}`, used);
}

function* checkTaskName(
  { name, among }: ExpressionFacts['taskNames'][number],
  tasks: Nameable['tasks'],
): Generator<Found> {
  const named = tasks.get(name) ?? [];
  if (named.length === 0) {
    yield { message: `names the task "${name}", which does not exist${suggestion(name, [...tasks.keys()])}` };
  } else if (named.length > 1) {
    yield {
      message: `names the task "${name}", but ${named.length} tasks have this name: rename all but one`,
    };
  } else if (among === 'completed' && !named.some(isEverCompleted)) {
    const why = 'a conclude and a conversation without autoNext are never complete';
    const message = `names "${name}" in tasks.completed, but ${why}; tasks.visited has the tasks entered`;
    yield { code: 'never_listed', message };
  } else if (among === 'timed_out' && !named.some(hasTimeLimit)) {
    const why = 'only a wait or collect with atMost, or a wait with unlessReply, has a time limit';
    yield { code: 'never_listed', message: `names "${name}" in tasks.timed_out, but ${why}` };
  }
}

function isEverCompleted({ taskType, autoNext = false }: RevisionTask): boolean {
  return taskType === 'conversation' ? autoNext : taskType !== 'conclude';
}

function hasTimeLimit({ taskType, configuration = {} }: RevisionTask): boolean {
  const { atMost, unlessReply } = configuration;
  if (taskType === 'collect') return atMost !== undefined;
  return taskType === 'wait' && (atMost !== undefined || unlessReply === true);
}

function* checkDataType(
  { dataTypeSlug: slug, group }: Omit<RecordField, 'fieldSlug'>,
  dataTypes: readonly DataTypeInUse[],
): Generator<Found> {
  const dataType = dataTypes.find((one) => one.slug === slug);
  if (dataType === undefined) {
    const slugs = dataTypes.map((one) => one.slug);
    yield { message: `names the data type ${slug}, which does not exist${suggestion(slug, slugs)}` };
  } else if (dataType.isCollection && group === 'form_data') {
    yield {
      message: `names member.form_data.${slug}, but ${slug} is a collection: member.data.${slug} is a list`,
    };
  } else if (!dataType.isCollection && group === 'data') {
    yield { message: `names member.data.${slug}, but ${slug} is no collection: member.form_data.${slug}` };
  }
}

function fieldOf({ dataTypeSlug, fieldSlug }: RecordField, dataTypes: readonly DataTypeInUse[]) {
  const fields = dataTypes.find(({ slug }) => slug === dataTypeSlug)?.fields;
  return { fields, field: fields?.find(({ slug }) => slug === fieldSlug) };
}

function* checkField(named: RecordField, dataTypes: readonly DataTypeInUse[]): Generator<Found> {
  const { fields, field } = fieldOf(named, dataTypes);
  if (fields === undefined || field !== undefined) return;
  const { fieldSlug, dataTypeSlug } = named;
  const instead = suggestion(
    fieldSlug,
    fields.map(({ slug }) => slug),
  );
  yield { message: `names the field ${fieldSlug}, which ${dataTypeSlug} does not have${instead}` };
}

function* checkComparison(
  compared: ExpressionFacts['recordComparisons'][number],
  dataTypes: readonly DataTypeInUse[],
): Generator<Found> {
  const { field } = fieldOf(compared, dataTypes);
  if (field === undefined || compared.with === 'null') return;
  const { fieldType, slug } = field;
  const values = valuesOf(fieldType);
  if (values === undefined) return;
  const isList = fieldType === 'multiselect' || fieldType === 'files';
  if (values !== compared.with || isList !== compared.inList) {
    const is = isList ? `a list of ${values}s` : `a ${values}`;
    const found = mismatch(slug, is, compared);
    const reading = compared.with === 'timestamp' ? timestampsOf.get(fieldType) : undefined;
    yield reading === undefined ? found : { ...found, message: `${found.message}; ${reading} reads it` };
  } else if (compared.text !== undefined && field.options !== undefined) {
    const options = field.options.map((option) => (typeof option === 'string' ? option : option.value));
    if (compared.text === '' || options.includes(compared.text)) return;
    const listed = options.slice(0, 10).join(', ');
    yield {
      code: 'unknown_option',
      message: `compares ${slug} with "${compared.text}", which is none of its options; known: ${listed}`,
    };
  }
}

function mismatch(
  name: string,
  is: string,
  used: { with: ComparedType; inList?: boolean; isComputed?: true },
): Found {
  const how = used.isComputed ? 'adds or subtracts' : 'compares';
  const as = `${used.inList ? 'as a list ' : ''}${used.isComputed ? 'and' : 'with'} a ${used.with}`;
  return { code: 'type_mismatch', message: `${how} ${name} ${as}, but its value is ${is}` };
}

/** How an expression reads the value of a field as a timestamp, by the type of the field. */
const timestampsOf = new Map([
  ['date', 'timestamp(… + "T00:00:00Z")'],
  ['datetime', 'timestamp(…)'],
]);

const numeric = new Set(['number', 'integer', 'file', 'files', 'member']);

/** The type of the values of a field, or of their elements; undefined for `json`, which can be anything. */
function valuesOf(fieldType: string): ComparedType | undefined {
  if (fieldType === 'json') return undefined;
  if (fieldType === 'boolean') return 'boolean';
  return numeric.has(fieldType) ? 'number' : 'text';
}
