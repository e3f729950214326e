import { Duration, UnsignedInt } from '@marcbachmann/cel-js/evaluator';

/** A `cel.expr.Value` in the JSON of protocol buffers. */
export type ProtoValue =
  | { nullValue: null }
  | { boolValue: boolean }
  | { int64Value: string }
  | { uint64Value: string }
  | { doubleValue: number | string }
  | { stringValue: string }
  | { bytesValue: string }
  | { typeValue: string }
  | { listValue: { values?: ProtoValue[] } }
  | { mapValue: { entries?: { key: ProtoValue; value: ProtoValue }[] } }
  | { objectValue: { '@type': string; value?: string } };

/** The value of the evaluator for a value of a case. Maps have texts as keys, as the objects of JSON have. */
export function readValue(proto: ProtoValue): unknown {
  if ('nullValue' in proto) return null;
  if ('boolValue' in proto) return proto.boolValue;
  if ('int64Value' in proto) return BigInt(proto.int64Value);
  if ('uint64Value' in proto) return new UnsignedInt(BigInt(proto.uint64Value));
  if ('doubleValue' in proto) return Number(proto.doubleValue);
  if ('stringValue' in proto) return proto.stringValue;
  if ('bytesValue' in proto) return Buffer.from(proto.bytesValue, 'base64');
  if ('listValue' in proto) return (proto.listValue.values ?? []).map(readValue);
  if ('mapValue' in proto) {
    return Object.fromEntries(
      (proto.mapValue.entries ?? []).map(({ key, value }) => [String(readValue(key)), readValue(value)]),
    );
  }
  if ('objectValue' in proto) return momentOf(proto.objectValue);
  throw new Error(`No value of the evaluator: ${JSON.stringify(proto)}`);
}

function momentOf({ '@type': type, value = '' }: { '@type': string; value?: string }): Date | Duration {
  if (type.endsWith('/google.protobuf.Timestamp')) return new Date(value);
  if (!type.endsWith('/google.protobuf.Duration')) throw new Error(`A message: ${type}`);
  const [, sign, seconds = '', fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?s$/.exec(value) ?? [];
  const nanos = Number(fraction.padEnd(9, '0'));
  return sign === '-' ? new Duration(-BigInt(seconds), -nanos) : new Duration(BigInt(seconds), nanos);
}

/** Whether a result is the value that a case expects, of the same type: 1 is not 1.0. */
export function isValue(actual: unknown, expected: ProtoValue): boolean {
  if ('typeValue' in expected) return nameOfType(actual) === expected.typeValue;
  return isSame(actual, readValue(expected));
}

function isSame(actual: unknown, expected: unknown): boolean {
  if (expected instanceof UnsignedInt) {
    return actual instanceof UnsignedInt && actual.valueOf() === expected.valueOf();
  }
  if (expected instanceof Date) return actual instanceof Date && actual.getTime() === expected.getTime();
  if (expected instanceof Duration) {
    return (
      actual instanceof Duration && actual.seconds === expected.seconds && actual.nanos === expected.nanos
    );
  }
  if (expected instanceof Uint8Array) {
    return actual instanceof Uint8Array && Buffer.compare(actual, expected) === 0;
  }
  if (Array.isArray(expected)) {
    return (
      Array.isArray(actual) &&
      actual.length === expected.length &&
      expected.every((item, index) => isSame(actual[index], item))
    );
  }
  if (typeof expected !== 'object' || expected === null) return Object.is(actual, expected);
  const entries = Object.entries(expected);
  return (
    typeof actual === 'object' &&
    actual !== null &&
    Object.keys(actual).length === entries.length &&
    entries.every(([key, item]) => isSame((actual as Record<string, unknown>)[key], item))
  );
}

function nameOfType(value: unknown): string | undefined {
  const name = (value as { name?: unknown } | null)?.name;
  if (name === 'null') return 'null_type';
  return typeof name === 'string' ? name : undefined;
}

/** A `cel.expr.Type` in the JSON of protocol buffers. */
export type ProtoType =
  | { null: null }
  | { dyn: object }
  | { primitive: string }
  | { wellKnown: string }
  | { messageType: string }
  | { listType: { elemType?: ProtoType } }
  | { mapType: { keyType?: ProtoType; valueType?: ProtoType } }
  | { type: object };

const primitives: Record<string, string> = {
  BOOL: 'bool',
  INT64: 'int',
  UINT64: 'uint',
  DOUBLE: 'double',
  STRING: 'string',
  BYTES: 'bytes',
};
const wellKnown: Record<string, string> = {
  TIMESTAMP: 'google.protobuf.Timestamp',
  DURATION: 'google.protobuf.Duration',
};

/** The name that the evaluator has for a type of a case. */
export function typeNameOf(type: ProtoType): string {
  if ('primitive' in type) return primitives[type.primitive] ?? unknownType(type);
  if ('wellKnown' in type) return wellKnown[type.wellKnown] ?? unknownType(type);
  if ('messageType' in type) return type.messageType;
  if ('listType' in type) return `list<${typeNameOf(type.listType.elemType ?? { dyn: {} })}>`;
  if ('mapType' in type) {
    const { keyType, valueType } = type.mapType;
    return `map<${typeNameOf(keyType ?? { dyn: {} })}, ${typeNameOf(valueType ?? { dyn: {} })}>`;
  }
  if ('null' in type) return 'null';
  return 'dyn' in type ? 'dyn' : 'type' in type ? 'type' : unknownType(type);
}

function unknownType(type: object): never {
  throw new Error(`No type of the evaluator: ${JSON.stringify(type)}`);
}
