import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useWorkspace } from '../kit/workspace.js';
import { labelsQuery, type Member } from './queries.js';

/** The colours of labels, by their ids. */
function useColors(): ReadonlyMap<number, string> {
  const { uuid } = useWorkspace();
  const { data } = useQuery(labelsQuery(uuid));
  return new Map(data?.items.map(({ id, color }) => [id, color]));
}

interface Props {
  labels: Member['labels'];
  /** What stands in the chip of a label behind its name. */
  act?(label: Member['labels'][number]): ReactNode;
}

/** Labels of a member. The colour is a dot beside the name, which stays readable in any. */
export function Labels({ labels, act }: Props): ReactNode {
  const colors = useColors();
  return labels.map((label) => (
    <span key={label.id} className="chip label">
      <span className="dot" style={{ background: colors.get(label.id) }} aria-hidden="true" />
      {label.name}
      {act?.(label)}
    </span>
  ));
}
