import type { ReactNode } from 'react';
import { MemberName } from '../kit/member-picker.js';
import { useWorkspace } from '../kit/workspace.js';

/** The name of who did something, or its id for who may not read members. */
export function Who({ id }: { id: number }): ReactNode {
  const { can } = useWorkspace();
  return can('members:read') ? <MemberName id={id} /> : `#${id}`;
}
