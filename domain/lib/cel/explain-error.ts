import type { Environment } from '@marcbachmann/cel-js';
import { suggestion } from '../closest.js';
import type { CelIssue } from './environment.js';

/** What the evaluator says of an expression that it cannot read, or whose types do not fit. */
export interface EvaluatorError {
  code: string;
  summary: string;
  range?: { start: number; end: number } | undefined;
}

/** What other languages write, and what stands for it here. */
const meant = new Map(
  Object.entries({
    '=': '==',
    '===': '==',
    is: '==',
    equals: '==',
    '!==': '!=',
    '<>': '!=',
    '≠': '!=',
    xor: '!=',
    '=>': '>=',
    '≥': '>=',
    '=<': '<=',
    '≤': '<=',
    and: '&&',
    '&': '&&',
    or: '||',
    '|': '||',
    not: '!(…)',
    mod: '%',
    div: '/',
    like: 'text.contains("…")',
    contains: 'text.contains("…"), or "…" in list',
    includes: 'text.contains("…"), or "…" in list',
    between: 'value >= 1 && value <= 2',
    if: 'condition ? one : other',
    else: 'condition ? one : other',
    '??': 'has(value) ? value : other',
    '“': 'straight quotes, "…"',
    '”': 'straight quotes, "…"',
    '„': 'straight quotes, "…"',
    '«': 'straight quotes, "…"',
    '‘': "straight quotes, '…'",
    '’': "straight quotes, '…'",
  }),
);

const constants = new Map(
  Object.entries({
    True: 'true',
    TRUE: 'true',
    False: 'false',
    FALSE: 'false',
    None: 'null',
    nil: 'null',
    NULL: 'null',
    undefined: 'null',
  }),
);

/** Functions of other languages, in lower case. */
const functionsMeant = new Map(
  Object.entries({
    upper: 'upperAscii',
    touppercase: 'upperAscii',
    lower: 'lowerAscii',
    tolowercase: 'lowerAscii',
    len: 'size',
    length: 'size',
    count: 'size',
    includes: 'contains',
    beginswith: 'startsWith',
    any: 'exists',
    some: 'exists',
    every: 'all',
    str: 'string',
    text: 'string',
    tostring: 'string',
    number: 'double',
    float: 'double',
    parseint: 'int',
    year: 'getFullYear',
    regex: 'matches',
  }),
);

const tokens: Record<string, string> = {
  RPAREN: '")"',
  RBRACKET: '"]"',
  RBRACE: '"}"',
  COLON: '":"',
  COMMA: '","',
  EOF: 'the end',
};

/** Says what is wrong with an expression as its author would, with what was most likely meant. */
export function explainError(environment: Environment, text: string, error: EvaluatorError): CelIssue {
  const start = error.range?.start ?? 0;
  switch (error.code) {
    case 'unexpected_character':
    case 'unexpected_token':
    case 'reserved_identifier':
      return unexpected(text, start);
    case 'expected_token':
      return { message: expected(text, error.summary), position: start };
    case 'unknown_variable':
      return { message: unknownVariable(environment, text.slice(start, error.range?.end)), position: start };
    case 'no_such_overload':
      return { message: noOperator(error.summary), position: start };
    case 'no_matching_overload':
      return noOverload(environment, text, { ...error, range: error.range ?? { start, end: text.length } });
    default:
      return { message: error.summary, position: start };
  }
}

function unexpected(text: string, at: number): CelIssue {
  if (text.slice(at).trim() === '') return { message: 'The expression ends too early', position: at };
  const words = wordsUntil(text, at);
  // The evaluator reads "not" as the name of a variable, and stumbles over what follows.
  const { word, position } = words.findLast(
    (one, back) => back >= words.length - 2 && meant.has(one.word.toLowerCase()),
  ) ??
    words.at(-1) ?? { word: text.slice(at), position: at };
  const instead = meant.get(word.toLowerCase());
  return { message: `Unexpected ${word}${instead ? `; write ${instead}` : ''}`, position };
}

interface Word {
  word: string;
  position: number;
}

/** Whole words and operators up to a position, where the evaluator may have read a part of one. */
function wordsUntil(text: string, at: number): Word[] {
  return [...text.matchAll(/[\p{L}_][\p{L}\p{N}_]*|[=<>!&|?]+|\S/gu)]
    .filter(({ index }) => index <= at)
    .map(({ 0: word, index: position }) => ({ word, position }));
}

function expected(text: string, summary: string): string {
  if (/^\s*\{\{/.test(text)) return 'An expression stands without {{ and }}';
  const [, wanted = '', got = ''] = /^Expected (\w+), got (\w+)$/.exec(summary) ?? [];
  if (tokens[wanted] === undefined) return summary;
  return got === 'EOF' ? `${tokens[wanted]} is missing` : `${tokens[wanted]} is expected here`;
}

/** Names the variables that there are. */
function unknownVariable(environment: Environment, name: string): string {
  const constant = constants.get(name);
  if (constant !== undefined) return `Unknown variable: ${name}; write ${constant}`;
  const known = variablesOf(environment);
  return `Unknown variable: ${name}${suggestion(name, known)}`;
}

/** The variables, without the names of types and the namespace of those of Google. */
function variablesOf(environment: Environment): string[] {
  const { variables } = environment.getDefinitions();
  return variables
    .filter(({ name, type }) => type !== 'type' && !type.endsWith('Namespace') && name !== 'google')
    .map(({ name }) => name);
}

function noOperator(summary: string): string {
  const [, left, operator, right] = /^no such overload: (\S+) (\S+) (\S+)$/.exec(summary) ?? [];
  if (left === undefined || right === undefined) return summary;
  return `${operator} cannot be used between ${inWords(left)} and ${inWords(right)}`;
}

function noOverload(
  environment: Environment,
  text: string,
  { summary, range }: EvaluatorError & { range: { start: number; end: number } },
): CelIssue {
  const called = /'(?:(?<receiver>.+)\.)?(?<name>\w+)\((?<types>.*)\)'$/.exec(summary)?.groups;
  if (called?.name === undefined) return { message: summary, position: range.start };
  const { name, receiver, types = '' } = called;
  const position = positionOf(name, text, range);
  const functions = environment.getDefinitions().functions.filter((one) => isOffered(one));
  const ofName = functions.filter((one) => one.name === name);
  if (ofName.length > 0) {
    const forms = [...new Set(ofName.map(formOf))].join(' or ');
    const written = `${receiver ? `${inWords(receiver)}.` : ''}${name}(${types.split(', ').map(inWords).join(', ')})`;
    return { message: `${written} does not exist; there is ${forms}`, position };
  }
  if (variablesOf(environment).includes(name))
    return { message: `There is no function ${name}; write ${name}, without ()`, position };
  const alike = functionsMeant.get(name.toLowerCase());
  const form = functions.find((one) => one.name === alike);
  const hint = form
    ? `; write ${formOf(form)}`
    : suggestion(
        name,
        functions.map((one) => one.name),
      );
  return { message: `There is no function ${name}${hint}`, position };
}

function positionOf(name: string, text: string, { start, end }: { start: number; end: number }): number {
  const calls = [...text.slice(start, end).matchAll(new RegExp(`\\b${name}\\s*\\(`, 'g'))];
  return start + (calls.at(-1)?.index ?? 0);
}

/** Functions of bytes and of namespaces are no help: values from JSON have no bytes. */
function isOffered({ receiverType, params }: Definition): boolean {
  const types = [receiverType, ...params.map((param) => param.type)];
  return !types.some((type) => type === 'bytes' || type?.endsWith('Namespace'));
}

type Definition = ReturnType<Environment['getDefinitions']>['functions'][number];

const typeNames: Record<string, string> = {
  string: 'text',
  'google.protobuf.Timestamp': 'time',
  'google.protobuf.Duration': 'duration',
  'list<dyn>': 'list',
  'list<string>': 'list',
  'map<dyn, dyn>': 'map',
  'optional<dyn>': 'optional',
  ast: '…',
  dyn: 'value',
};

function inWords(type: string): string {
  return typeNames[type] ?? type;
}

/** As in `text.startsWith(text)`. */
function formOf({ name, receiverType, params }: Definition): string {
  const values = params.map((param) => inWords(param.type)).join(', ');
  return `${receiverType ? `${inWords(receiverType)}.` : ''}${name}(${values})`;
}
