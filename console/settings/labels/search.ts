import { type LabelKind, labelKinds } from './queries.js';

export interface LabelsSearch {
  kind?: LabelKind | undefined;
}

/** What the address of the labels says; labels of members are the first. */
export function readLabelsSearch({ kind }: Record<string, unknown>): LabelsSearch {
  return { kind: labelKinds.find((one) => one === kind) };
}
