import { tests } from '@bufbuild/cel-spec/testdata/conformance.js';
import type { ProtoType, ProtoValue } from './values.js';

/** A `cel.expr.conformance.test.SimpleTest` in the JSON of protocol buffers. */
interface SimpleTest {
  expr: string;
  container?: string;
  typeEnv?: Declaration[];
  bindings?: Record<string, { value: ProtoValue }>;
  checkOnly?: boolean;
  disableCheck?: boolean;
  value?: ProtoValue;
  typedResult?: { result?: ProtoValue; deducedType?: ProtoType };
  evalError?: object;
}
type Declaration = { name: string; ident?: { type: ProtoType }; function?: object };

/** `id`: the file, the section and the name of the case; of cases of one name, the later ones are numbered. */
export type ConformanceCase = SimpleTest & { id: string };

/** Files that are about messages, enums and the types of their fields. */
const filesOfMessages = ['dynamic', 'enums', 'proto2', 'proto2_ext', 'proto3', 'unknowns', 'wrappers'];
/** Files about libraries that extend the language, which an implementation may leave out. */
const filesOfExtensions = [
  'bindings_ext',
  'block_ext',
  'encoders_ext',
  'macros2',
  'math_ext',
  'optionals',
  'string_ext',
];

/** All cases of the standard that need no messages, enums or extension libraries. */
export function conformanceCases(): ConformanceCase[] {
  const found: ConformanceCase[] = [];
  const seen = new Map<string, number>();
  for (const file of tests.suites ?? []) {
    if (filesOfMessages.includes(file.name) || filesOfExtensions.includes(file.name)) continue;
    for (const section of file.suites ?? []) {
      for (const { original } of section.tests ?? []) {
        const test = original as unknown as SimpleTest;
        if (usesMessages(test) || usesExtensions(test)) continue;
        const name = `${file.name}/${section.name}/${original.name}`;
        const count = (seen.get(name) ?? 0) + 1;
        seen.set(name, count);
        found.push({ ...test, id: count === 1 ? name : `${name} ${count}` });
      }
    }
  }
  return found;
}

/**
 * Whether a case builds a message, is resolved in the package of the test messages, or mentions a type of protocol
 * buffers beside timestamps and durations, which are types of the language.
 */
function usesMessages(test: SimpleTest): boolean {
  const types =
    JSON.stringify(test).match(/\b(google\.protobuf|cel\.expr\.conformance)\.\w+|"wrapper"/g) ?? [];
  const ofLanguage = ['google.protobuf.Timestamp', 'google.protobuf.Duration'];
  return buildsMessage(test.expr) || types.some((type) => !ofLanguage.includes(type));
}

function buildsMessage(expression: string): boolean {
  return /[\w.`]\s*\{/.test(withoutTexts(expression));
}

/** Whether a case uses optional values, in its expression or as its type. */
function usesExtensions(test: SimpleTest): boolean {
  return (
    /\boptional\.|\.\?|\[\?/.test(withoutTexts(test.expr)) || JSON.stringify(test).includes('optional_type')
  );
}

function withoutTexts(expression: string): string {
  return expression.replaceAll(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/gs, '""').replaceAll(/\/\/[^\n]*\n/g, '');
}
