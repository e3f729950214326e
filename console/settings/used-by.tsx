import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useWorkspace } from '../kit/workspace.js';

interface Props {
  workflows: readonly { id: number; name: string }[];
  /** Said in place of none. */
  none: string;
}

/** The workflows that need something. */
export function UsedBy({ workflows, none }: Props): ReactNode {
  const { uuid } = useWorkspace();
  if (workflows.length === 0) return <p className="quiet">{none}</p>;
  return (
    <ul>
      {workflows.map(({ id, name }) => (
        <li key={id}>
          <Link to="/w/$workspace/workflows/$workflowId" params={{ workspace: uuid, workflowId: String(id) }}>
            {name}
          </Link>
        </li>
      ))}
    </ul>
  );
}
