import type { TSchema } from 'typebox';
import { allScopes, type Permission, type Scope } from '../../domain/kernel/scopes.js';
import type { FieldError } from '../../domain/lib/errors.js';
import { describeFields } from '../http/openapi/describe-fields.js';
import { parameterMeanings } from '../http/openapi/meanings/parameters.js';
import { nameOfItsOwn } from '../http/openapi/operation.js';
import { HttpProblem } from '../http/problem.js';
import type { Route } from '../http/route.js';
import { NamedSchemas } from '../http/validation/named-schemas.js';
import { closeSchema } from '../http/validation/schema-rules.js';
import { answerShape } from './answer-shape.js';

/** What a tool does, for AI clients that ask their person before some calls. */
export interface ToolAnnotations {
  /** It changes nothing. Unless told, so for GET. */
  readOnlyHint: boolean;
  /** It replaces or takes away what is there. Unless told, so for DELETE. */
  destructiveHint: boolean;
  /** A second call with the same arguments changes nothing more. Unless told, so for GET, PUT and DELETE. */
  idempotentHint: boolean;
  /** It reaches people or systems outside of the workspace, such as by SMS. Unless told, it does not. */
  openWorldHint: boolean;
}

interface ToolDeclaration {
  /** Unique, in snake case: a verb and what it is about, such as `list_members`. */
  name: string;
  title: string;
  /** Written for a model: what it is for, when to use another tool, and what its answer does not say. */
  description: string;
  /** What the tool is a view of: a route for members, without files, streams and redirects, or an import of a CSV file. */
  route: Route;
  annotations?: Partial<ToolAnnotations>;
  /** Other names of arguments, by the names that the route has for them. */
  rename?: Readonly<Record<string, string>>;
  /** Parameters and fields of the route that are no arguments. Its default is sent for each that has one. */
  omit?: readonly string[];
  /** Values of parameters and fields that a call does not name, by the route's names. */
  defaults?: Readonly<Record<string, unknown>>;
  /** Fields of the body that have the value of another argument, by the route's names: `{ chatId: 'chat_id' }`. */
  copied?: Readonly<Record<string, string>>;
  /** Fields that are left out of answers, wherever the schema of the route declares them. */
  dropped?: readonly string[];
  /** What a call does that has to be confirmed, in a sentence for the person. */
  confirmed?: string;
  /** Scopes that a call needs besides those of the route. */
  scopes?: readonly Scope[];
  /** The permission that the handler demands of every caller, where the route declares none. */
  permission?: Permission;
  /** Its answers hold what people wrote, so that they are marked as data. */
  untrusted?: true;
  /** What a call begins that goes on for long: clients that know tasks get one. */
  task?: TaskKind;
}

/** The things that tasks are. */
export type TaskKind = 'summary' | 'import' | 'call';

export type JsonSchema = Readonly<Record<string, unknown>>;
type Place = 'path' | 'query' | 'body';

/** The arguments of a call in the parts of the route's request, as they were given: nothing is validated. */
export interface ToolRequest {
  params: Record<string, string>;
  query: Record<string, unknown>;
  body: Record<string, unknown>;
  idempotencyKey: unknown;
  /** The text of the file that the route takes. */
  csv: unknown;
}

/** An operation that AI clients call. */
export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly route: Route;
  readonly annotations: ToolAnnotations;
  readonly untrusted: boolean;
  readonly task: TaskKind | undefined;
  /** What a call does that has to be confirmed; undefined for most tools. */
  readonly confirmed: string | undefined;
  /** All scopes that a call needs. */
  readonly scopes: readonly Scope[];
  /** The permission that the member's role needs; undefined where any member may call. */
  readonly permission: Permission | undefined;
  readonly inputSchema: JsonSchema;
  /** Undefined for a route that answers nothing. */
  readonly outputSchema: JsonSchema | undefined;
  /** The answer of the route as an object, without what AI clients do not get. */
  answer(answer: unknown): object;
  /** @throws HttpProblem 400 for arguments that the tool does not have */
  read(args: Readonly<Record<string, unknown>>): ToolRequest;
  /** The error of a field of the route, as one of an argument. */
  errorOfArgument(error: FieldError): FieldError;
}

interface Argument {
  name: string;
  field: string;
  place: Place;
  schema: TSchema;
  isRequired: boolean;
}

/** Arguments that a tool has beside those of its route. */
const own = { key: 'idempotencyKey', csv: 'csv' } as const;
/** What the route calls its file. */
const filePart = 'file';

/** Declares a tool. It is served once it is listed in catalog/index.ts. @throws when the catalog is loaded, where it does not fit its route */
export function defineTool(declaration: ToolDeclaration): Tool {
  const {
    name,
    title,
    description,
    route,
    defaults = {},
    copied = {},
    confirmed,
    untrusted = false,
  } = declaration;
  const omit = [...(declaration.omit ?? []), ...Object.keys(copied)];
  requireServable(declaration);
  const all = argumentsOf(declaration);
  const open = all.filter(({ field }) => !omit.includes(field));
  const byName = new Map(open.map((argument) => [argument.name, argument]));
  const takesKey = route.idempotent !== false;
  const annotations = annotationsOf(declaration);
  const others: string[] = [...(takesKey ? [own.key] : []), ...(route.file === undefined ? [] : [own.csv])];
  requireFitting({ ...declaration, omit, defaults: { ...defaults, ...copied } }, all, others);
  const schema = isImport(route) ? lastLine(route.response.schema) : route.response.schema;
  const shape = schema === undefined ? undefined : answerShape(schema, declaration.dropped);

  return {
    name,
    title,
    description,
    route,
    annotations,
    untrusted,
    task: declaration.task,
    confirmed,
    scopes: scopesOf(declaration),
    permission: declaration.permission ?? route.access.permission,
    inputSchema: inputSchema(open, others, defaults),
    outputSchema: shape?.schema,
    answer: (answer) => shape?.of(answer) ?? {},
    read(args) {
      const unknown = Object.keys(args).filter((given) => !byName.has(given) && !others.includes(given));
      if (unknown.length > 0) throw HttpProblem.invalid(unknown.slice(0, 20).map(notAnArgument));
      const parts = { path: {}, query: {}, body: {} } as Record<Place, Record<string, unknown>>;
      for (const { field, place, name: argument } of all) {
        const given = copied[field] ?? argument;
        const value = byName.has(given) && Object.hasOwn(args, given) ? args[given] : defaults[field];
        if (value !== undefined) parts[place][field] = copyOf(value);
      }
      return {
        params: texts(parts.path),
        query: parts.query,
        body: parts.body,
        idempotencyKey: args[own.key],
        csv: args[own.csv],
      };
    },
    errorOfArgument({ in: place, pointer, ...error }) {
      if (pointer === '') return { ...error, pointer };
      const [, field = '', ...rest] = pointer.split('/');
      const found = all.find(
        (argument) => argument.field === field && (place ?? argument.place) === argument.place,
      );
      const name = field === filePart && route.file !== undefined ? own.csv : (found?.name ?? field);
      return { ...error, pointer: ['', name, ...rest].join('/') };
    },
  };
}

function argumentsOf({ route, rename = {} }: ToolDeclaration): Argument[] {
  const parts: [Place, TSchema | undefined][] = [
    ['path', route.params],
    ['query', route.query],
    ['body', route.body],
  ];
  return parts.flatMap(([place, part]) => {
    const { properties = {}, required = [] } = (
      part === undefined ? {} : described(route, place, closeSchema(part))
    ) as { properties?: Record<string, TSchema>; required?: string[] };
    return Object.entries(properties)
      .filter(([field]) => field !== 'workspace_uuid')
      .map(([field, schema]) => ({
        name: rename[field] ?? field,
        field,
        place,
        schema,
        isRequired: required.includes(field),
      }));
  });
}

/** With the descriptions that the OpenAPI document has. */
function described(route: Route, place: Place, part: TSchema): TSchema {
  const copy = structuredClone(part) as TSchema & { properties?: Record<string, { description?: string }> };
  if (place === 'body') {
    const { $id = '' } = nameOfItsOwn(route, 'Request', part) as { $id?: string };
    describeFields({ [$id]: copy });
    return copy;
  }
  for (const [name, property] of Object.entries(copy.properties ?? {})) {
    const meaning = property.description ?? parameterMeanings[name];
    if (meaning !== undefined) property.description = meaning;
  }
  return copy;
}

function requireServable({ name, route }: ToolDeclaration): void {
  const { access, response, body, consumes, file } = route;
  const isAtOnce =
    response.events === undefined && response.stream === undefined && response.file === undefined;
  const isJson = isAtOnce && response.redirect === undefined && !('contentType' in response);
  const takesFields = body === undefined || (body as { type?: unknown }).type === 'object';
  const isPlain = isJson && consumes === 'json' && file === undefined;
  const isFit = access.kind === 'member' && (isPlain || isImport(route)) && takesFields;
  if (!isFit) throw new Error(`The tool ${name} cannot be a view of ${route.operationId}.`);
}

/** Whether a route takes a CSV file, and answers line by line how far the run is that imports it. */
export function isImport({ response, consumes, idempotent }: Route): boolean {
  return response.stream === 'application/x-ndjson' && consumes === 'multipart' && idempotent === 'by_run';
}

/** The schema of the line that says what became of an import. */
function lastLine(schema: TSchema | undefined): TSchema {
  const { anyOf = [] } = (schema ?? {}) as {
    anyOf?: (TSchema & { properties?: { type?: { const?: unknown } } })[];
  };
  const last = anyOf.find(({ properties }) => properties?.type?.const === 'complete');
  if (last === undefined) throw new Error('The lines of an import have no last one.');
  return last;
}

/** Finds names that the route does not have, names that clash, and required fields that nothing fills. */
function requireFitting(
  { name, rename = {}, omit = [], defaults = {} }: ToolDeclaration,
  all: readonly Argument[],
  others: readonly string[],
): void {
  const fields = new Set(all.map(({ field }) => field));
  const named = [...Object.keys(rename), ...omit, ...Object.keys(defaults)];
  const unknown = named.filter((field) => !fields.has(field));
  const names = [...all.filter(({ field }) => !omit.includes(field)).map((one) => one.name), ...others];
  const clashing = names.filter((one, at) => names.indexOf(one) !== at);
  const missing = all.filter(
    ({ field, isRequired }) => isRequired && omit.includes(field) && !(field in defaults),
  );
  const faults = [...unknown, ...clashing, ...missing.map(({ field }) => field)];
  if (faults.length > 0) throw new Error(`The tool ${name} does not fit its route: ${faults.join(', ')}.`);
}

function annotationsOf({ route: { method }, annotations }: ToolDeclaration): ToolAnnotations {
  return {
    readOnlyHint: method === 'GET',
    destructiveHint: method === 'DELETE',
    idempotentHint: ['GET', 'PUT', 'DELETE'].includes(method),
    openWorldHint: false,
    ...annotations,
  };
}

/** A permission counts only with the scope of the same name. */
function scopesOf({
  route: { access },
  scopes = [],
  permission = access.permission,
}: ToolDeclaration): Scope[] {
  const [area, verb] = permission?.split(':') ?? [];
  const named = new Set<unknown>([access.scope, permission && `${area}:${verb}`, ...scopes]);
  return allScopes.filter((scope) => named.has(scope));
}

const ownSchemas: Record<string, JsonSchema> = {
  [own.key]: {
    type: 'string',
    minLength: 1,
    maxLength: 255,
    pattern: '^[!-~]+$',
    description:
      'A new UUID for each thing to do: within 24 hours it is done once, and a repeated call is answered the same.',
  },
  [own.csv]: { type: 'string', description: 'CSV with a header row.' },
};

function inputSchema(
  open: readonly Argument[],
  others: readonly string[],
  defaults: Readonly<Record<string, unknown>>,
): JsonSchema {
  const isGiven = ({ field }: Argument) => Object.hasOwn(defaults, field);
  const properties = open.map((argument): [string, unknown] => {
    const { name, field, schema } = argument;
    return [name, isGiven(argument) ? { ...schema, default: defaults[field] } : schema];
  });
  const required = [
    ...open.filter((one) => one.isRequired && !isGiven(one)).map(({ name }) => name),
    ...others.filter((name) => name === own.csv),
  ];
  return referring({
    type: 'object',
    properties: Object.fromEntries([...properties, ...others.map((name) => [name, ownSchemas[name]])]),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  });
}

/** A schema that stands alone, with its named parts in `$defs`. */
function referring(schema: JsonSchema): JsonSchema {
  const names = new NamedSchemas('#/$defs/', { collectAll: false });
  const whole = names.refer(schema);
  describeFields(names.schemas as Record<string, object>);
  return brief(Object.keys(names.schemas).length === 0 ? { ...whole } : { ...whole, $defs: names.schemas });
}

/** Of a pattern that is longer, a model understands nothing. The route checks it. */
const maxPatternLength = 100;

/** A copy without patterns that are long, such as the list of invisible characters that no name may have. */
function brief(schema: JsonSchema): JsonSchema {
  const text = JSON.stringify(schema, (keyword, value: unknown) => {
    const isLong = keyword === 'pattern' && typeof value === 'string' && value.length > maxPatternLength;
    return isLong ? undefined : value;
  });
  return JSON.parse(text) as JsonSchema;
}

/** Validation fills in defaults, which must not change what was sent. */
function copyOf(value: unknown): unknown {
  return typeof value === 'object' ? structuredClone(value) : value;
}

/** Parameters of a path come as text over HTTP; what cannot be one stays, and is refused by validation. */
function texts(values: Record<string, unknown>): Record<string, string> {
  const text = (value: unknown) => (['number', 'boolean'].includes(typeof value) ? String(value) : value);
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, text(value) as string]));
}

function notAnArgument(name: string): FieldError {
  const pointer = `/${name.slice(0, 100).replaceAll('~', '~0').replaceAll('/', '~1')}`;
  return { pointer, message: 'is not an argument of this tool' };
}
